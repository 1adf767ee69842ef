package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;

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

  private final Path path;
  private final RawFile.Access access;
  private final RawFile file;
  private final MemorySegment block;
  private long offset;

  /// Keeps the checksum from being left out as useless.
  @SuppressWarnings("UnusedVariable")
  private volatile long scanned;

  private long writes;
  private long syncs;

  private RawLoop(Path path, RawFile.Access access, RawFile file, MemorySegment block) {
    this.block = block;
    this.path = path;
    this.access = access;
    this.file = file;
  }

  /// Makes the file, full of zeros that are durable, for the loops to come.
  static void prepare(Path file) throws IOException {
    Files.createFile(file);
    Allocation.ZERO_FILLED.lay(file, FILE_BYTES);
  }

  /// A loop over a prepared file.
  static RawLoop open(Path file, RawFile.Access access) throws IOException {
    MemorySegment block = Arena.ofAuto().allocate(BLOCK_BYTES_MAX, 4096);
    block.fill((byte) 0x5A);
    return new RawLoop(file, access, access.open(file, block), block);
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
    return length -> timed(length, () -> writeOne(blockBytes));
  }

  /// As [#writesOf], onto a file that is laid out anew before each measurement, and again whenever
  /// it is full.
  Work writesOnto(Allocation allocation, int blockBytes) {
    return length -> {
      allocation.lay(path, FILE_BYTES);
      offset = 0;
      return timed(
          length,
          () -> {
            if (offset + blockBytes > FILE_BYTES) {
              allocation.lay(path, FILE_BYTES);
            }
            writeOne(blockBytes);
          });
    };
  }

  /// As [#writesOf], with the time that each write took.
  Trial latenciesOf(int blockBytes) {
    return Latencies.of(() -> writeOne(blockBytes), () -> {});
  }

  /// As [#writesOnto], with the time that each write took; laying the file out anew is not part of
  /// any.
  Trial latenciesOnto(Allocation allocation, int blockBytes) {
    Trial writes =
        Latencies.of(
            () -> writeOne(blockBytes),
            () -> {
              if (offset + blockBytes > FILE_BYTES) {
                allocation.lay(path, FILE_BYTES);
              }
            });
    return length -> {
      allocation.lay(path, FILE_BYTES);
      offset = 0;
      return writes.figures(length);
    };
  }

  /// Writes of one block in place, each followed by a data sync: so many in one go, and that again
  /// and again. The rate is of the goes.
  Work goesOf(int writes, int blockBytes) {
    return length ->
        timed(
            length,
            () -> {
              for (int i = 0; i < writes; i++) {
                writeOne(blockBytes);
              }
            });
  }

  /// Data syncs with nothing to make durable.
  Work idleSyncs() {
    return length -> timed(length, file::sync);
  }

  /// Reads of the file from its start in large pieces, with one CRC-32C over all: the least that a
  /// verified replay can do. The rate is of records of [LogWork#RECORD_BYTES], which `records` of
  /// them take.
  Work scansOf(int records) {
    long bytes = Math.min((long) records * LogWork.RECORD_BYTES, FILE_BYTES);
    return length -> timed(length, () -> scan(bytes)) * bytes / LogWork.RECORD_BYTES;
  }

  private void scan(long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < bytes; at += BLOCK_BYTES_MAX) {
      int piece = (int) Math.min(BLOCK_BYTES_MAX, bytes - at);
      file.read(piece, at);
      crc.update(block.asSlice(0, piece).asByteBuffer());
    }
    scanned = crc.getValue();
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

  @FunctionalInterface
  private interface Step {
    void once() throws IOException;
  }

  private static double timed(Duration length, Step step) throws IOException {
    long start = System.nanoTime();
    long end = start + length.toNanos();
    long done = 0;
    long now;
    do {
      step.once();
      done++;
      now = System.nanoTime();
    } while (now - end < 0);
    return done * 1e9 / (now - start);
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
