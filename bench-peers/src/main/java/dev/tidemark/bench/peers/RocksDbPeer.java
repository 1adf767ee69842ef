package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// RocksDB: its write-ahead log, synced with every write. Its own group commit joins writers.
public final class RocksDbPeer implements Peer {
  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public String description() {
    return "RocksDB, WriteOptions.sync, log files recycled; a batch is a WriteBatch";
  }

  @Override
  public Store open(Path folder) throws RocksDBException {
    return new Opened(folder);
  }

  private static final class Opened implements Store {
    private final Options options =
        new Options().setCreateIfMissing(true).setRecycleLogFileNum(2).setWriteBufferSize(16 << 20);
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final AtomicLong keys = new AtomicLong();
    private final RocksDB db;

    Opened(Path folder) throws RocksDBException {
      this.db = RocksDB.open(options, folder.toString());
    }

    @Override
    public void write(byte[] record) throws RocksDBException {
      db.put(synced, key(), record);
    }

    @Override
    public void writeBatch(List<byte[]> records) throws RocksDBException {
      try (WriteBatch batch = new WriteBatch()) {
        for (byte[] record : records) {
          batch.put(key(), record);
        }
        db.write(synced, batch);
      }
    }

    private byte[] key() {
      return ByteBuffer.allocate(Long.BYTES).putLong(keys.incrementAndGet()).array();
    }

    @Override
    public void close() {
      db.close();
      synced.close();
      options.close();
    }
  }
}
