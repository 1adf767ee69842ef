package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashExplorer.Promise;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.FaultKind;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Truncations that a power failure cuts off, or that meet an error, at each of their steps.
class LogTruncateFaultTest {
  /// 33 records a segment.
  private static final LogOptions SMALL = smallSegments().build();

  private static final int RECORDS = 120;

  private final Seed seed = Seed.ofRun();

  /// What a crash may leave: records 1 to some LSN from `lastMin` to `lastMax`, and no others.
  private record Prefix(long lastMin, long lastMax) implements Promise {
    @Override
    public Promise check(CrashStorage left) {
      long last;
      try (Log log = Log.open(left, SMALL)) {
        last = log.durableLsn();
        assertTrue(lastMin <= last && last <= lastMax, () -> last + " is not in " + this);
        assertHolds(log, 1, last);
      }
      assertFalse(left.files().stream().anyMatch(f -> f.endsWith(SegmentDirectory.UNFINISHED)));
      assertEquals(0, left.openHandles());
      return new Prefix(last, last);
    }
  }

  /// A log of four segments that is truncated.
  private static final class Truncated implements CrashExplorer.Subject {
    private final long lsn;
    private volatile Prefix promise = new Prefix(0, RECORDS);

    Truncated(long lsn) {
      this.lsn = lsn;
    }

    @Override
    public void work(CrashStorage storage) {
      try (Log log = Log.open(storage, SMALL)) {
        write(log, 1, RECORDS);
        promise = new Prefix(lsn, RECORDS);
        log.truncateAfter(lsn);
        // What was above may not come back, but for the record that is written next.
        promise = new Prefix(lsn, lsn + 1);
        log.write(payload(lsn + 1));
        promise = new Prefix(lsn + 1, lsn + 1);
      }
    }

    @Override
    public Promise promise() {
      return promise;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 20, 33, 34, 70, 99, 110})
  void aPowerFailureAtAnyStepLeavesAPrefixAndNothingComesBack(long lsn) throws Exception {
    new CrashExplorer(seed).exploreUntil(1, random -> new Truncated(lsn));
  }

  @ParameterizedTest
  @EnumSource
  void anErrorAtAnyStepRefusesOrFailsAndTheLogIsAPrefix(StorageOp op) {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    for (FaultKind kind : FaultKind.values()) {
      for (long lsn : new long[] {0, 50, 66}) {
        Outcome outcome = Outcome.FAILED;
        for (long nth = 1; outcome != Outcome.DONE; nth++) {
          outcome = truncateWithFault(op, kind, nth, lsn);
          outcomes.add(outcome);
        }
      }
    }
    switch (op) {
      case CREATE, READ -> assertEquals(EnumSet.of(Outcome.REFUSED, Outcome.DONE), outcomes);
      case REPLACE, DELETE, SYNC_DIRECTORY ->
          assertEquals(EnumSet.of(Outcome.FAILED, Outcome.DONE), outcomes);
      case WRITE, SYNC -> assertTrue(outcomes.contains(Outcome.REFUSED));
      default -> assertEquals(EnumSet.of(Outcome.DONE), outcomes);
    }
  }

  private enum Outcome {
    /// The fault came after it.
    DONE,
    /// Nothing was changed.
    REFUSED,
    /// The log has failed.
    FAILED
  }

  private static Outcome truncateWithFault(StorageOp op, FaultKind kind, long nth, long lsn) {
    CrashStorage storage = new CrashStorage();
    Outcome outcome;
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, RECORDS);
      storage.faults().failOnce(op, nth, kind);
      outcome = outcomeOf(log, lsn);
      storage.faults().clear();
      switch (outcome) {
        case DONE -> assertHolds(log, 1, lsn);
        case REFUSED -> {
          assertHolds(log, 1, RECORDS);
          log.truncateAfter(lsn);
          assertHolds(log, 1, lsn);
        }
        case FAILED -> assertFailed(log, lsn);
      }
    } catch (LogFailedException e) {
      // The close tells what nobody has been told.
      throw new AssertionError(e);
    }
    assertEquals(0, storage.openHandles());
    long lastMax = outcome == Outcome.FAILED ? RECORDS : lsn;
    new Prefix(lsn, lastMax).check(storage.copy());
    new Prefix(lsn, lastMax).check(storage.crash());
    try (Log log = Log.open(storage, SMALL)) {
      log.truncateAfter(lsn);
      assertHolds(log, 1, lsn);
    }
    assertWorks(storage, SMALL, lsn + 1);
    return outcome;
  }

  private static Outcome outcomeOf(Log log, long lsn) {
    try {
      log.truncateAfter(lsn);
      return Outcome.DONE;
    } catch (LogIoException e) {
      return Outcome.REFUSED;
    } catch (LogFailedException e) {
      assertEquals(lsn, e.durableLsn());
      assertEquals(RECORDS, e.appendedLsn());
      return Outcome.FAILED;
    }
  }

  /// It shows what is kept in any case, and no more.
  private static void assertFailed(Log log, long lsn) {
    assertThrows(LogFailedException.class, () -> log.append(payload(1)));
    assertThrows(LogFailedException.class, () -> log.awaitDurable(lsn + 1));
    assertThrows(LogFailedException.class, () -> log.truncateAfter(lsn));
    assertEquals(RECORDS, log.appendedLsn());
    assertHolds(log, 1, lsn);
  }

  @Test
  void aFailedTruncationCutsNoReaderLoose() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1);
        Tail beyond = log.tail(1)) {
      write(log, 1, 40);
      log.writeBatch(TestRecords.payloads(41, 60));
      for (int i = 0; i < 55; i++) {
        beyond.next();
      }
      storage.faults().failOnce(StorageOp.REPLACE, 1);
      assertThrows(LogFailedException.class, () -> log.truncateAfter(50));
      assertEquals(50, TestRecords.records(log).getLast().lsn());
      for (int lsn = 1; lsn <= 50; lsn++) {
        RecordView record = tail.next();
        assertTrue(record != null && record.lsn() == lsn);
      }
      assertThrows(LogFailedException.class, tail::next);
      assertThrows(LogFailedException.class, beyond::next);
    }
    assertEquals(0, storage.openHandles());
  }
}
