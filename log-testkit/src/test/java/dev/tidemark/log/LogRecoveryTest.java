package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.FRAME_BYTES;
import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.open;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// What opening makes of a log that was not closed: nothing acknowledged is lost, nothing that was
/// not is kept in part, and the log goes on.
class LogRecoveryTest {
  private static final String SEGMENT = SegmentImage.fileName(1);
  private static final LogOptions OPTIONS = options().build();

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// Records 1 to 3, and a last frame at `last`.
  private final byte[] killed = killedAfter(4, OPTIONS).bytes(SEGMENT);

  private final FrameAt last = new SegmentImage(killed).frames().getLast();

  @Test
  void aLastFrameCutAtAnyByteIsDroppedWhole() {
    assertEquals(4, last.firstLsn());
    for (int size = last.offset(); size < last.end(); size++) {
      assertLastIsDropped(Arrays.copyOf(killed, size));
    }
  }

  @Test
  void aLastFrameZeroedFromAnyByteIsDroppedWhole() {
    for (int from = last.offset(); from < last.end(); from++) {
      assertLastIsDropped(SegmentImage.zeroed(killed, from, last.end()));
    }
  }

  @Test
  void aLastFrameWithAnyByteZeroIsDroppedWhole() {
    for (int at = last.offset(); at < last.end(); at++) {
      if (killed[at] != 0) {
        assertLastIsDropped(SegmentImage.zeroed(killed, at, at + 1));
      }
    }
  }

  private void assertLastIsDropped(byte[] segment) {
    boolean bytesToDrop = false;
    for (int at = last.offset(); at < segment.length; at++) {
      bytesToDrop |= segment[at] != 0;
    }
    CrashStorage storage = new CrashStorage();
    storage.put(SEGMENT, segment);
    try (Log log = Log.open(storage, OPTIONS)) {
      assertHolds(log, 1, 3);
      if (bytesToDrop) {
        var torn = assertInstanceOf(RecoveryReport.TornTail.class, log.recovery());
        assertEquals(3, torn.lastLsn());
        assertEquals(3, torn.scannedRecords());
        assertEquals(SEGMENT, torn.segment());
        assertEquals(4096 + 3 * FRAME_BYTES, torn.offset());
        assertTrue(torn.droppedBytes() > 0 && torn.droppedBytes() <= FRAME_BYTES, torn::toString);
        byte[] medium = storage.crash().bytes(SEGMENT);
        for (int at = (int) torn.offset(); at < medium.length; at++) {
          assertEquals(0, medium[at], "torn bytes are overwritten before anything is accepted");
        }
      } else {
        assertEquals(new RecoveryReport.Unclosed(3, 1, 3), log.recovery());
      }
      assertEquals(4, log.write(payload(4)));
    }
    try (Log log = Log.open(storage.crash(), OPTIONS)) {
      assertEquals(new RecoveryReport.Clean(4, 1, 4), log.recovery());
      assertHolds(log, 1, 4);
    }
  }

  @Test
  void aBatchCutAtAnyByteIsDroppedWhole() {
    CrashStorage storage = new CrashStorage();
    byte[] segment;
    try (Log log = Log.open(storage, OPTIONS)) {
      write(log, 1, 2);
      log.writeBatch(payloads(3, 5));
      segment = storage.bytes(SEGMENT);
    }
    FrameAt batch = new SegmentImage(segment).frames().getLast();
    assertEquals(3, batch.records());
    for (int size = batch.offset(); size < batch.end(); size++) {
      CrashStorage torn = new CrashStorage();
      torn.put(SEGMENT, Arrays.copyOf(segment, size));
      try (Log log = Log.open(torn, OPTIONS)) {
        assertHolds(log, 1, 2);
      }
    }
  }

  @Test
  void aTornFirstFrameLeavesAnEmptyLog() {
    byte[] segment = killedAfter(1, OPTIONS).bytes(SEGMENT);
    CrashStorage storage = new CrashStorage();
    storage.put(SEGMENT, SegmentImage.zeroed(segment, 4096 + 60, 4096 + 64));
    try (Log log = Log.open(storage, OPTIONS)) {
      assertEquals(0, log.durableLsn());
      assertEquals(List.of(), records(log));
      assertInstanceOf(RecoveryReport.TornTail.class, log.recovery());
    }
    assertWorks(storage, OPTIONS, 1);
  }

