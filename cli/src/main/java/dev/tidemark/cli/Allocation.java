package dev.tidemark.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// How a file gets its space before it is written.
///
/// @param name for people
/// @param kind what is done
/// @param windowBytes how much is filled at once, for [Kind#WINDOWS]
record Allocation(String name, Kind kind, int windowBytes) {
  static final int FILE_BYTES = 16 << 20;
  private static final int BLOCK_BYTES = 1 << 20;

  enum Kind {
    /// Each write makes the file longer.
    NONE,
    /// It is long, and has no blocks.
    HOLES,
    /// It has blocks that were never written: the system's `fallocate`.
    ALLOCATED,
    /// It is filled with zeros a window ahead, while it is measured.
    WINDOWS,
    /// It was filled with zeros.
    FILLED,
    /// It was written with data: a file used again.
    RECYCLED
  }

  static List<Allocation> all() {
    return Stream.of(
            Stream.of(
                new Allocation("grows with each write", Kind.NONE, 0),
                new Allocation("holes", Kind.HOLES, 0),
                new Allocation("fallocate", Kind.ALLOCATED, 0)),
            Stream.of(64 << 10, 256 << 10, 1 << 20, 4 << 20)
                .map(
                    bytes ->
                        new Allocation("zeros by " + TextTable.size(bytes), Kind.WINDOWS, bytes)),
            Stream.of(
                new Allocation("zeros, whole file", Kind.FILLED, 0),
                new Allocation("recycled", Kind.RECYCLED, 0)))
        .flatMap(rows -> rows)
        .toList();
  }

  /// Tries it.
  boolean isPossible(Path file) throws InterruptedException {
    try {
      return kind != Kind.ALLOCATED || fallocate(file);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean fallocate(Path file) throws IOException, InterruptedException {
    return new ProcessBuilder(
                "fallocate", "-l", Integer.toString(FILE_BYTES), file.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  /// Makes the empty file ready, durably; not measured.
  void prepare(Path file, FileChannel channel) throws IOException, InterruptedException {
    channel.truncate(0);
    switch (kind) {
      case NONE, WINDOWS -> {
        // Nothing ahead.
      }
      case HOLES -> channel.write(ByteBuffer.allocate(1), FILE_BYTES - 1L);
      case ALLOCATED -> {
        if (!fallocate(file)) {
          throw new IOException("fallocate failed");
        }
      }
      case FILLED -> fill(channel, (byte) 0);
      case RECYCLED -> fill(channel, (byte) 7);
    }
    channel.force(true);
  }

  private static void fill(FileChannel channel, byte with) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    while (block.hasRemaining()) {
      block.put(with);
    }
    for (long at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
      channel.write(block.rewind(), at);
    }
  }
}
