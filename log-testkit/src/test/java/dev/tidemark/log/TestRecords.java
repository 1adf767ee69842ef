package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.testkit.CrashStorage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Records and logs that many tests need.
final class TestRecords {
  /// Without padding: a record of this payload makes a frame of 48 + 8 + 64 bytes.
  static final int PAYLOAD_BYTES = 64;

  static final int FRAME_BYTES = 120;

  private TestRecords() {}

  /// Small windows, no witness: everything on disk is of the caller's doing.
  static LogOptions.Builder options() {
    return LogOptions.builder().windowBytes(16 << 10).witnessDelay(Duration.ZERO);
  }

  /// As [#options], with segments that hold 33 records of [#payload].
  static LogOptions.Builder smallSegments() {
    return options().segmentBytesMax(8 << 10).windowBytes(8 << 10);
  }

  static Log open(Storage storage) {
    return Log.open(storage, options().build());
  }

  /// The payload that tests give the record `n`: its number, then bytes that are not zero.
  static byte[] payload(long n) {
    byte[] bytes = new byte[PAYLOAD_BYTES];
    Arrays.fill(bytes, (byte) (1 + n % 100));
    byte[] text = ("record " + n + " ").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, bytes, 0, text.length);
    return bytes;
  }

  static List<byte[]> payloads(long first, long last) {
    List<byte[]> payloads = new ArrayList<>();
    for (long n = first; n <= last; n++) {
      payloads.add(payload(n));
    }
    return payloads;
  }

  /// Writes [#payload] of each LSN from `first` to `last`, one group each.
  static void write(Log log, long first, long last) {
    for (long n = first; n <= last; n++) {
      assertEquals(n, log.write(payload(n)));
    }
  }

  /// What a killed process leaves that had written records 1 to `count` and was idle.
  static CrashStorage killedAfter(int count, LogOptions options) {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, count);
      return storage.copy();
    }
  }

  /// What a log of records 1 to `count` leaves that was closed in order.
  static CrashStorage closedAfter(int count, LogOptions options) {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, count);
    }
    return storage;
  }

  static List<LogRecord> records(Log log) {
    return records(log, log.firstLsn());
  }

  static List<LogRecord> records(Log log, long fromLsn) {
    List<LogRecord> records = new ArrayList<>();
    try (Replay replay = log.replay(fromLsn)) {
      for (RecordView record = replay.next(); record != null; record = replay.next()) {
        records.add(record.toRecord());
      }
    }
    return records;
  }

  /// That the log holds exactly [#payload] of each LSN from `first` to `last`.
  static void assertHolds(Log log, long first, long last) {
    List<LogRecord> records = records(log);
    assertEquals(first, log.firstLsn());
    assertEquals(last, log.durableLsn());
    assertEquals(last - first + 1, records.size());
    long lsn = first;
    for (LogRecord record : records) {
      assertEquals(lsn, record.lsn());
      assertArrayEquals(payload(lsn), record.payload());
      assertArrayEquals(payload(lsn), log.read(record.position()));
      lsn++;
    }
  }

  /// That the log takes a record, and still has it after a restart.
  static void assertWorks(Storage storage, LogOptions options, long nextLsn) {
    try (Log log = Log.open(storage, options)) {
      assertEquals(nextLsn, log.write(payload(nextLsn)));
    }
    try (Log log = Log.open(storage, options)) {
      assertHolds(log, log.firstLsn(), nextLsn);
    }
  }
}
