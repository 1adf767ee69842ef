package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.InspectedSegment.End;
import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an inspection finds, and that it leaves no trace.
class LogInspectionTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final String FIRST = SegmentImage.fileName(1);
  private static final String SECOND = SegmentImage.fileName(34);
  private static final String THIRD = SegmentImage.fileName(67);

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// Inspects, and asserts that nothing was changed, locked or left open.
  private static LogInspection inspected(CrashStorage storage) {
    var before = storage.image();
    storage.counts().reset();
    LogInspection inspection = LogInspection.of(storage);
    for (StorageOp op :
        List.of(StorageOp.WRITE, StorageOp.CREATE, StorageOp.LOCK, StorageOp.RENAME)) {
      assertEquals(0, storage.counts().of(op), op::name);
    }
    assertEquals(before, storage.image());
    assertEquals(0, storage.openHandles());
    return inspection;
  }

  private static List<Long> lsns(LogInspection inspection, long from) {
    List<Long> lsns = new ArrayList<>();
    try (IntactRecords records = inspection.records(from)) {
      for (RecordView record = records.next(); record != null; record = records.next()) {
        assertArrayEquals(payload(record.lsn()), record.toBytes());
        lsns.add(record.lsn());
      }
    }
    return lsns;
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  void aWholeLogIsShownSegmentBySegment() {
    CrashStorage storage = closedAfter(80, SMALL);
    LogInspection inspection = inspected(storage);
    assertEquals(List.of(), inspection.damages());
    assertFalse(inspection.torn());
    assertEquals(1, inspection.firstLsn());
    assertEquals(80, inspection.lastLsn());
    assertEquals(80, inspection.provenLsn());
    assertEquals(
        List.of(End.SEALED, End.SEALED, End.CLOSED),
        inspection.segments().stream().map(InspectedSegment::end).toList());
    InspectedSegment second = inspection.segments().get(1);
    assertEquals(SECOND, second.name());
    assertEquals(34, second.firstLsn());
    assertEquals(66, second.lastLsn());
    assertEquals(33, second.records());
    assertEquals(33, second.frames());
    assertEquals(33 * 64, second.payloadBytes());
    assertEquals(4096 + 33 * 120 + 80, second.usedBytes());
    assertEquals(storage.bytes(SECOND).length, second.fileBytes());
    assertEquals(range(1, 80), lsns(inspection, 0));
    assertEquals(range(40, 80), lsns(inspection, 40));
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aDirectoryWithoutLogIsEmpty() {
    CrashStorage storage = new CrashStorage();
    storage.put("other", new byte[] {1});
    LogInspection inspection = inspected(storage);
    assertEquals(List.of(), inspection.segments());
    assertEquals(List.of("other"), inspection.otherFiles());
    assertEquals(0, inspection.lastLsn());
    assertEquals(new RecoveryReport.Created(), LogInspection.dryRun(storage));
  }

  @Test
  void aTornTailIsNoDamage() {
    CrashStorage storage = killedAfter(5, options().build());
    byte[] segment = storage.bytes(FIRST);
    storage.put(FIRST, SegmentImage.zeroed(segment, 4096 + 4 * 120 + 50, segment.length));
    LogInspection inspection = inspected(storage);
    assertTrue(inspection.torn());
    assertEquals(List.of(), inspection.damages());
    assertEquals(4, inspection.lastLsn());
    assertEquals(3, inspection.provenLsn());
  }

  @Test
  void everyFlippedBitOfAFrameInAFinishedSegmentIsFoundWithThePlaceAndWhatIsLost() {
    CrashStorage storage = closedAfter(80, SMALL);
    FrameAt frame = new SegmentImage(storage.bytes(SECOND)).frames().get(5);
    for (int at = frame.offset(); at < frame.end(); at++) {
      storage.flipBit(SECOND, at, random.nextInt(8));
      LogInspection inspection = inspected(storage);
      assertEquals(1, inspection.damages().size(), seed::toString);
      LogDamage damage = inspection.damages().getFirst();
      assertEquals(SECOND, damage.segment());
      assertEquals(frame.offset(), damage.offset());
      assertEquals(frame.end(), damage.end());
      assertEquals(39, damage.firstLsn());
      assertEquals(39, damage.lastLsn());
      assertEquals(38, inspection.lastLsnBeforeDamage());
      assertEquals(80, inspection.lastLsn());
      storage = closedAfter(80, SMALL);
    }
  }

  @Test
  void recordsOnBothSidesOfEveryDamageAreGiven() {
    CrashStorage storage = closedAfter(80, SMALL);
    byte[] second = storage.bytes(SECOND);
    storage.put(SECOND, SegmentImage.zeroed(second, 4096 + 2 * 120, 4096 + 4 * 120));
    storage.flipBit(SECOND, 4096 + 10 * 120 + 60, 1);
    storage.flipBit(THIRD, 4096 + 3 * 120, 1);
    LogInspection inspection = inspected(storage);
    List<Long> expected = new ArrayList<>(range(1, 80));
    expected.removeAll(List.of(36L, 37L, 44L, 70L));
    assertEquals(expected, lsns(inspection, 1));
    assertEquals(range(45, 69), lsns(inspection, 44).subList(0, 25));
    assertEquals(
        List.of("36-37", "44-44", "70-70"),
        inspection.damages().stream().map(d -> d.firstLsn() + "-" + d.lastLsn()).toList());
  }

  @Test
  void aRecordWhoseOwnCrcIsWrongIsDamageThoughItsFrameChecks() {
    CrashStorage storage = closedAfter(5, options().build());
    SegmentImage image = new SegmentImage(storage.bytes(FIRST));
    FrameAt frame = image.frames().get(2);
    image.putInt(frame.bodyOffset() + 4, 7).fixFrame(frame);
    storage.put(FIRST, image.array());
    LogInspection inspection = inspected(storage);
    assertEquals(1, inspection.damages().size());
    assertEquals(3, inspection.damages().getFirst().firstLsn());
    assertEquals(List.of(1L, 2L, 4L, 5L), lsns(inspection, 1));
  }

  @Test
  void aMissingSegmentSealOrHeaderIsNamed() {
    CrashStorage missing = closedAfter(80, SMALL);
    missing.remove(SECOND);
    LogDamage gap = inspected(missing).damages().getFirst();
    assertEquals(THIRD, gap.segment());
    assertEquals(34, gap.firstLsn());
    assertEquals(66, gap.lastLsn());

    CrashStorage unsealed = closedAfter(80, SMALL);
    unsealed.flipBit(SECOND, 4096 + 33 * 120 + 1, 0);
    LogDamage seal = inspected(unsealed).damages().getFirst();
    assertEquals(4096 + 33 * 120, seal.offset());
    assertEquals(67, seal.firstLsn());
    assertEquals(66, seal.lastLsn(), "no record is lost");

    CrashStorage headless = closedAfter(80, SMALL);
    headless.flipBit(FIRST, 20, 0);
    LogInspection inspection = inspected(headless);
    assertEquals(1, inspection.damages().size());
    assertEquals(range(1, 80), lsns(inspection, 1), "the next header tells how to verify it");

    CrashStorage last = closedAfter(80, SMALL);
    last.flipBit(THIRD, 20, 0);
    LogDamage header = inspected(last).damages().getFirst();
    assertEquals(67, header.firstLsn());
    assertEquals(Long.MAX_VALUE, header.lastLsn());
    assertEquals(End.UNREADABLE, inspected(last).segments().getLast().end());
    assertEquals(66, inspected(last).lastLsn());
  }

  @Test
  void aSegmentOfAnotherLogIsNoContinuation() {
    CrashStorage storage = closedAfter(80, SMALL);
    storage.put(THIRD, closedAfter(80, SMALL).bytes(THIRD));
    assertEquals(1, inspected(storage).damages().size());
    assertThrows(CorruptLogException.class, () -> LogInspection.dryRun(storage));
  }

  @Test
  void aNewerFormatIsSaidToBeOne() {
    CrashStorage storage = closedAfter(80, SMALL);
    storage.put(SECOND, new SegmentImage(storage.bytes(SECOND)).withVersion(2).array());
    assertThrows(UnsupportedFormatException.class, () -> LogInspection.of(storage));
    assertThrows(UnsupportedFormatException.class, () -> LogInspection.dryRun(storage));
    assertEquals(0, storage.openHandles());
  }

  /// Random damage: the dry run says what opening then does, and an inspection that finds nothing
  /// agrees with it.
  @Test
  void theDryRunSaysWhatOpeningDoes() {
    for (int round = 0; round < 400; round++) {
      CrashStorage storage = random.nextBoolean() ? closedAfter(80, SMALL) : killedAfter(75, SMALL);
      if (random.nextInt(4) == 0) {
        storage.markCopied();
      }
      spoil(storage);
      LogInspection inspection = inspected(storage);
      String expected = outcome(() -> LogInspection.dryRun(storage));
      String found =
          outcome(
              () -> {
                try (Log log = Log.open(storage, SMALL)) {
                  return log.recovery();
                }
              });
      assertEquals(expected, found, seed::toString);
      if (inspection.damages().isEmpty()) {
        assertTrue(found.contains("lastLsn=" + inspection.lastLsn() + ","), () -> found + seed);
      }
    }
  }

  private void spoil(CrashStorage storage) {
    List<String> segments = storage.files();
    String name = segments.get(random.nextInt(segments.size()));
    int size = storage.bytes(name).length;
    switch (random.nextInt(4)) {
      case 0 -> storage.cut(name, random.nextInt(size));
      case 1 -> storage.flipBit(name, random.nextInt(size), random.nextInt(8));
      case 2 -> {
        int from = random.nextInt(size);
        int to = from + random.nextInt(size - from);
        storage.put(name, SegmentImage.zeroed(storage.bytes(name), from, to));
      }
      default -> {
        // Left as it is.
      }
    }
  }

  private static String outcome(Supplier<RecoveryReport> open) {
    try {
      RecoveryReport report = open.get();
      return report instanceof RecoveryReport.IncompleteCopy copy
          ? "copy lastLsn=" + copy.lastLsn() + ", " + copy.offset() + " " + copy.setAside().size()
          : report.toString();
    } catch (CorruptLogException e) {
      return e.toString();
    }
  }

  @Test
  void aLogThatIsWrittenAndTrimmedMeanwhileIsNeverCalledDamaged(@TempDir Path folder)
      throws Exception {
    try (Log log = Log.open(folder, SMALL)) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      long lsn = log.write(payload(log.appendedLsn() + 1));
                      if (lsn % 200 == 0) {
                        log.trimBefore(lsn - 150);
                      }
                    }
                  });
      try {
        for (int i = 0; i < 100; i++) {
          long durable = log.durableLsn();
          LogInspection inspection = LogInspection.of(folder);
          assertEquals(List.of(), inspection.damages());
          assertFalse(inspection.torn());
          assertTrue(inspection.lastLsn() >= durable);
          assertTrue(LogInspection.dryRun(folder).lastLsn() >= durable);
        }
      } finally {
        writer.interrupt();
        writer.join();
      }
    }
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsInspectedAndNoneIsMade(@TempDir Path folder)
      throws Exception {
    Path missing = folder.resolve("missing");
    assertThrows(LogIoException.class, () -> LogInspection.of(missing));
    assertThrows(LogIoException.class, () -> LogInspection.dryRun(missing));
    assertFalse(Files.exists(missing));
    Path directory = folder.resolve("log");
    try (Log log = Log.open(directory, SMALL)) {
      write(log, 1, 80);
      assertEquals(80, LogInspection.of(directory).lastLsn(), "also while it is locked");
      assertThrows(LogLockedException.class, () -> Log.open(directory, SMALL));
    }
    directory.resolve(FIRST).toFile().setWritable(false);
    directory.toFile().setWritable(false);
    assertEquals(range(1, 80), lsns(LogInspection.of(directory), 1));
    directory.toFile().setWritable(true);
  }
}
