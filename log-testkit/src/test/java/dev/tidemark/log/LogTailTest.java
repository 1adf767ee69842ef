package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tails near the end of the log and far from it, beside rolls and trims, and at the log's close.
class LogTailTest {
  private static final LogOptions SMALL = smallSegments().build();

  private final CrashStorage storage = new CrashStorage();

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

  private long reads() {
    return storage.counts().of(StorageOp.READ);
  }

  @Test
  void aTailThatKeepsUpReadsNoFile() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 10);
      try (Tail tail = log.tail(11);
          Tail other = log.tail(11)) {
        storage.counts().reset();
        for (long lsn = 11; lsn <= 500; lsn += 2) {
          write(log, lsn, lsn);
          log.write(payload(lsn + 1));
          assertGives(tail, lsn, lsn + 1);
          assertGives(other, lsn, lsn + 1);
        }
        assertNull(tail.poll(Duration.ZERO));
        assertTrue(log.stats().rotations() > 10, "it went on over many segments");
        assertEquals(0, reads());
        assertEquals(0, storage.counts().of(StorageOp.SIZE));
      }
    }
  }

  @Test
  void aTailThatKeepsUpReadsNoFileWhereAnIdleLogWritesWitnesses() throws Exception {
    LogOptions options =
        LogOptions.builder().witnessDelay(Duration.ofMillis(1)).windowBytes(16 << 10).build();
    try (Log log = Log.open(storage, options);
        Tail tail = log.tail(1)) {
      storage.counts().reset();
      for (int lsn = 1; lsn <= 10; lsn++) {
        log.write(payload(lsn));
        int witnesses = lsn;
        ThreadKind.await(() -> log.stats().witnesses() >= witnesses);
        assertGives(tail, lsn, lsn);
      }
      assertEquals(0, reads());
    }
  }

  @Test
  void aTailThatFellBehindReadsChunksAndKeepsUpAgain() {
    LogOptions options = options().build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 100);
      try (Tail tail = log.tail(1)) {
        storage.counts().reset();
        assertGives(tail, 1, 100);
        assertTrue(reads() <= 2, "100 records of 12 KiB took " + reads() + " reads");
        // 3 MiB, of which 1 MiB is in memory.
        for (long lsn = 101; lsn <= 26_100; lsn += 100) {
          log.writeBatch(payloads(lsn, lsn + 99));
        }
        storage.counts().reset();
        assertGives(tail, 101, 26_100);
        assertTrue(reads() >= 5, "it was far behind");
        // A chunk holds 8 frames and a part of one.
        assertTrue(reads() <= 35, "26,000 records took " + reads() + " reads");
        storage.counts().reset();
        for (long lsn = 26_101; lsn <= 26_200; lsn++) {
          write(log, lsn, lsn);
          assertGives(tail, lsn, lsn);
        }
        assertEquals(0, reads());
      }
    }
  }

  @Test
  void aTailThatBeginsAtTheEndDoesNotReadWhatLiesBefore() {
    try (Log log = Log.open(storage, options().build())) {
      write(log, 1, 5000);
      storage.counts().reset();
      try (Tail tail = log.tail(5001);
          Replay replay = log.replay(5001)) {
        assertNull(tail.poll(Duration.ZERO));
        assertNull(replay.next());
        write(log, 5001, 5001);
        assertGives(tail, 5001, 5001);
      }
      assertEquals(0, reads());
    }
  }

  @Test
  void aFrameLargerThanEverythingInMemoryIsGivenAndTheNextOnesAreNear() {
    try (Log log = Log.open(storage, options().build());
        Tail tail = log.tail(1)) {
      byte[] large = new byte[3_000_000];
      large[2_999_999] = 7;
      log.write(large);
      assertArrayEquals(large, now(tail).toBytes());
      storage.counts().reset();
      write(log, 2, 50);
      assertGives(tail, 2, 50);
      assertEquals(0, reads());
    }
  }

  @Test
  void nothingIsShownBeforeItIsDurable() throws Exception {
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1)) {
      write(log, 1, 1);
      assertGives(tail, 1, 1);
      try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
        Call<Long> writer = ThreadKind.PLATFORM.start(() -> log.write(payload(2)));
        gate.awaitEntered();
        assertNull(tail.poll(Duration.ZERO));
        try (Tail late = log.tail(2);
            Replay replay = log.replay(2)) {
          assertNull(late.poll(Duration.ZERO));
          assertNull(replay.next());
        }
        gate.release();
        assertEquals(2, writer.join());
      }
      assertGives(tail, 2, 2);
    }
  }

  @Test
  void whatAFailedSyncLeavesIsNeverShown() {
    Log log = Log.open(storage, SMALL);
    try (Tail tail = log.tail(1)) {
      write(log, 1, 2);
      assertGives(tail, 1, 1);
      storage.faults().failOnce(StorageOp.SYNC, 1);
      assertThrows(LogFailedException.class, () -> log.write(payload(3)));
      assertGives(tail, 2, 2);
      assertThrows(LogFailedException.class, () -> tail.poll(Duration.ZERO));
      assertThrows(LogFailedException.class, tail::next);
    }
    log.close();
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aTailThatHasReadItsSegmentHoldsNoFile() throws Exception {
    try (Log log = Log.open(storage, SMALL);
        Tail idle = log.tail(1);
        Tail waiting = log.tail(1)) {
      write(log, 1, 40);
      assertGives(idle, 1, 40);
      assertGives(waiting, 1, 40);
      Call<Long> next =
          ThreadKind.PLATFORM.start(() -> Objects.requireNonNull(waiting.next()).lsn());
      ThreadKind.awaitParked(next.thread());
      int handles = storage.openHandles();
      assertTrue(log.stats().segments() == 2);
      log.trimBefore(41);
      assertEquals(1, log.stats().segments());
      assertTrue(storage.openHandles() < handles, "the files of trimmed segments are closed");
      write(log, 41, 41);
      assertEquals(41, next.join());
      assertGives(idle, 41, 41);
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aTailFarBehindGetsEverythingAfterTheLogWasClosed() {
    Tail behind;
    Tail begun;
    Tail done;
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      behind = log.tail(1);
      begun = log.tail(1);
      assertGives(begun, 1, 50);
      done = log.tail(101);
      write(log, 101, 200);
      assertGives(done, 101, 200);
    }
    assertGives(behind, 1, 200);
    assertNull(behind.next());
    assertGives(begun, 51, 200);
    assertNull(begun.next());
    assertNull(done.next());
    behind.close();
    begun.close();
    done.close();
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aTailWhoseRecordsWereTrimmedSaysSoAlsoAfterTheClose() {
    Tail tail;
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      tail = log.tail(1);
      assertGives(tail, 1, 33); // all of the first segment
      log.trimBefore(140);
      assertThrows(RecordNotFoundException.class, tail::next);
    }
    assertThrows(RecordNotFoundException.class, tail::next);
    tail.close();
    assertNull(tail.next());
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aClosedLogGivesNoTail() {
    Log log = Log.open(storage, SMALL);
    write(log, 1, 3);
    log.close();
    assertThrows(LogClosedException.class, () -> log.tail(1));
    assertEquals(0, storage.openHandles());
  }

  /// Tails of any pace beside a writer and trims: each gives every record once, in order and right,
  /// until it ends with the log or a trim overtakes it.
  @Test
  void tailsOfAnyPaceGiveEveryRecordInOrder() throws Exception {
    Seed seed = Seed.ofRun();
    try {
      for (int round = 0; round < 10; round++) {
        run(new SplittableRandom(seed.value() + round));
      }
    } catch (AssertionError | Exception e) {
      throw new AssertionError(seed.toString(), e);
    }
  }

  private static byte[] sized(long lsn) {
    byte[] bytes = new byte[(int) (lsn * 7919 % 331 == 0 ? lsn * 104_729 % 400_000 : lsn % 300)];
    if (bytes.length > 0) {
      bytes[0] = (byte) lsn;
      bytes[bytes.length - 1] = (byte) lsn;
    }
    return bytes;
  }

  private static void run(SplittableRandom random) throws Exception {
    CrashStorage storage = new CrashStorage();
    LogOptions options = options().segmentBytesMax((64L << 10) << random.nextInt(5)).build();
    List<Call<Long>> tails = new ArrayList<>();
    int last = 3000;
    try (Log log = Log.open(storage, options)) {
      for (int i = 0; i < 4; i++) {
        SplittableRandom pace = random.split();
        long pauseNanos = 1_000L << (3 * i);
        tails.add(ThreadKind.VIRTUAL.start(() -> follow(log, pace, pauseNanos)));
      }
      for (long lsn = 1; lsn <= last; ) {
        long batchEnd = Math.min(last, lsn + random.nextInt(30));
        List<byte[]> batch = new ArrayList<>();
        for (; lsn <= batchEnd; lsn++) {
          batch.add(sized(lsn));
        }
        log.writeBatch(batch);
        if (random.nextInt(20) == 0) {
          log.trimBefore(Math.max(1, lsn - 200));
        }
      }
    }
    for (Call<Long> tail : tails) {
      long end = tail.join();
      assertTrue(end == last || end < 0, "a tail ended behind LSN " + end);
    }
    assertEquals(0, storage.openHandles());
  }

  /// The last LSN seen; its negative if a trim came first.
  private static long follow(Log log, SplittableRandom pace, long pauseNanos) {
    long lsn = 0;
    try (Tail tail = log.tail(log.firstLsn())) {
      @Nullable RecordView record;
      while ((record = tail.next()) != null) {
        assertTrue(lsn == 0 || record.lsn() == lsn + 1, "LSN " + record.lsn() + " after " + lsn);
        lsn = record.lsn();
        assertArrayEquals(sized(lsn), record.toBytes());
        assertTrue(lsn <= log.durableLsn());
        if (pace.nextInt(16) == 0) {
          LockSupport.parkNanos(pauseNanos);
        }
      }
      return lsn;
    } catch (RecordNotFoundException | LogClosedException e) {
      return -lsn - 1;
    }
  }
}