  @Test
  void zerosBehindTheEndAreNotDamage() {
    for (int zeros : new int[] {1, 7, 8, 4095, 4096, 3 << 20}) {
      CrashStorage storage = closedAfter(3, OPTIONS);
      byte[] segment = storage.bytes(SEGMENT);
      storage.put(SEGMENT, Arrays.copyOf(segment, segment.length + zeros));
      try (Log log = Log.open(storage, OPTIONS)) {
        assertEquals(new RecoveryReport.Clean(3, 1, 3), log.recovery());
        assertHolds(log, 1, 3);
      }
      assertWorks(storage, OPTIONS, 4);
    }
  }

  @Test
  void garbageBehindTheEndIsDropped() {
    for (int round = 0; round < 50; round++) {
      CrashStorage storage = closedAfter(3, OPTIONS);
      int end = new SegmentImage(storage.bytes(SEGMENT)).frames().getLast().end();
      byte[] garbage = new byte[1 + random.nextInt(20_000)];
      random.nextBytes(garbage);
      garbage[garbage.length - 1] = 1;
      storage.overwrite(SEGMENT, end, garbage);
      try (Log log = Log.open(storage, OPTIONS)) {
        var expected = new RecoveryReport.TornTail(3, 1, 3, SEGMENT, end, garbage.length);
        assertEquals(expected, log.recovery(), seed::toString);
        assertHolds(log, 1, 3);
      }
      assertWorks(storage, OPTIONS, 4);
    }
  }

  @Test
  void framesOfAnotherSegmentBehindTheEndAreGarbage() {
    byte[] other = closedAfter(50, OPTIONS).bytes(SEGMENT);
    CrashStorage storage = closedAfter(3, OPTIONS);
    int end = new SegmentImage(storage.bytes(SEGMENT)).frames().getLast().end();
    // The other log's frames 5, 6, ... name durable LSNs above 3, but under its own salt.
    storage.overwrite(SEGMENT, end, Arrays.copyOfRange(other, 4096 + 4 * FRAME_BYTES, 8192));
    try (Log log = Log.open(storage, OPTIONS)) {
      assertInstanceOf(RecoveryReport.TornTail.class, log.recovery());
      assertHolds(log, 1, 3);
    }
    assertWorks(storage, OPTIONS, 4);
  }

  @Test
  void anEarlierFrameOfTheSegmentBehindTheEndIsGarbage() {
    CrashStorage storage = closedAfter(3, OPTIONS);
    byte[] segment = storage.bytes(SEGMENT);
    int end = new SegmentImage(segment).frames().getLast().end();
    storage.overwrite(SEGMENT, end, Arrays.copyOfRange(segment, 4096, 4096 + 3 * FRAME_BYTES));
    try (Log log = Log.open(storage, OPTIONS)) {
      assertInstanceOf(RecoveryReport.TornTail.class, log.recovery());
      assertHolds(log, 1, 3);
    }
    assertWorks(storage, OPTIONS, 4);
  }

  @Test
  void anUnknownFileIsLeftAlone() {
    CrashStorage storage = closedAfter(3, OPTIONS);
    storage.put("README", new byte[] {1, 2, 3});
    storage.put("1.seg", new byte[] {1, 2, 3});
    assertWorks(storage, OPTIONS, 4);
    assertArrayEquals(new byte[] {1, 2, 3}, storage.bytes("README"));
    assertArrayEquals(new byte[] {1, 2, 3}, storage.bytes("1.seg"));
  }

  @Test
  void aLeftoverTemporaryFileIsTakenAway() {
    for (long lsn : new long[] {1, 4, 99}) {
      CrashStorage storage = closedAfter(3, OPTIONS);
      String leftover = SegmentImage.fileName(lsn) + ".tmp";
      storage.put(leftover, new byte[] {1, 2, 3});
      try (Log log = Log.open(storage, OPTIONS)) {
        assertEquals(new RecoveryReport.Clean(3, 1, 3), log.recovery());
        assertEquals(List.of(SEGMENT), storage.files());
      }
      assertWorks(storage, OPTIONS, 4);
    }
  }

