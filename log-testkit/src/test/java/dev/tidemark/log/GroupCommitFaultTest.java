package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A write or sync that fails once: everyone is told, nothing becomes visible, and no later success
/// is reported until the log is opened again.
class GroupCommitFaultTest {
  private static final int WRITERS = 20;
  private static final LogOptions OPTIONS = options().windowBytes(1 << 20).build();

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();
  private final CrashStorage storage = new CrashStorage();

  @ParameterizedTest
  @EnumSource
  void aFailedSyncIsToldToEveryWaiterAndShowsNothing(ThreadKind kind) throws Exception {
    assertFailureIsTold(kind, StorageOp.SYNC);
  }

  @ParameterizedTest
  @EnumSource
  void aFailedWriteIsToldToEveryWaiterAndShowsNothing(ThreadKind kind) throws Exception {
    assertFailureIsTold(kind, StorageOp.WRITE);
  }

  private void assertFailureIsTold(ThreadKind kind, StorageOp op) throws Exception {
    Log log = Log.open(storage, OPTIONS);
    write(log, 1, 3);
    Tail tail = log.tail(4);
    Call<Object> reader = kind.start(() -> String.valueOf(tail.next()));
    storage.faults().failOnce(op, 1);
    List<CompletableFuture<Long>> stages = new ArrayList<>();
    List<Call<Long>> writers = new ArrayList<>();
    try (Gate gate = storage.faults().pause(op)) {
      writers.add(kind.start(() -> log.write(payload(7))));
      gate.awaitEntered();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(kind.start(() -> log.writeBatch(payloads(1, 2)).last()));
        stages.add(log.writeAsync(payload(7)).toCompletableFuture());
      }
      ThreadKind.await(() -> log.appendedLsn() == 4 + 3 * WRITERS);
    }

