package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/// H2's MVStore: a log-structured map, committed and synced with every write.
public final class H2Peer implements Peer {
  @Override
  public String name() {
    return "h2-mvstore";
  }

  @Override
  public String description() {
    return "H2 MVStore, commit() and sync() behind each write or batch";
  }

  @Override
  public Store open(Path folder) {
    return new Opened(folder);
  }

  private static final class Opened implements Store {
    private final AtomicLong keys = new AtomicLong();
    private final MVStore store;
    private final MVMap<Long, byte[]> map;

    Opened(Path folder) {
      this.store =
          new MVStore.Builder()
              .fileName(folder.resolve("store").toString())
              .autoCommitDisabled()
              .open();
      this.map = store.openMap("log");
    }

    @Override
    public void write(byte[] record) {
      map.put(keys.incrementAndGet(), record);
      store.commit();
      store.sync();
    }

    @Override
    public void writeBatch(List<byte[]> records) {
      for (byte[] record : records) {
        map.put(keys.incrementAndGet(), record);
      }
      store.commit();
      store.sync();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
