package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/// ActiveMQ Artemis' message journal, whatever it reaches its files by.
final class ArtemisStore implements Peer.Store {
  /// The buffer's, as the broker's own default.
  static final int BUFFER_BYTES = 490 << 10;

  /// How long the buffer gathers before it is written: about what a sync takes, as the broker sets
  /// it when it is installed on a disk.
  static final int BUFFER_NANOS = 100_000;

  private static final int FILE_BYTES = 10 << 20;
  private static final int FILES_MIN = 2;
  private static final int POOL_FILES = 10;
  private static final byte TYPE = 1;

  private final AtomicLong ids = new AtomicLong();
  private final JournalImpl journal;

  /// @param ioMax writes under way at once
  ArtemisStore(SequentialFileFactory files, int ioMax) throws Exception {
    this.journal =
        new JournalImpl(FILE_BYTES, FILES_MIN, POOL_FILES, 0, 0, files, "bench", "amq", ioMax);
    journal.start();
    journal.loadInternalOnly();
  }

  @Override
  public void write(byte[] record) throws Exception {
    journal.appendAddRecord(ids.incrementAndGet(), TYPE, record, true);
  }

  @Override
  public void writeBatch(List<byte[]> records) throws Exception {
    long transaction = ids.incrementAndGet();
    for (byte[] record : records) {
      journal.appendAddRecordTransactional(transaction, ids.incrementAndGet(), TYPE, record);
    }
    journal.appendCommitRecord(transaction, true);
  }

  @Override
  public void close() throws IOException {
    journal.stop();
  }
}
