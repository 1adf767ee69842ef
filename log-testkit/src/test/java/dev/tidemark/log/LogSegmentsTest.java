package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Rotation and trimming.
class LogSegmentsTest {
  private static final LogOptions SMALL = smallSegments().build();

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();
  private final CrashStorage storage = new CrashStorage();

  @Test
  void segmentsAreFinishedAtTheirSize() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 1000);
      assertEquals(1000 / 33 + 1, log.stats().segments());
      assertEquals(1000 / 33, log.stats().rotations());
      for (String name : storage.files()) {
        int size = storage.bytes(name).length;
        assertTrue(size <= 8192, () -> name + " has " + size + " bytes");
      }
      assertHolds(log, 1, 1000);
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 1000);
      write(log, 1001, 1100);
      assertHolds(log, 1, 1100);
    }
  }

  @Test
  void aSegmentGoesOnWhereTheLastOpenLeftIt() {
    for (int n = 1; n <= 50; n++) {
      try (Log log = Log.open(storage, SMALL)) {
        write(log, n, n);
      }
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 50);
      assertEquals(3, log.stats().segments(), "a record and a close take 168 bytes");
    }
    FrameAt seal = new SegmentImage(storage.bytes(SegmentImage.fileName(1))).frames().getLast();
    SegmentImage first = new SegmentImage(storage.bytes(SegmentImage.fileName(1)));
    assertEquals(SegmentImage.KIND_SEAL, seal.kind());
    assertEquals(seal.durableLsn(), first.getLong(seal.bodyOffset() + 8), "records");
    assertEquals(first.frames().size() - 1, first.getLong(seal.bodyOffset() + 16), "frames");
    assertEquals(64 * seal.durableLsn(), first.getLong(seal.bodyOffset() + 24), "payload");
  }

  @Test
  void anOversizedBatchIsWrittenWholeAndItsSegmentThenFinished() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 5);
      assertEquals(new LsnRange(6, 505), log.writeBatch(payloads(6, 505)));
      write(log, 506, 506);
      assertHolds(log, 1, 506);
    }
    FrameAt batch = frameOf(6, 500);
    assertEquals(500, batch.records());
    assertTrue(storage.files().contains(SegmentImage.fileName(506)), storage.files()::toString);
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 506);
    }
  }

  private FrameAt frameOf(long firstLsn, int records) {
    for (String name : storage.files()) {
      for (FrameAt frame : new SegmentImage(storage.bytes(name)).frames()) {
        if (frame.firstLsn() == firstLsn && frame.records() == records) {
          return frame;
        }
      }
    }
    throw new AssertionError("no frame of " + records + " records from " + firstLsn);
  }

  @Test
  void anOversizedFirstBatchNeedsNoEmptySegmentBeforeIt() {
    try (Log log = Log.open(storage, SMALL)) {
      log.writeBatch(payloads(1, 300));
      log.writeBatch(payloads(301, 600));
      assertHolds(log, 1, 600);
      assertEquals(List.of(SegmentImage.fileName(1), SegmentImage.fileName(301)), storage.files());
    }
  }

  @Test
  void anOversizedBatchAfterAnEmptyReopenIsWritten() {
    Log.open(storage, SMALL).close();
    try (Log log = Log.open(storage, SMALL)) {
      log.writeBatch(payloads(1, 300));
      write(log, 301, 400);
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 400);
    }
  }

  @Test
  void aTrimDeletesSegmentsThatLieWhollyBelow() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      int before = storage.files().size();
      assertEquals(new TrimResult(0, 0, 1), log.trimBefore(1));
      assertEquals(new TrimResult(0, 0, 1), log.trimBefore(33));
      assertEquals(new TrimResult(1, 8192, 34), log.trimBefore(34));
      assertEquals(new TrimResult(1, 8192, 67), log.trimBefore(70));
      assertEquals(new TrimResult(0, 0, 67), log.trimBefore(5));
      assertEquals(before - 2, storage.files().size());
      assertEquals(67, log.firstLsn());
      assertHolds(log, 67, 150);
      try (Log recovered = Log.open(storage.crash(), SMALL)) {
        assertHolds(recovered, 67, 150);
      }
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 67, 150);
      write(log, 151, 200);
    }
  }

  @Test
  void onceTheLastRecordIsTrimmedTheLogIsEmptyAndItsLsnsGoOn() {
    for (boolean closed : new boolean[] {true, false}) {
      CrashStorage left = new CrashStorage();
      try (Log log = Log.open(left, SMALL)) {
        write(log, 1, 50);
        TrimResult trimmed = log.trimBefore(51);
        assertEquals(51, trimmed.firstLsn());
        assertEmptyFrom51(log);
        if (!closed) {
          left = left.crash();
        }
      }
      try (Log log = Log.open(left, SMALL)) {
        assertEquals(50, log.recovery().lastLsn());
        assertEmptyFrom51(log);
        assertEquals(51, log.trimBefore(51).firstLsn());
        assertEmptyFrom51(log);
      }
      try (Log log = Log.open(left, SMALL)) {
        assertEmptyFrom51(log);
        write(log, 51, 120);
        assertHolds(log, 51, 120);
      }
      try (Log log = Log.open(left, SMALL)) {
        assertHolds(log, 51, 120);
      }
    }
  }

  private static void assertEmptyFrom51(Log log) {
    assertEquals(51, log.firstLsn());
    assertEquals(50, log.durableLsn());
    assertEquals(50, log.appendedLsn());
    assertEquals(List.of(), records(log));
    assertEquals(1, log.stats().segments());
  }

  @Test
  void anEmptyLogCanBeTrimmed() {
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(new TrimResult(0, 0, 1), log.trimBefore(1));
      assertEquals(new TrimResult(0, 0, 1), log.trimBefore(Long.MAX_VALUE));
      write(log, 1, 3);
      assertHolds(log, 1, 3);
    }
  }

  @Test
  void aTrimNeverTakesWhatIsNotDurable() throws Exception {
    try (Log log = Log.open(storage, SMALL);
        var gate = storage.faults().pause(StorageOp.SYNC)) {
      var pending = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      assertEquals(new TrimResult(0, 0, 1), log.trimBefore(2));
      gate.release();
      assertEquals(1, pending.get());
      assertHolds(log, 1, 1);
    }
  }

  @Test
  void aCrashInATrimLeavesNoGap() throws Exception {
    for (StorageOp op : List.of(StorageOp.DELETE, StorageOp.SYNC_DIRECTORY)) {
      for (int round = 0; round < 30; round++) {
        CrashStorage fresh = new CrashStorage();
        try (Log log = Log.open(fresh, SMALL)) {
          write(log, 1, 150);
          fresh.faults().failOnce(op, 1 + random.nextInt(4));
          try {
            log.trimBefore(140);
          } catch (LogIoException e) {
            // The trim is cut off here; the log itself goes on.
            write(log, 151, 151);
          }
          CrashStorage left = fresh.crash(random);
          try (Log recovered = Log.open(left, SMALL)) {
            long first = recovered.firstLsn();
            assertTrue(first <= 140 && first % 33 == 1, seed::toString);
            assertHolds(recovered, first, recovered.durableLsn());
            assertTrue(recovered.durableLsn() >= 150, seed::toString);
          }
        }
      }
    }
  }

  @Test
  void aTrimThatFailedCanBeRepeated() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      storage.faults().failOnce(StorageOp.DELETE, 2);
      assertThrows(LogIoException.class, () -> log.trimBefore(140));
      log.trimBefore(140);
      assertHolds(log, 133, 150);
      assertEquals(1, storage.files().size());
    }
  }

  @Test
  void aTrimThatReturnsIsDurableAlsoAfterOneThatFailed() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      storage.faults().failOnce(StorageOp.SYNC_DIRECTORY, 1);
      assertThrows(LogIoException.class, () -> log.trimBefore(34));
      TrimResult trimmed = log.trimBefore(34);
      assertEquals(34, trimmed.firstLsn());
      try (Log recovered = Log.open(storage.crash(), SMALL)) {
        assertHolds(recovered, 34, 150);
      }
    }
  }

  @Test
  void recordsOfAFinishedSegmentAreReadByPosition() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
    }
    try (Log log = Log.open(storage, SMALL)) {
      for (LogRecord record : records(log)) {
        assertArrayEquals(payload(record.lsn()), log.read(record.position()));
        assertEquals((record.lsn() - 1) / 33 * 33 + 1, record.position().segment());
      }
    }
  }

  @Test
  void aLogWithoutWindowsKeepsTheSamePromises() {
    LogOptions options = options().windowBytes(0).segmentBytesMax(8192).build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 150);
      assertEquals(0, log.stats().windows());
      try (Log recovered = Log.open(storage.crash(random), options)) {
        assertHolds(recovered, 1, 150);
      }
    }
    try (Log log = Log.open(storage, options)) {
      assertHolds(log, 1, 150);
    }
  }
}
