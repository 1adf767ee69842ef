package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.smallSegments;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Errors of the storage while a log is opened, and what opening costs.
class LogRecoveryFaultTest {
  private static final LogOptions SMALL = smallSegments().build();

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// A log of several segments with a torn tail and a leftover: there is something of everything.
  private static CrashStorage torn() {
    CrashStorage storage = closedAfter(120, SMALL);
    String last = storage.files().getLast();
    byte[] segment = storage.bytes(last);
    int end = new SegmentImage(segment).frames().getLast().end();
    storage.overwrite(last, end, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    storage.put(SegmentImage.fileName(500) + ".tmp", new byte[10]);
    return storage;
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"LOCK", "LIST", "OPEN", "READ", "SIZE"})
  void anErrorWhileLookingChangesNothing(StorageOp op) {
    CrashStorage storage = torn();
    var before = storage.image();
    boolean opened = false;
    for (int n = 1; !opened; n++) {
      storage.counts().reset();
      storage.faults().failOnce(op, n);
      try {
        Log.open(storage, SMALL).close();
        assertTrue(storage.counts().of(op) < n, "an error is never passed over");
        opened = true;
      } catch (LogIoException e) {
        assertInstanceOf(InjectedFaultException.class, e.getCause());
        assertEquals(before, storage.image(), op + " " + n);
        assertEquals(0, storage.openHandles(), op + " " + n);
      }
      storage.faults().clear();
      assertTrue(n < 100, "it opens once the fault is past");
    }
    assertWorks(storage, SMALL, 121);
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"WRITE", "SYNC", "DELETE", "SYNC_DIRECTORY"})
  void anErrorWhileMendingLosesNothing(StorageOp op) {
    boolean opened = false;
    for (int n = 1; !opened; n++) {
      CrashStorage storage = torn();
      storage.counts().reset();
      storage.faults().failOnce(op, n);
      try {
        Log log = Log.open(storage, SMALL);
        opened = storage.counts().of(op) < n;
        assertTrue(opened, () -> op + ": an error is never passed over");
        log.close();
      } catch (LogIoException e) {
        assertInstanceOf(InjectedFaultException.class, e.getCause());
        assertEquals(0, storage.openHandles(), op + " " + n);
      }
      storage.faults().clear();
      CrashStorage left = random.nextBoolean() ? storage.crash(random) : storage;
      try (Log log = Log.open(left, SMALL)) {
        assertHolds(log, 1, 120);
      }
      assertTrue(n < 100, "it opens once the fault is past");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY"})
  void anErrorWhileMakingANewLogLeavesOneThatCanBeOpened(StorageOp op) {
    CrashStorage storage = new CrashStorage();
    storage.faults().failOnce(op, 1);
    assertThrows(LogIoException.class, () -> Log.open(storage, SMALL).close());
    assertEquals(0, storage.openHandles());
    assertWorks(storage.crash(random), SMALL, 1);
    assertWorks(storage, SMALL, 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY"})
  void anErrorWhileASealIsFollowedByASegmentLeavesNoFileOpen(StorageOp op) {
    boolean opened = false;
    for (int n = 1; !opened; n++) {
      CrashStorage storage = closedAfter(60, SMALL);
      storage.remove(storage.files().getLast());
      storage.counts().reset();
      storage.faults().failOnce(op, n);
      try {
        Log log = Log.open(storage, SMALL);
        // A window that could not be filled is no error.
        opened = storage.counts().of(op) < n;
        log.close();
      } catch (LogIoException e) {
        assertEquals(0, storage.openHandles(), op + " " + n);
      }
      storage.faults().clear();
      assertWorks(storage.crash(random), SMALL, 34);
      assertTrue(n < 100);
    }
  }

  /// The kernel counts what a failed sync was to write as written: the next sync succeeds and does
  /// nothing. So what is read back after a failed sync may be in memory alone.
  @Test
  void whatIsFoundAfterAFailedSyncIsMadeDurableBeforeItIsShown() {
    CrashStorage storage = new CrashStorage();
    LogOptions options = options().build();
    try (Log log = Log.open(storage, options)) {
      TestRecords.write(log, 1, 2);
      storage.faults().failOnce(StorageOp.SYNC, 1);
      assertThrows(LogFailedException.class, () -> log.write(TestRecords.payload(3)));
    }
    try (Log log = Log.open(storage, options)) {
      long shown = log.durableLsn();
      assertHolds(log, 1, shown);
      try (Log again = Log.open(storage.crash(), options)) {
        assertHolds(again, 1, shown);
      }
      log.write(TestRecords.payload(shown + 1));
      try (Log again = Log.open(storage.crash(random), options)) {
        assertHolds(again, 1, shown + 1);
      }
    }
  }

  @Test
  void aThousandRecordsAreRecoveredInFiveReads() {
    for (boolean batched : new boolean[] {true, false}) {
      CrashStorage storage = new CrashStorage();
      try (Log log = Log.open(storage, LogOptions.defaults())) {
        if (batched) {
          log.writeBatch(TestRecords.payloads(1, 1000));
        } else {
          TestRecords.write(log, 1, 1000);
        }
        CrashStorage killed = storage.copy();
        try (Log recovered = Log.open(killed, LogOptions.defaults())) {
          assertEquals(1000, recovered.durableLsn());
          long reads = killed.counts().of(StorageOp.READ);
          assertTrue(reads <= 5, () -> reads + " reads");
        }
      }
    }
  }

  @Test
  void recoveryAllocatesNoMoreForMoreRecords() {
    CrashStorage few = closedAfter(10, LogOptions.defaults());
    CrashStorage many = closedAfter(2000, LogOptions.defaults());
    allocatedByOpening(many);
    allocatedByOpening(few);

    long forFew = allocatedByOpening(few);
    long forMany = allocatedByOpening(many);

    assertTrue(forMany < forFew + 4096, () -> forFew + " and " + forMany + " bytes");
  }

  /// The least of several times: other things may be allocated besides.
  private static long allocatedByOpening(CrashStorage storage) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 30; i++) {
      CrashStorage copy = storage.crash();
      long before = threads.getCurrentThreadAllocatedBytes();
      Log log = Log.open(copy, LogOptions.defaults());
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      log.close();
    }
    return least;
  }

  @Test
  void anErrorWhileReadingARecordIsToldAndPasses() {
    CrashStorage storage = closedAfter(120, SMALL);
    try (Log log = Log.open(storage, SMALL)) {
      List<LogRecord> records = TestRecords.records(log);
      storage.faults().failOnce(StorageOp.READ, 1);
      assertThrows(LogIoException.class, () -> log.read(records.get(50).position()));
      assertTrue(Arrays.equals(records.get(50).payload(), log.read(records.get(50).position())));
      storage.faults().failOnce(StorageOp.READ, 2);
      assertThrows(LogIoException.class, () -> TestRecords.records(log));
      assertHolds(log, 1, 120);
      assertEquals(121, log.write(TestRecords.payload(121)), "a read error fails no writer");
    }
  }
}
