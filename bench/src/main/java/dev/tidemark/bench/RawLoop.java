package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// What the log is measured against: one thread that writes a block at the next position of a
/// zero-filled file of its own and makes it durable, and again; and one that reads at given
/// positions. No checksum, no lock, no second thread, no growth of the file.
///
/// Used by one thread.
final class RawLoop implements AutoCloseable {
  /// The file's size: enough for a few seconds of small blocks; larger ones start over.
  static final int FILE_BYTES = 64 << 20;

  /// The largest block.
  static final int BLOCK_BYTES_MAX = 128 << 10;

  private static final int READS_BETWEEN_LOOKS = 256;

  private final RawFile.Access access;
  private final RawFile file;
  private long offset;
  private long writes;
  private long syncs;

  private RawLoop(RawFile.Access access, RawFile file) {
    this.access = access;
    this.file = file;
  }

  /// Fills the file with zeros and makes them durable, for the loops to come.
  static void prepare(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      MemorySegment zeros = arena.allocate(1 << 20);
      for (long at = 0; at < FILE_BYTES; at += zeros.byteSize()) {
        channel.write(zeros.asByteBuffer(), at);
      }
      channel.force(true);
    }
  }

  /// A loop over a prepared file.
  static RawLoop open(Path file, RawFile.Access access) throws IOException {
    MemorySegment block = Arena.ofAuto().allocate(BLOCK_BYTES_MAX, 4096);
    block.fill((byte) 0x5A);
    return new RawLoop(access, access.open(file, block));
  }

  /// Tries each way to the file with `work`, thrice and in turn, and opens the fastest.
  static RawLoop fastest(Path file, Duration trial, Function<RawLoop, Work> work) throws Exception {
    List<RawFile.Access> ways = new ArrayList<>(List.of(RawFile.Access.CHANNEL));
    if (ForeignFile.available()) {
      ways.addFirst(RawFile.Access.FOREIGN);
    }
    RawFile.Access best = ways.getFirst();
    if (ways.size() > 1) {
      try (RawLoop foreign = open(file, RawFile.Access.FOREIGN);
          RawLoop channel = open(file, RawFile.Access.CHANNEL)) {
        Rounds.Pairs pairs =
            new Rounds(3, trial, trial).inTurn(work.apply(channel), work.apply(foreign));
        best = pairs.ratios().median() >= 1 ? RawFile.Access.FOREIGN : RawFile.Access.CHANNEL;
      }
    }
    return open(file, best);
  }

  /// How it reaches the file.
  RawFile.Access access() {
    return access;
  }

  /// Write calls so far.
  long writes() {
    return writes;
  }

  /// Data syncs so far.
  long syncs() {
    return syncs;
  }

  /// Durable writes of blocks of this size, each behind the last, a data sync after each.
  Work writesOf(int blockBytes) {
    if (blockBytes < 1 || blockBytes > BLOCK_BYTES_MAX) {
      throw new IllegalArgumentException("a block of " + blockBytes + " bytes");
    }
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        writeOne(blockBytes);
        done++;
        now = System.nanoTime();
      } while (now - end < 0);
      return done * 1e9 / (now - start);
    };
  }

  /// Reads of this size at these offsets, one after the other and from the start again.
  Work readsOf(int bytes, long[] offsets) {
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      int next = 0;
      do {
        for (int i = 0; i < READS_BETWEEN_LOOKS; i++) {
          file.read(bytes, offsets[next]);
          next = next + 1 == offsets.length ? 0 : next + 1;
        }
        done += READS_BETWEEN_LOOKS;
        now = System.nanoTime();
      } while (now - end < 0);
      return done * 1e9 / (now - start);
    };
  }

  private void writeOne(int blockBytes) throws IOException {
    if (offset + blockBytes > FILE_BYTES) {
      offset = 0;
    }
    file.write(blockBytes, offset);
    writes++;
    offset += blockBytes;
    file.sync();
    syncs++;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
