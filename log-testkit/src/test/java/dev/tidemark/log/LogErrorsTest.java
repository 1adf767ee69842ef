package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.StorageOp;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every kind of error, as the table in [LogException] tells it: what happened, and what stayed.
class LogErrorsTest {
  private static final LogOptions OPTIONS =
      options().recordBytesMax(1000).batchBytesMax(5000).build();

  /// How each kind of error comes about.
  private static final Map<Class<? extends LogException>, Provoker> PROVOKERS =
      Map.of(
          InvalidRecordException.class, LogErrorsTest::oversize,
          LogClosedException.class, LogErrorsTest::closed,
          LogInterruptedException.class, storage -> interrupted(storage, ThreadKind.PLATFORM),
          LogFailedException.class, LogErrorsTest::failed,
          LogIoException.class, LogErrorsTest::refusedRead,
          LogLockedException.class, LogErrorsTest::locked,
          RecordNotFoundException.class, LogErrorsTest::trimmed,
          LogTruncatedException.class, LogErrorsTest::truncated,
          CorruptLogException.class, storage -> corrupt(),
          UnsupportedFormatException.class, storage -> newerFormat());

  private final CrashStorage storage = new CrashStorage();

  /// Makes the log throw on this storage, and answers what it threw.
  private interface Provoker {
    LogException provoke(CrashStorage storage) throws Exception;
  }

  /// A kind of error that is added needs its line above.
  @Test
  void everyKindOfErrorComesAboutAndSaysWhatHappened() throws Exception {
    Set<Class<?>> kinds = Set.of(LogException.class.getPermittedSubclasses());
    assertEquals(kinds, Set.copyOf(PROVOKERS.keySet()));
    for (Map.Entry<Class<? extends LogException>, Provoker> kind : PROVOKERS.entrySet()) {
      LogException thrown = kind.getValue().provoke(new CrashStorage());
      assertSame(kind.getKey(), thrown.getClass());
      assertTrue(String.valueOf(thrown.getMessage()).contains(" "), thrown::toString);
    }
  }

  private static LogException oversize(CrashStorage storage) {
    try (Log log = Log.open(storage, OPTIONS)) {
      return assertThrows(InvalidRecordException.class, () -> log.append(new byte[1001]));
    }
  }

  private static LogException closed(CrashStorage storage) {
    Log log = Log.open(storage, OPTIONS);
    log.close();
    return assertThrows(LogClosedException.class, () -> log.append(payload(1)));
  }

