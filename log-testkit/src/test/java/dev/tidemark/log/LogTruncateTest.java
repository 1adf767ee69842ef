package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Truncation: where it may cut, what is there afterwards, and what those see who use the log
/// meanwhile.
class LogTruncateTest {
  /// 33 records a segment.
  private static final LogOptions SMALL = smallSegments().build();

  private final CrashStorage storage = new CrashStorage();

  /// Another payload than the one that the LSN had before.
  private static byte[] other(long lsn) {
    return payload(lsn + 10_000);
  }

  private static void writeOther(Log log, long first, long last) {
    for (long lsn = first; lsn <= last; lsn++) {
      assertEquals(lsn, log.write(other(lsn)));
    }
  }

  private static void assertTruncated(Log log, long lsn) {
    assertHolds(log, 1, lsn);
    assertEquals(lsn, log.appendedLsn());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 32, 33, 34, 35, 65, 66, 67, 99, 100, 101, 119})
  void whatLiesAboveIsGoneAndTheNextRecordTakesItsPlace(long lsn) {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 120);
      log.truncateAfter(lsn);
      assertTruncated(log, lsn);
      writeOther(log, lsn + 1, lsn + 150);
    }
    assertEquals(0, storage.openHandles());
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(lsn + 150, log.durableLsn());
      for (LogRecord record : records(log)) {
        byte[] expected = record.lsn() <= lsn ? payload(record.lsn()) : other(record.lsn());
        assertArrayEquals(expected, record.payload());
        assertArrayEquals(expected, log.read(record.position()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 33, 34, 66, 99, 100})
  void aTruncatedLogOpensAsItWas(long lsn) {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 120);
      log.truncateAfter(lsn);
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertInstanceOf(RecoveryReport.Clean.class, log.recovery());
      assertTruncated(log, lsn);
    }
    assertWorks(storage, SMALL, lsn + 1);
  }

  @Test
  void aBatchIsCutWhereItIsTold() {
    try (Log log = Log.open(storage, options().build())) {
      log.writeBatch(payloads(1, 10));
      log.writeBatch(payloads(11, 20));
      log.truncateAfter(15);
      assertTruncated(log, 15);
      log.truncateAfter(3);
      assertTruncated(log, 3);
    }
    assertWorks(storage, options().build(), 4);
  }

  @Test
  void whatIsNotThereIsRefusedAndNothingIsChanged() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 120);
      log.trimBefore(50);
      assertEquals(34, log.firstLsn());
      storage.counts().reset();
      assertThrows(InvalidRecordException.class, () -> log.truncateAfter(121));
      assertThrows(RecordNotFoundException.class, () -> log.truncateAfter(32));
      assertThrows(RecordNotFoundException.class, () -> log.truncateAfter(-1));
      log.truncateAfter(120);
      assertEquals(0, storage.counts().of(StorageOp.CREATE));
      assertHolds(log, 34, 120);
      log.truncateAfter(33);
      assertHolds(log, 34, 33);
      write(log, 34, 40);
      assertHolds(log, 34, 40);
    }
    Log closed = Log.open(storage, SMALL);
    closed.close();
    assertThrows(LogClosedException.class, () -> closed.truncateAfter(35));
  }

  @Test
  void anEmptyLogIsTruncatedToNothing() {
    try (Log log = Log.open(storage, SMALL)) {
      log.truncateAfter(0);
      assertThrows(InvalidRecordException.class, () -> log.truncateAfter(1));
    }
    assertWorks(storage, SMALL, 1);
  }

  @Test
  void whatWasAcceptedIsCommittedFirst() {
    try (Log log = Log.open(storage, options().build())) {
      write(log, 1, 5);
      log.appendBatch(payloads(6, 9));
      log.truncateAfter(7);
      assertTruncated(log, 7);
      assertThrows(InvalidRecordException.class, () -> log.awaitDurable(9));
      assertEquals(7, log.sync());
    }
  }

  @Test
  void manyRoundsLeaveWhatTheModelSays() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    List<byte[]> model = new ArrayList<>();
    Log log = Log.open(storage, SMALL);
    try {
      for (int round = 0; round < 150; round++) {
        for (int i = random.nextInt(40); i > 0; i--) {
          byte[] payload = new byte[random.nextInt(400)];
          random.nextBytes(payload);
          List<byte[]> batch =
              random.nextInt(3) == 0 ? List.of(payload, payload) : List.of(payload);
          model.addAll(batch);
          assertEquals(model.size(), log.writeBatch(batch).last(), seed::toString);
        }
        long lsn = (long) model.size() - random.nextInt(Math.min(model.size(), 60) + 1);
        log.truncateAfter(lsn);
        model.subList((int) lsn, model.size()).clear();
        if (random.nextInt(5) == 0) {
          log.close();
          log = Log.open(storage, SMALL);
        }
        assertModel(log, model, seed);
      }
    } finally {
      log.close();
    }
    assertEquals(0, storage.openHandles());
  }

  private static void assertModel(Log log, List<byte[]> model, Seed seed) {
    List<LogRecord> records = records(log);
    assertEquals(model.size(), records.size(), seed::toString);
    for (int i = 0; i < model.size(); i++) {
      assertArrayEquals(model.get(i), records.get(i).payload(), seed::toString);
      assertArrayEquals(model.get(i), log.read(records.get(i).position()), seed::toString);
    }
  }

  @Test
  void filesOnDiskAreTruncatedWithMappingsAndWithout(@TempDir Path directory) throws Exception {
    truncateOnDisk(FileStorage.at(directory.resolve("a")));
    truncateOnDisk(FileStorage.withoutNativeAccess(directory.resolve("b")));
  }

  private static void truncateOnDisk(FileStorage files) {
    try (Log log = Log.open(files, SMALL)) {
      write(log, 1, 120);
      List<LogRecord> before = records(log);
      before.forEach(record -> log.read(record.position())); // mapped now
      log.truncateAfter(50);
      assertTruncated(log, 50);
      for (LogRecord gone : before.subList(50, 120)) {
        assertThrows(RecordNotFoundException.class, () -> log.read(gone.position()));
      }
      writeOther(log, 51, 200);
      for (LogRecord record : before.subList(50, 120)) {
        assertNotStale(log, record);
      }
    }
    try (Log log = Log.open(files, SMALL)) {
      assertEquals(200, records(log).size());
    }
  }

  /// The position may name another record now, or none.
  private static void assertNotStale(Log log, LogRecord gone) {
    try {
      assertArrayEquals(other(gone.lsn()), log.read(gone.position()));
    } catch (RecordNotFoundException | CorruptLogException e) {
      // None.
    }
  }

  @Test
  void aReplayMadeBeforeGoesOnToItsEnd() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 120);
      try (Replay replay = log.replay(1)) {
        assertGives(replay, 1, 40);
        log.truncateAfter(20);
        writeOther(log, 21, 130);
        assertGives(replay, 41, 120);
        assertNull(replay.next());
      }
      assertEquals(log.stats().segments(), storage.openHandles());
    }
  }

  private static void assertGives(Replay replay, long first, long last) {
    for (long lsn = first; lsn <= last; lsn++) {
      RecordView record = Objects.requireNonNull(replay.next());
      assertEquals(lsn, record.lsn());
      assertArrayEquals(payload(lsn), record.toBytes());
    }
  }

  private static RecordView now(Tail tail) {
    return Objects.requireNonNull(tail.poll(Duration.ZERO), "a durable record is not shown");
  }

  private static void assertGives(Tail tail, long first, long last) {
    for (long lsn = first; lsn <= last; lsn++) {
      RecordView record = now(tail);
      assertEquals(lsn, record.lsn());
      assertArrayEquals(payload(lsn), record.toBytes());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 19, 20})
  void aTailThatHasGivenNothingAboveGoesOn(long given) {
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1);
        Replay holder = log.replay(1)) {
      log.writeBatch(payloads(1, 30));
      write(log, 31, 120);
      assertGives(tail, 1, given);
      log.truncateAfter(20);
      writeOther(log, 21, 130);
      assertGives(tail, given + 1, 20);
      for (long lsn = 21; lsn <= 130; lsn++) {
        assertArrayEquals(other(lsn), now(tail).toBytes());
      }
      assertNull(tail.poll(Duration.ZERO));
      assertNull(holder.next());
    }
    assertEquals(0, storage.openHandles());
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 29, 30, 31, 100, 120})
  void aTailThatHasGivenMoreIsToldAndNotLedOn(long given) {
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1)) {
      log.writeBatch(payloads(1, 30));
      write(log, 31, 120);
      assertGives(tail, 1, given);
      log.truncateAfter(20);
      assertGone(tail);
      writeOther(log, 21, 130);
      assertGone(tail);
    }
    assertEquals(0, storage.openHandles());
  }

  private static void assertGone(Tail tail) {
    LogTruncatedException e =
        assertThrows(LogTruncatedException.class, () -> tail.poll(Duration.ZERO));
    assertEquals(20, e.keptLsn());
  }

  @ParameterizedTest
  @EnumSource
  void aTailThatWaitsIsToldAtOnce(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1)) {
      write(log, 1, 30);
      assertGives(tail, 1, 30);
      Call<@Nullable RecordView> waiting = kind.start(tail::next);
      ThreadKind.awaitParked(waiting.thread());
      log.truncateAfter(20);
      assertThrows(LogTruncatedException.class, waiting::join);
    }
  }

  @Test
  void cursorsBeyondTheEndAreTakenBackToIt() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 60);
      log.cursor("behind").advance(10);
      log.cursor("beyond").advance(61);
      log.truncateAfter(40);
      assertEquals(10, log.cursor("behind").lsn());
      assertEquals(41, log.cursor("beyond").lsn());
      writeOther(log, 41, 80);
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(41, log.cursor("beyond").lsn());
    }
  }

  @Test
  void aTailStillGetsWhatIsKeptAfterTheLogWasClosed() {
    Log log = Log.open(storage, SMALL);
    write(log, 1, 120);
    try (Tail tail = log.tail(1);
        Tail lost = log.tail(1)) {
      assertGives(tail, 1, 5);
      assertGives(lost, 1, 70);
      log.truncateAfter(60);
      log.close();
      assertGives(tail, 6, 60);
      assertNull(tail.poll(Duration.ZERO));
      assertThrows(LogTruncatedException.class, () -> lost.poll(Duration.ZERO));
    }
    assertEquals(0, storage.openHandles());
  }

  @ParameterizedTest
  @EnumSource
  void whoAppendsMeanwhileComesAfterIt(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 30);
      Call<Long> writer;
      Call<Boolean> truncation;
      try (Gate gate = storage.faults().pause(StorageOp.REPLACE)) {
        truncation = kind.start(() -> truncated(log, 20));
        ThreadKind.await(() -> gate.waiting() > 0);
        writer = kind.start(() -> log.write(other(21)));
        ThreadKind.awaitParked(writer.thread());
      }
      assertTrue(truncation.join());
      assertEquals(21, writer.join());
      assertArrayEquals(other(21), records(log).getLast().payload());
    }
  }

  private static boolean truncated(Log log, long lsn) {
    log.truncateAfter(lsn);
    return true;
  }

  @Test
  void whoStillWaitsForATruncatedRecordIsTold() throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 30);
      CompletableFuture<Long> written;
      try (Gate gate = storage.faults().pause(StorageOp.REPLACE)) {
        Call<Boolean> truncation = ThreadKind.PLATFORM.start(() -> truncated(log, 20));
        ThreadKind.await(() -> gate.waiting() > 0);
        Call<Boolean> waiter =
            ThreadKind.PLATFORM.start(
                () -> {
                  log.awaitDurable(25);
                  return true;
                });
        ThreadKind.awaitParked(waiter.thread());
        gate.release();
        assertTrue(truncation.join());
        assertThrows(InvalidRecordException.class, waiter::join);
        written = log.writeAsync(other(21)).toCompletableFuture();
      }
      assertEquals(21, written.join());
    }
  }

  /// Each writer notes what it was told; afterwards every note holds, or lies above a truncation
  /// that came later.
  @ParameterizedTest
  @EnumSource
  void noWriterIsToldOfARecordThatIsNotThere(ThreadKind kind) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Log log = Log.open(storage, SMALL)) {
      List<Call<Integer>> writers = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        int n = writer;
        writers.add(kind.start(() -> writeUntil(log, n, over)));
      }
      for (int round = 0; round < 60; round++) {
        long seen = log.appendedLsn();
        ThreadKind.await(() -> log.appendedLsn() > seen + 10);
        log.truncateAfter(Math.max(0, log.durableLsn() - 15));
      }
      over.set(true);
      for (Call<Integer> writer : writers) {
        assertTrue(writer.join() > 0);
      }
      assertEquals(log.durableLsn(), records(log).size());
    }
    assertEquals(0, storage.openHandles());
  }

  private static int writeUntil(Log log, int writer, AtomicBoolean over) {
    int written = 0;
    while (!over.get()) {
      byte[] payload = payload(1_000_000L * writer + written);
      try {
        switch (written % 3) {
          case 0 -> log.write(payload);
          case 1 -> log.writeBatch(List.of(payload, payload));
          default -> log.writeAsync(payload).toCompletableFuture().join();
        }
      } catch (LogTruncatedException e) {
        // It was durable, and was truncated before this thread came to know.
      } catch (CompletionException e) {
        assertInstanceOf(LogTruncatedException.class, e.getCause());
      }
      written++;
    }
    return written;
  }
}