  @Test
  void aNewLogWhoseMakingWasCutOffIsMadeAgain() {
    CrashStorage storage = new CrashStorage();
    storage.put(SEGMENT + ".tmp", new byte[] {1, 2, 3});
    try (Log log = open(storage)) {
      assertInstanceOf(RecoveryReport.Created.class, log.recovery());
      assertEquals(List.of(SEGMENT), storage.files());
      write(log, 1, 2);
    }
  }

  @Test
  void aCrashAtAnyStepOfARotationLosesNothing() throws Exception {
    for (StorageOp op :
        List.of(
            StorageOp.WRITE,
            StorageOp.SYNC,
            StorageOp.CREATE,
            StorageOp.RENAME,
            StorageOp.SYNC_DIRECTORY)) {
      for (int round = 0; round < 20; round++) {
        crashInRotation(op);
      }
    }
  }

  private void crashInRotation(StorageOp op) throws Exception {
    CrashStorage storage = new CrashStorage();
    LogOptions options = smallSegments().build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 33);
      assertEquals(1, storage.files().size());
      try (Gate gate = storage.faults().pause(op)) {
        CompletableFuture<Long> pending = log.writeAsync(payload(34)).toCompletableFuture();
        gate.awaitEntered();
        CrashStorage left = random.nextBoolean() ? storage.crash(random) : storage.copy();
        try (Log recovered = Log.open(left, options)) {
          long lastLsn = recovered.durableLsn();
          assertTrue(lastLsn == 33 || lastLsn == 34, () -> op + " " + seed);
          assertHolds(recovered, 1, lastLsn);
        }
        gate.release();
        assertEquals(34, pending.get());
      }
    }
  }

  @Test
  void aSealWithoutAFollowingSegmentIsFollowedByOne() {
    LogOptions options = smallSegments().build();
    CrashStorage storage = closedAfter(60, options);
    String second = storage.files().get(1);
    long lastOfFirst = new SegmentImage(storage.bytes(SEGMENT)).frames().getLast().durableLsn();
    storage.remove(second);
    try (Log log = Log.open(storage, options)) {
      assertHolds(log, 1, lastOfFirst);
      assertEquals(2, storage.files().size());
      assertEquals(lastOfFirst + 1, log.write(payload(lastOfFirst + 1)));
    }
    try (Log log = Log.open(storage, options)) {
      assertHolds(log, 1, lastOfFirst + 1);
    }
  }

  /// A killed process leaves bytes that readers see and the medium does not have.
  @Test
  void whatRecoveryShowsIsDurable() throws Exception {
    CrashStorage storage = new CrashStorage();
    try (Log log = open(storage);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      CompletableFuture<Long> pending = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      CrashStorage killedStorage = storage.copy();
      try (Log recovered = open(killedStorage)) {
        assertHolds(recovered, 1, 1);
        try (Log again = open(killedStorage.crash())) {
          assertHolds(again, 1, 1);
        }
      }
      gate.release();
      assertEquals(1, pending.get());
    }
  }

  @Test
  void logTimeDoesNotFallWhenTheLastSegmentIsEmpty() {
    AtomicLong now = new AtomicLong(10_000);
    LogOptions options = options().clock(now::get).build();
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 3);
      log.trimBefore(4);
      storage = storage.copy();
    }
    now.set(5_000);
    try (Log log = Log.open(storage, options)) {
      log.write(payload(4));
      assertTrue(records(log).getFirst().timeMs() >= 10_000, () -> records(log).toString());
    }
  }

  @Test
  void anOpenLogIsRecoveredManyTimesOver() {
    CrashStorage storage = new CrashStorage();
    LogOptions options = smallSegments().build();
    for (int generation = 1; generation <= 100; generation++) {
      try (Log log = Log.open(storage, options)) {
        assertHolds(log, 1, generation - 1);
        write(log, generation, generation);
        storage = storage.copy();
      }
    }
  }

  @Test
  void aLogOpenedAndClosedWithoutWritesNeverWearsOut() {
    CrashStorage storage = new CrashStorage();
    LogOptions options = smallSegments().build();
    for (int i = 0; i < 300; i++) {
      Log.open(storage, options).close();
    }
    assertWorks(storage, options, 1);
    try (Log log = Log.open(storage, options)) {
      write(log, 2, 200);
      assertHolds(log, 1, 200);
    }
  }
}
