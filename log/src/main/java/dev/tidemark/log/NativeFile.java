package dev.tidemark.log;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A file reached by the system's own calls. Writes and syncs come from one thread at a time, reads
/// from any. Whoever calls holds the file open ([Segment] counts its holders): a descriptor that
/// was closed may be another file's.
final class NativeFile implements StorageFile {
  private final String path;
  private final int fd;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment writeState = PosixCalls.newState(arena);
  private final AtomicBoolean closed = new AtomicBoolean();

  private NativeFile(String path, int fd) {
    this.path = path;
    this.fd = fd;
  }

  static NativeFile open(String path) throws IOException {
    return new NativeFile(path, PosixCalls.open(path, PosixCalls.O_RDWR));
  }

  /// Opens a file that is not to be written.
  static NativeFile openForReading(String path) throws IOException {
    return new NativeFile(path, PosixCalls.open(path, PosixCalls.O_RDONLY));
  }

  /// Opens a file that must not exist.
  static NativeFile create(String path) throws IOException {
    int flags = PosixCalls.O_RDWR | PosixCalls.O_CREAT | PosixCalls.O_EXCL;
    return new NativeFile(path, PosixCalls.open(path, flags));
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    PosixCalls.pwrite(fd, source, offset, writeState);
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    try (Arena call = Arena.ofConfined()) {
      return PosixCalls.pread(fd, target, offset, PosixCalls.newState(call));
    }
  }

  /// Null also where the system refuses: a read by call still works.
  @Override
  public @Nullable MemorySegment map(long bytes) {
    try {
      return PosixCalls.map(fd, bytes, arena);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void sync() throws IOException {
    PosixCalls.fdatasync(fd, writeState);
  }

  @Override
  public long size() throws IOException {
    try (Arena call = Arena.ofConfined()) {
      return PosixCalls.size(fd, PosixCalls.newState(call));
    }
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try {
        PosixCalls.close(fd, writeState);
      } finally {
        arena.close();
      }
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