    for (Call<Long> writer : writers) {
      LogFailedException failed = assertThrows(LogFailedException.class, writer::join);
      assertInstanceOf(InjectedFaultException.class, failed.getCause());
      assertEquals(3, failed.durableLsn());
      assertTrue(failed.appendedLsn() >= 4);
    }
    for (CompletableFuture<Long> stage : stages) {
      var failed = assertThrows(CompletionException.class, stage::join);
      assertInstanceOf(LogFailedException.class, failed.getCause());
    }
    assertThrows(LogFailedException.class, reader::join);
    assertRefuses(log);
    assertHolds(log, 1, 3);
    tail.close();
    log.close();
    assertEquals(0, storage.openHandles());
    assertReopens(4 + 3 * WRITERS);
  }

  /// The storage works again; the log does not until it is opened anew.
  private static void assertRefuses(Log log) {
    for (int i = 0; i < 3; i++) {
      assertThrows(LogFailedException.class, () -> log.append(payload(7)));
      assertThrows(LogFailedException.class, () -> log.write(payload(7)));
      assertThrows(LogFailedException.class, () -> log.writeBatch(payloads(1, 2)));
      assertThrows(LogFailedException.class, log::sync);
      assertThrows(LogFailedException.class, () -> log.awaitDurable(log.appendedLsn()));
      try {
        var stage = log.writeAsync(payload(7)).toCompletableFuture();
        var failed = assertThrows(CompletionException.class, stage::join);
        assertInstanceOf(LogFailedException.class, failed.getCause());
      } catch (LogFailedException atOnce) {
        assertInstanceOf(InjectedFaultException.class, atOnce.getCause());
      }
    }
  }

  private void assertReopens(long appendedLsn) {
    CrashStorage left = random.nextBoolean() ? storage.crash(random) : storage.copy();
    try (Log log = Log.open(left, OPTIONS)) {
      long lastLsn = log.durableLsn();
      assertTrue(lastLsn >= 3 && lastLsn <= appendedLsn, seed::toString);
      assertEquals(lastLsn, records(log).size(), seed::toString);
      assertEquals(lastLsn + 1, log.write(payload(7)), seed::toString);
    }
  }

  @Test
  void aTornWriteIsDroppedByTheNextOpen() {
    for (int bytes = 0; bytes <= TestRecords.FRAME_BYTES; bytes++) {
      CrashStorage fresh = new CrashStorage();
      try (Log log = Log.open(fresh, OPTIONS)) {
        write(log, 1, 3);
        fresh.faults().tearOnce(1, bytes);
        assertThrows(LogFailedException.class, () -> log.write(payload(4)));
      }
      try (Log log = Log.open(fresh, OPTIONS)) {
        long lastLsn = bytes < TestRecords.FRAME_BYTES ? 3 : 4;
        assertHolds(log, 1, lastLsn);
        write(log, lastLsn + 1, 6);
      }
      assertWorks(fresh, OPTIONS, 7);
    }
  }

  @Test
  void aFailureOfTheFirstGroupLeavesAnEmptyLogThatCanBeOpened() {
    Log log = Log.open(storage, OPTIONS);
    storage.faults().failOnce(StorageOp.WRITE, 1);
    assertThrows(LogFailedException.class, () -> log.write(payload(1)));
    assertEquals(0, log.durableLsn());
    log.close();
    assertWorks(storage, OPTIONS, 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"WRITE", "SYNC", "CREATE", "RENAME", "SYNC_DIRECTORY"})
  void aFailureAtAnyStepOfARotationIsToldAndLosesNothing(StorageOp op) {
    boolean passed = false;
    for (int nth = 1; !passed; nth++) {
      CrashStorage fresh = new CrashStorage();
      LogOptions options = smallSegments().build();
      long acknowledged = 33;
      try (Log log = Log.open(fresh, options)) {
        write(log, 1, 33);
        fresh.counts().reset();
        fresh.faults().failOnce(op, nth);
        try {
          acknowledged = log.write(payload(34));
          assertEquals(2, log.stats().segments());
          passed = fresh.counts().of(op) < nth;
        } catch (LogFailedException e) {
          assertInstanceOf(InjectedFaultException.class, e.getCause());
          assertThrows(LogFailedException.class, () -> log.write(payload(34)));
          assertHolds(log, 1, 33);
        }
      }
      assertEquals(0, fresh.openHandles(), op + " " + nth);
      CrashStorage left = random.nextBoolean() ? fresh.crash(random) : fresh.copy();
      try (Log log = Log.open(left, options)) {
        long lastLsn = log.durableLsn();
        assertTrue(lastLsn >= acknowledged && lastLsn <= 34, op + " " + nth + " " + seed);
        assertHolds(log, 1, lastLsn);
        write(log, lastLsn + 1, 100);
        assertHolds(log, 1, 100);
      }
      assertTrue(nth < 20);
    }
  }

  /// A window that cannot be filled fails no write: the frame itself finds room or does not.
  @Test
  void aWindowThatCannotBeFilledFailsNoWrite() {
    LogOptions options = options().windowBytes(4096).build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 34);
      storage.counts().reset();
      storage.faults().failOnce(StorageOp.WRITE, 1);
      write(log, 35, 35);
      assertEquals(2, storage.counts().of(StorageOp.WRITE), "the zeros, then the frame");
      write(log, 36, 200);
      assertHolds(log, 1, 200);
    }
    assertWorks(storage.crash(), options, 201);
  }

  @Test
  void aFailedWitnessFailsTheLogAndLosesNothing() throws Exception {
    LogOptions idle = options().witnessDelay(Duration.ofMillis(1)).build();
    Log log = Log.open(storage, idle);
    write(log, 1, 3);
    ThreadKind.await(() -> log.stats().witnesses() == 1);
    try (Gate gate = storage.faults().pause(StorageOp.WRITE)) {
      CompletableFuture<Long> pending = log.writeAsync(payload(4)).toCompletableFuture();
      gate.awaitEntered();
      storage.faults().failOnce(StorageOp.SYNC, 2);
      gate.release();
      assertEquals(4, pending.get());
    }
    try (Tail tail = log.tail(5)) {
      assertThrows(LogFailedException.class, tail::next);
    }
    assertThrows(LogFailedException.class, () -> log.append(payload(5)));
    assertEquals(4, log.durableLsn());
    assertHolds(log, 1, 4);
    log.close();
    try (Log reopened = Log.open(storage.crash(random), idle)) {
      assertHolds(reopened, 1, 4);
    }
  }

  @Test
  void aFailedCloseFrameLosesNothing() {
    for (StorageOp op : List.of(StorageOp.WRITE, StorageOp.SYNC)) {
      CrashStorage fresh = new CrashStorage();
      Log log = Log.open(fresh, OPTIONS);
      write(log, 1, 3);
      fresh.faults().failOnce(op, 1);
      try {
        log.close();
      } catch (LogException e) {
        // It may say so; what was acknowledged is durable either way.
        assertInstanceOf(InjectedFaultException.class, e.getCause());
      }
      assertEquals(0, fresh.openHandles());
      try (Log reopened = Log.open(fresh.crash(random), OPTIONS)) {
        assertHolds(reopened, 1, 3);
      }
      assertWorks(fresh, OPTIONS, 4);
    }
  }

  /// Records that were accepted and that nobody waits for must not vanish without a word.
  @Test
  void closeTellsWhenAcceptedRecordsCouldNotBeMadeDurable() {
    Log log = Log.open(storage, OPTIONS);
    storage.faults().failOnce(StorageOp.SYNC, 1);
    log.append(payload(1));
    assertThrows(LogFailedException.class, log::close);
    assertEquals(0, storage.openHandles());
    Log.open(storage, OPTIONS).close();
  }
}