  private static LogInterruptedException interrupted(CrashStorage storage, ThreadKind kind)
      throws Exception {
    try (Log log = Log.open(storage, OPTIONS)) {
      Call<Long> leader;
      LogInterruptedException thrown;
      try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
        leader = kind.start(() -> log.write(payload(1)));
        gate.awaitEntered();
        Call<Boolean> waiter =
            kind.start(
                () -> {
                  LogInterruptedException e =
                      assertThrows(LogInterruptedException.class, () -> log.write(payload(2)));
                  if (!Thread.currentThread().isInterrupted()) {
                    throw new AssertionError("the interrupt status is lost");
                  }
                  throw e;
                });
        ThreadKind.await(() -> log.appendedLsn() == 2);
        ThreadKind.awaitParked(waiter.thread());
        waiter.thread().interrupt();
        thrown = assertThrows(LogInterruptedException.class, waiter::join);
        assertEquals(0, log.durableLsn(), "its outcome is still open");
      }
      leader.join();
      log.awaitDurable(thrown.lsn());
      assertHolds(log, 1, 2);
      return thrown;
    }
  }

  private static LogFailedException failed(CrashStorage storage) {
    Log log = Log.open(storage, OPTIONS);
    storage.faults().failOnce(StorageOp.SYNC, 1);
    LogFailedException thrown = assertThrows(LogFailedException.class, () -> log.write(payload(1)));
    log.close();
    return thrown;
  }

  private static LogException refusedRead(CrashStorage storage) {
    storage.faults().failOnce(StorageOp.LIST, 1);
    LogException thrown = assertThrows(LogIoException.class, () -> Log.open(storage, OPTIONS));
    assertTrue(thrown.getCause() instanceof InjectedFaultException);
    Log.open(storage, OPTIONS).close();
    return thrown;
  }

  private static LogException locked(CrashStorage storage) {
    try (Log log = Log.open(storage, OPTIONS)) {
      LogException thrown =
          assertThrows(LogLockedException.class, () -> Log.open(storage, OPTIONS));
      assertEquals(1, log.write(payload(1)), "the owner is not disturbed");
      return thrown;
    }
  }

  private static LogException trimmed(CrashStorage storage) {
    try (Log log = Log.open(storage, smallSegments().build())) {
      write(log, 1, 100);
      Position first = records(log).getFirst().position();
      log.trimBefore(50);
      assertThrows(RecordNotFoundException.class, () -> log.read(first));
      return assertThrows(RecordNotFoundException.class, () -> log.replay(1));
    }
  }

  private static LogException truncated(CrashStorage storage) {
    try (Log log = Log.open(storage, OPTIONS);
        Tail tail = log.tail(1)) {
      write(log, 1, 2);
      tail.next();
      tail.next();
      log.truncateAfter(1);
      return assertThrows(LogTruncatedException.class, tail::next);
    }
  }

  /// The first of three acknowledged records is damaged.
  private static LogException corrupt() {
    CrashStorage left = killedAfter(3, OPTIONS);
    left.flipBit(SegmentImage.fileName(1), SegmentHeader.BYTES + Frame.HEADER_BYTES + 20, 3);
    return assertRefusesAndChangesNothing(CorruptLogException.class, left);
  }

  private static LogException newerFormat() {
    CrashStorage left = closedAfter(3, OPTIONS);
    String name = SegmentImage.fileName(1);
    left.put(name, new SegmentImage(left.bytes(name)).withVersion(99).array());
    return assertRefusesAndChangesNothing(UnsupportedFormatException.class, left);
  }

  private static LogException assertRefusesAndChangesNothing(
      Class<? extends LogException> kind, CrashStorage left) {
    var before = left.image();
    LogException thrown = assertThrows(kind, () -> Log.open(left, OPTIONS));
    assertEquals(before, left.image());
    assertEquals(0, left.openHandles());
    return thrown;
  }

  @Test
  void whatIsTooLargeIsRejectedWithoutALsnAndWithoutAByte() {
    try (Log log = Log.open(storage, OPTIONS)) {
      write(log, 1, 1);
      storage.counts().reset();
      byte[] large = new byte[1001];
      assertThrows(InvalidRecordException.class, () -> log.write(large));
      assertThrows(InvalidRecordException.class, () -> log.writeAsync(large));
      assertThrows(InvalidRecordException.class, () -> log.append(ByteBuffer.wrap(large)));
      assertThrows(InvalidRecordException.class, () -> log.append(ByteBuffer.allocateDirect(1001)));
      assertThrows(InvalidRecordException.class, () -> log.writeBatch(List.of(payload(2), large)));
      List<byte[]> batch = Collections.nCopies(70, payload(2));
      assertThrows(InvalidRecordException.class, () -> log.writeBatch(batch));
      assertEquals(1, log.appendedLsn());
      assertEquals(0, storage.counts().of(StorageOp.WRITE));
      assertEquals(2, log.write(payload(2)));
      assertHolds(log, 1, 2);
    }
  }

  @Test
  void aBufferWhoseMemoryIsGoneTakesNoLsn() {
    ByteBuffer gone;
    try (Arena arena = Arena.ofShared()) {
      gone = arena.allocate(64).asByteBuffer();
    }
    try (Log log = Log.open(storage, OPTIONS)) {
      write(log, 1, 1);
      log.append(payload(2));
      assertThrows(IllegalStateException.class, () -> log.append(gone));
      write(log, 3, 3);
      assertHolds(log, 1, 3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedWriteBecomesDurableAllTheSame(ThreadKind kind) throws Exception {
    assertEquals(2, interrupted(storage, kind).lsn());
    try (Log log = Log.open(storage.crash(), OPTIONS)) {
      assertHolds(log, 1, 2);
    }
  }

  @Test
  void aFailureIsLatchedAndEveryCallerGetsOneOfHisOwn() {
    Log log = Log.open(storage, OPTIONS);
    write(log, 1, 2);
    storage.faults().failOnce(StorageOp.SYNC, 1);
    LogFailedException first =
        assertThrows(LogFailedException.class, () -> log.writeBatch(payloads(3, 7)));
    LogFailedException second = assertThrows(LogFailedException.class, log::sync);
    LogFailedException third = assertThrows(LogFailedException.class, () -> log.append(payload(8)));
    for (LogFailedException each : List.of(first, second, third)) {
      assertTrue(each.getCause() instanceof InjectedFaultException);
      assertSame(first.getCause(), each.getCause());
      assertEquals(2, each.durableLsn());
      assertEquals(7, each.appendedLsn());
      assertTrue(
          Arrays.stream(each.getStackTrace())
              .anyMatch(at -> at.getClassName().equals(LogErrorsTest.class.getName())),
          "the trace is its caller's");
    }
    assertNotSame(first, second);
    assertNotSame(second, third);
    log.close();
  }
}
