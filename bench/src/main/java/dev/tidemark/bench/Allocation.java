package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What a file holds before the plain loop writes to it: the loop's writes then meet blocks that
/// hold data, blocks that are set aside, or none at all.
enum Allocation {
  /// An empty file: each write makes it longer.
  NONE,
  /// A file of its full length without a block: each write has blocks found for it.
  SPARSE,
  /// A file whose blocks are set aside and were never written. Linux only.
  SET_ASIDE,
  /// A file full of zeros.
  ZERO_FILLED;

  /// As a row is named.
  String label() {
    return switch (this) {
      case NONE -> "none";
      case SPARSE -> "sparse";
      case SET_ASIDE -> "fallocate";
      case ZERO_FILLED -> "zero";
    };
  }

  /// Empties an existing file and lays it out, durably.
  void lay(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
      switch (this) {
        case NONE -> {}
        case SPARSE -> {
          channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
        case SET_ASIDE -> ForeignFile.setAside(file, bytes);
        case ZERO_FILLED -> zero(channel, bytes);
      }
      channel.force(true);
    }
  }

  private static void zero(FileChannel channel, long bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(1 << 20);
      for (long at = 0; at < bytes; at += zeros.byteSize()) {
        channel.write(zeros.asByteBuffer(), at);
      }
    }
  }
}
