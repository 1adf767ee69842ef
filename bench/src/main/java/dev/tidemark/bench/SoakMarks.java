package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What the loading process of the soak has been told and has done, in memory that it shares with
/// the process that watches it: a kill takes nothing of it away.
///
/// Longs, in a file: the mark below which the log may be trimmed, then for each writer the last
/// number acknowledged, then for each writer the last number that the consumer has verified. One
/// thread writes each; any reads.
final class SoakMarks implements AutoCloseable {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final int writers;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment marks;

  private SoakMarks(int writers, Path file) throws IOException {
    this.writers = writers;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = (long) Long.BYTES * (1 + 2 * writers);
      this.marks = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  /// Opens the marks, all 0 where the file is new.
  static SoakMarks open(Path file, int writers) throws IOException {
    return new SoakMarks(writers, file);
  }

  int writers() {
    return writers;
  }

  /// The first LSN that must stay.
  long mark() {
    return get(0);
  }

  void mark(long lsn) {
    set(0, lsn);
  }

  long acknowledged(int writer) {
    return get(1 + writer);
  }

  void acknowledged(int writer, long number) {
    set(1 + writer, number);
  }

  long consumed(int writer) {
    return get(1 + writers + writer);
  }

  void consumed(int writer, long number) {
    set(1 + writers + writer, number);
  }

  /// The last numbers consumed, of each writer.
  long[] consumed() {
    long[] numbers = new long[writers];
    for (int i = 0; i < writers; i++) {
      numbers[i] = consumed(i);
    }
    return numbers;
  }

  private long get(int place) {
    return (long) LONG.getVolatile(marks, (long) place * Long.BYTES);
  }

  private void set(int place, long value) {
    LONG.setVolatile(marks, (long) place * Long.BYTES, value);
  }

  @Override
  public void close() {
    arena.close();
  }
}
