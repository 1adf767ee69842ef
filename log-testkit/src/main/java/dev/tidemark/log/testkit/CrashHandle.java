package dev.tidemark.log.testkit;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;

/// An open file of a [CrashStorage]: stays valid when the file is renamed or deleted. Any thread.
final class CrashHandle implements StorageFile {
  private final CrashStorage storage;
  private final String name;
  private final CrashFile file;
  private final AtomicBoolean closed = new AtomicBoolean();

  CrashHandle(CrashStorage storage, String name, CrashFile file) {
    this.storage = storage;
    this.name = name;
    this.file = file;
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    checkOffset(offset);
    begin();
    try {
      storage.enter(StorageOp.WRITE, name);
    } catch (InjectedFaultException e) {
      put(source.asSlice(0, Math.min(e.bytesDone(), source.byteSize())), offset);
      throw e;
    }
    end();
    put(source, offset);
  }

  private void put(MemorySegment source, long offset) throws IOException {
    synchronized (storage) {
      file.write(source, offset);
    }
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    checkOffset(offset);
    checkOpen();
    storage.enter(StorageOp.READ, name);
    checkStillOpen();
    synchronized (storage) {
      return file.read(target, offset);
    }
  }

  @Override
  public void sync() throws IOException {
    begin();
    long covered;
    synchronized (storage) {
      covered = file.beginSync();
    }
    try {
      storage.enter(StorageOp.SYNC, name);
      end();
    } catch (IOException e) {
      synchronized (storage) {
        file.failSync(covered);
      }
      throw e;
    }
    synchronized (storage) {
      file.endSync(covered);
    }
  }

  @Override
  public long size() throws IOException {
    checkOpen();
    storage.enter(StorageOp.SIZE, name);
    checkStillOpen();
    synchronized (storage) {
      return file.size();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      storage.closed();
    }
  }

  private static void checkOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("offset is " + offset);
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed.get()) {
      throw new ClosedChannelException();
    }
  }

  /// For an operation that may have waited.
  private void checkStillOpen() throws AsynchronousCloseException {
    if (closed.get()) {
      throw new AsynchronousCloseException();
    }
  }

  private void begin() throws IOException {
    checkOpen();
    closeIfInterrupted();
  }

  private void end() throws IOException {
    closeIfInterrupted();
    checkStillOpen();
  }

  private void closeIfInterrupted() throws ClosedByInterruptException {
    if (!storage.interruptSafe() && Thread.currentThread().isInterrupted()) {
      close();
      throw new ClosedByInterruptException();
    }
  }
}
