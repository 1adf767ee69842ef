package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;

/// What a log with one writer must hold if it ended now: its records are those submitted, from
/// first to last, and nothing else; acknowledged ones are there unless trimmed, batches are whole.
///
/// @param options of the log
/// @param submitted every record ever, LSN 1 first
/// @param firstMin the first LSN is this or a later one: a trim that has returned holds
/// @param firstMax the first LSN is this or an earlier one: nobody asked to trim more
/// @param lastMin the last LSN is this or a later one: so far it was acknowledged or shown
/// @param cut a truncation may have ended the log here, also within a batch
record LogPromise(
    LogOptions options,
    List<Submitted> submitted,
    long firstMin,
    long firstMax,
    long lastMin,
    long cut)
    implements CrashExplorer.Promise {
  /// The record that a check writes into what it has recovered.
  private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

  /// @param payload of the record
  /// @param batchEnd the LSN that its batch ends with
  record Submitted(ByteBuffer payload, long batchEnd) {}

  @Override
  public LogPromise check(CrashStorage left) {
    LogPromise shown;
    CrashStorage again;
    try (Log log = Log.open(left, options)) {
      shown = of(log);
      again = left.crash();
      assertEquals(shown.lastMin + 1, log.write(PROBE), "LSNs are dense");
    }
    assertEquals(0, left.openHandles(), "files are left open");
    shown.checkSecondOpen(again);
    return shown.withProbe();
  }

  /// That another open finds the same, finds nothing to mend, and changes no byte of a segment; it
  /// may make more space.
  private void checkSecondOpen(CrashStorage left) {
    SortedMap<String, ByteBuffer> before = left.image();
    try (Log log = Log.open(left, options)) {
      of(log);
      assertFalse(log.recovery() instanceof RecoveryReport.TornTail, "the tail is mended once");
      SortedMap<String, ByteBuffer> after = left.image();
      before.keySet().removeIf(name -> !name.endsWith(SegmentHeader.SUFFIX));
      before.forEach(
          (name, bytes) -> {
            ByteBuffer now = after.getOrDefault(name, ByteBuffer.allocate(0));
            int common = Math.min(bytes.limit(), now.limit());
            assertEquals(bytes, now.slice(0, common), "a second open changes " + name);
          });
    }
    assertEquals(0, left.openHandles(), "files are left open");
  }

  /// Holds an open log against the promise; answers the promise that it shows all that it does now.
  LogPromise of(Log log) {
    long first = log.firstLsn();
    long last = log.durableLsn();
    assertTrue(first >= firstMin, () -> "a trim was undone: " + first + ", " + firstMin);
    assertTrue(first <= firstMax, () -> "nobody trimmed up to " + first + ", but " + firstMax);
    assertTrue(last >= lastMin, () -> "acknowledged up to " + lastMin + ", found up to " + last);
    assertEquals(last, log.appendedLsn());
    assertEquals(last, log.recovery().lastLsn());
    List<LogRecord> records = TestRecords.records(log);
    assertEquals(last - first + 1, records.size(), "every LSN has a record");
    boolean probed = !records.isEmpty() && isProbe(records.getLast());
    long written = probed ? last - 1 : last;
    assertTrue(written <= submitted.size(), "a record that nobody wrote");
    if (written > 0 && written != cut) {
      assertEquals(written, submitted(written).batchEnd, "batches are whole");
    }
    long time = 0;
    long lsn = first;
    for (LogRecord record : records) {
      assertEquals(lsn, record.lsn(), "LSNs are dense");
      assertTrue(record.timeMs() >= time, "log time never falls");
      if (lsn <= written) {
        assertEquals(submitted(lsn).payload, ByteBuffer.wrap(record.payload()), "what was written");
      }
      assertArrayEquals(record.payload(), log.read(record.position()));
      time = record.timeMs();
      lsn++;
    }
    LogPromise shown =
        new LogPromise(options, endedAt(submitted, written), first, first, written, cut);
    return probed ? shown.withProbe() : shown;
  }

  /// The records up to an LSN; a batch that goes on behind it ends there.
  static List<Submitted> endedAt(List<Submitted> all, long lsn) {
    return all.subList(0, (int) lsn).stream()
        .map(s -> s.batchEnd > lsn ? new Submitted(s.payload, lsn) : s)
        .toList();
  }

  private LogPromise withProbe() {
    List<Submitted> longer = new ArrayList<>(submitted);
    long lsn = lastMin + 1;
    longer.add(new Submitted(ByteBuffer.wrap(PROBE), lsn));
    return new LogPromise(options, longer, firstMin, firstMax, lsn, cut);
  }

  private Submitted submitted(long lsn) {
    return submitted.get((int) lsn - 1);
  }

  private boolean isProbe(LogRecord record) {
    return Arrays.equals(PROBE, record.payload())
        && (record.lsn() > submitted.size()
            || !submitted(record.lsn()).payload.equals(ByteBuffer.wrap(PROBE)));
  }
}
