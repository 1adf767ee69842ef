package dev.tidemark.log.testkit;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;

/// An open file of a [CrashStorage]: stays valid when the file is renamed or deleted. Any thread.
final class CrashHandle implements StorageFile {
  private final CrashStorage storage;
  private final String name;
  private final CrashFile file;
  private volatile boolean closed;

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
    begin();
    storage.enter(StorageOp.READ, name);
    end();
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
    begin();
    storage.enter(StorageOp.SIZE, name);
    synchronized (storage) {
      return file.size();
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  private static void checkOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("offset is " + offset);
    }
  }

  private void begin() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    closeIfInterrupted();
  }

  /// What an operation finds that had to wait.
  private void end() throws IOException {
    closeIfInterrupted();
    if (closed) {
      throw new AsynchronousCloseException();
    }
  }

  private void closeIfInterrupted() throws ClosedByInterruptException {
    if (!storage.interruptSafe() && Thread.currentThread().isInterrupted()) {
      closed = true;
      throw new ClosedByInterruptException();
    }
  }
}
