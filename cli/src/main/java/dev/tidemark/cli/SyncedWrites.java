package dev.tidemark.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// One figure of `bench-sync`: writes that follow each other in a file, each with a data sync.
final class SyncedWrites {
  private SyncedWrites() {}

  /// How many a second. It goes on for the time given, over files that are made ready as
  /// `allocation` says; making them ready is not timed, but filling windows is.
  static double rate(Path file, Allocation allocation, int writeBytes, Duration time)
      throws IOException, InterruptedException {
    ByteBuffer data = ByteBuffer.allocateDirect(writeBytes);
    while (data.hasRemaining()) {
      data.put((byte) 1);
    }
    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.max(1, allocation.windowBytes()));
    long nanos = 0;
    long writes = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      while (nanos < time.toNanos()) {
        allocation.prepare(file, channel);
        long filled = 0;
        long since = System.nanoTime();
        long at = 0;
        while (at + writeBytes <= Allocation.FILE_BYTES
            && nanos + System.nanoTime() - since < time.toNanos()) {
          if (allocation.windowBytes() > 0 && at + writeBytes > filled) {
            channel.write(zeros.rewind(), filled);
            filled += allocation.windowBytes();
          }
          channel.write(data.rewind(), at);
          channel.force(false);
          at += writeBytes;
          writes++;
        }
        nanos += System.nanoTime() - since;
      }
    }
    return writes * 1e9 / nanos;
  }
}
