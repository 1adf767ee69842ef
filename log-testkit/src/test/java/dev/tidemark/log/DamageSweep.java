package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/// One flipped bit in each byte of what was acknowledged, in every segment of a closed log: it is
/// found, by whoever opens the log or by whoever reads, or it does no harm.
final class DamageSweep {
  private static final int HEADER_USED_BYTES = 64;
  private static final int RECORDS = 45;

  private final Seed seed;
  private final RandomGenerator random;
  private final CrashStorage storage = new CrashStorage();
  private final LogOptions options = TestRecords.smallSegments().build();

  DamageSweep(Seed seed) {
    this.seed = seed;
    this.random = seed.random();
  }

  /// Goes through all bytes; answers how many flips were found.
  ///
  /// @throws AssertionError if one brought out something wrong
  long run() {
    List<Read> written = write();
    long found = 0;
    for (String segment : storage.files()) {
      if (segment.endsWith(SegmentHeader.SUFFIX)) {
        for (int at : acknowledgedBytes(segment)) {
          found += isFound(segment, at, random.nextInt(8), written) ? 1 : 0;
        }
      }
    }
    return found;
  }

  /// What a reader gets of a record.
  private record Read(long lsn, long timeMs, ByteBuffer payload) {}

  private List<Read> write() {
    try (Log log = Log.open(storage, options)) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] payload = new byte[random.nextInt(200)];
        random.nextBytes(payload);
        log.write(payload);
      }
    }
    try (Log log = Log.open(storage, options)) {
      assertTrue(log.stats().segments() > 1);
      return read(log);
    }
  }

  private static List<Read> read(Log log) {
    List<Read> records = new ArrayList<>();
    for (LogRecord record : TestRecords.records(log)) {
      records.add(new Read(record.lsn(), record.timeMs(), ByteBuffer.wrap(record.payload())));
      assertEquals(ByteBuffer.wrap(record.payload()), ByteBuffer.wrap(log.read(record.position())));
    }
    return records;
  }

  /// The header's fields, a sample of its zeros, its CRC, and the frames.
  private List<Integer> acknowledgedBytes(String segment) {
    List<Integer> bytes = new ArrayList<>();
    for (int at = 0; at < SegmentHeader.BYTES; at++) {
      if (at < HEADER_USED_BYTES || at >= SegmentHeader.BYTES - 4 || random.nextInt(100) == 0) {
        bytes.add(at);
      }
    }
    for (FrameAt frame : new SegmentImage(storage.bytes(segment)).frames()) {
      for (int at = frame.offset(); at < frame.end(); at++) {
        bytes.add(at);
      }
    }
    return bytes;
  }

  private boolean isFound(String segment, int at, int bit, List<Read> written) {
    CrashStorage damaged = storage.crash();
    damaged.flipBit(segment, at, bit);
    SortedMap<String, ByteBuffer> before = damaged.image();
    String place = "bit %d of byte %d of %s, %s".formatted(bit, at, segment, seed);
    boolean opened = false;
    try (Log log = Log.open(damaged, options)) {
      opened = true;
      assertEquals(written, read(log), place);
      return false;
    } catch (CorruptLogException e) {
      assertEquals(segment, e.segment(), place);
      if (!opened) {
        assertEquals(before, damaged.image(), () -> "damage was changed: " + place);
      }
      return true;
    } finally {
      assertEquals(0, damaged.openHandles(), place);
    }
  }
}
