package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A storage whose calls that read are counted, however the files are reached.
final class CountedStorage implements Storage {
  final AtomicLong reads = new AtomicLong();
  final AtomicLong sizes = new AtomicLong();
  final AtomicLong maps = new AtomicLong();
  final AtomicLong openFiles = new AtomicLong();
  private final Storage storage;

  CountedStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public String name() {
    return storage.name();
  }

  @Override
  public boolean interruptSafe() {
    return storage.interruptSafe();
  }

  @Override
  public List<String> list() throws IOException {
    return storage.list();
  }

  @Override
  public StorageFile open(String name) throws IOException {
    return new CountedFile(storage.open(name));
  }

  @Override
  public StorageFile create(String name) throws IOException {
    return new CountedFile(storage.create(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    storage.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    storage.replace(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    storage.delete(name);
  }

  @Override
  public void syncDirectory() throws IOException {
    storage.syncDirectory();
  }

  @Override
  public Ownership lock() throws IOException {
    return storage.lock();
  }

  private final class CountedFile implements StorageFile {
    private final StorageFile file;

    CountedFile(StorageFile file) {
      this.file = file;
      openFiles.incrementAndGet();
    }

    @Override
    public void write(MemorySegment source, long offset) throws IOException {
      file.write(source, offset);
    }

    @Override
    public long read(MemorySegment target, long offset) throws IOException {
      reads.incrementAndGet();
      return file.read(target, offset);
    }

    @Override
    public @Nullable MemorySegment map(long bytes) {
      maps.incrementAndGet();
      return file.map(bytes);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public long size() throws IOException {
      sizes.incrementAndGet();
      return file.size();
    }

    @Override
    public void close() throws IOException {
      openFiles.decrementAndGet();
      file.close();
    }
  }
}
