package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.jspecify.annotations.Nullable;

/// Chronicle Queue: a mapped file, synced behind every write. It knows no batch: one is its records
/// and a sync behind the last.
public final class ChroniclePeer implements Peer {
  @Override
  public String name() {
    return "chronicle";
  }

  @Override
  public String description() {
    return "Chronicle Queue, ExcerptAppender.sync() in mode SYNC behind each write or batch";
  }

  @Override
  public @Nullable String missing() {
    Module base = Object.class.getModule();
    return base.isOpen("java.lang.reflect", ChroniclePeer.class.getModule())
        ? null
        : "it reaches into the JDK: start the JVM with the flags of bench-peers' java.options";
  }

  @Override
  public Store open(Path folder) {
    return new Opened(folder);
  }

  private static final class Opened implements Store {
    private final ChronicleQueue queue;
    private final ThreadLocal<ExcerptAppender> appenders;

    Opened(Path folder) {
      this.queue =
          SingleChronicleQueueBuilder.binary(folder.toFile()).syncMode(SyncMode.SYNC).build();
      this.appenders = ThreadLocal.withInitial(queue::createAppender);
    }

    @Override
    public void write(byte[] record) {
      ExcerptAppender appender = appenders.get();
      appender.writeBytes(Bytes.wrapForRead(record));
      appender.sync();
    }

    @Override
    public void writeBatch(List<byte[]> records) {
      ExcerptAppender appender = appenders.get();
      for (byte[] record : records) {
        appender.writeBytes(Bytes.wrapForRead(record));
      }
      appender.sync();
    }

    @Override
    public void close() {
      queue.close();
    }
  }
}
