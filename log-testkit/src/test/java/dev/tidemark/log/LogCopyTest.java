package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A log that is copied file by file while it is written opens as a log up to some durable LSN.
class LogCopyTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final String FIRST = SegmentImage.fileName(1);
  private static final String SECOND = SegmentImage.fileName(34);
  private static final String THIRD = SegmentImage.fileName(67);

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @Test
  void aCopyOfALiveLogHoldsWhatWasDurableWhenTheCopyingBegan() {
    int incomplete = 0;
    for (int round = 0; round < 300; round++) {
      CrashStorage source = new CrashStorage();
      try (Log log = Log.open(source, SMALL)) {
        writeSome(log, 150);
        long durable = log.durableLsn();
        CrashStorage copy = copyWhileWritten(source, log);
        try (Log copied = Log.open(copy, SMALL)) {
          long last = copied.durableLsn();
          assertTrue(last >= durable, () -> last + " of " + durable + ", " + seed);
          assertHolds(copied, 1, last);
          if (copied.recovery() instanceof RecoveryReport.IncompleteCopy report) {
            incomplete++;
            assertTrue(report.lastLsnSeen() >= last, seed::toString);
          }
        }
        assertWorks(copy, SMALL, lastLsn(copy) + 1);
        assertHolds(log, 1, log.durableLsn());
      }
    }
    assertTrue(incomplete > 10, "the test sees gaps: " + incomplete + ", " + seed);
  }

  private static long lastLsn(CrashStorage storage) {
    try (Log log = Log.open(storage, SMALL)) {
      return log.durableLsn();
    }
  }

  private void writeSome(Log log, int most) {
    long next = log.appendedLsn() + 1;
    write(log, next, next + random.nextInt(most) - 1);
  }

  private record CopiedFile(String name, ByteArrayOutputStream bytes) {
    CopiedFile(String name) {
      this(name, new ByteArrayOutputStream());
    }
  }

  /// Copies the files that are there now, in any order and several at once, in chunks of any size,
  /// while records are written.
  private CrashStorage copyWhileWritten(CrashStorage source, Log log) {
    List<CopiedFile> copies =
        new ArrayList<>(source.files().stream().map(CopiedFile::new).toList());
    Collections.shuffle(copies, new Random(random.nextLong()));
    List<CopiedFile> unfinished = new ArrayList<>(copies);
    while (!unfinished.isEmpty()) {
      int which = random.nextInt(Math.min(3, unfinished.size()));
      ByteArrayOutputStream copy = unfinished.get(which).bytes;
      byte[] now = source.bytes(unfinished.get(which).name);
      int length = Math.min(1 + random.nextInt(5000), now.length - copy.size());
      copy.write(now, copy.size(), length);
      if (copy.size() == now.length) {
        unfinished.remove(which);
      }
      if (random.nextInt(3) == 0) {
        writeSome(log, 30);
      }
    }
    CrashStorage storage = new CrashStorage();
    copies.forEach(file -> storage.put(file.name, file.bytes.toByteArray()));
    storage.markCopied();
    return storage;
  }

  /// Segments of 1 to 33, 34 to 66 and 67 to 80; in the second one, what was written behind record
  /// 40 is missing up to record 50.
  private static CrashStorage withGap() {
    CrashStorage storage = killedAfter(80, SMALL);
    byte[] second = storage.bytes(SECOND);
    List<FrameAt> frames = new SegmentImage(second).frames();
    int from = frames.get(7).offset();
    int to = frames.get(16).end() - 5;
    storage.put(SECOND, SegmentImage.zeroed(second, from, to));
    storage.markCopied();
    return storage;
  }

  @Test
  void aCopyEndsAtItsFirstGapAndWhatLiesBehindIsSetAside() {
    CrashStorage storage = withGap();
    byte[] second = storage.bytes(SECOND);
    byte[] third = storage.bytes(THIRD);
    int end = 4096 + 7 * 120;
    String tail = SECOND + ".from-" + end + ".aside";
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(
          new RecoveryReport.IncompleteCopy(
              40, 2, 7, SECOND, end, 80, List.of(tail, THIRD + ".aside")),
          log.recovery());
      assertHolds(log, 1, 40);
    }
    assertArrayEquals(third, storage.bytes(THIRD + ".aside"));
    byte[] kept = storage.bytes(tail);
    assertArrayEquals(Arrays.copyOfRange(second, end, end + kept.length), kept);
    assertEquals(0, new SegmentImage(second).getInt(end + kept.length), "all of the tail");
    assertWorks(storage, SMALL, 41);
  }

  @Test
  void theSameFilesWithoutEvidenceOfACopyAreCorrupt() {
    CrashStorage storage = killedAfter(80, SMALL);
    storage.put(THIRD, SegmentImage.zeroed(storage.bytes(THIRD), 4096, 4096 + 5 * 120));
    var before = storage.image();
    assertThrows(CorruptLogException.class, () -> Log.open(storage, SMALL));
    assertEquals(before, storage.image());
    storage.markCopied();
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 66);
    }
  }

  @Test
  void onceOpenedACopyIsALogOfItsOwn() {
    CrashStorage storage = withGap();
    Log.open(storage, SMALL).close();
    assertWorks(storage, SMALL, 41);
    storage.flipBit(SECOND, 4096 + 60, 0);
    var before = storage.image();
    assertThrows(CorruptLogException.class, () -> Log.open(storage, SMALL));
    assertEquals(before, storage.image());
  }

  @Test
  void aMissingSegmentEndsACopy() {
    CrashStorage storage = killedAfter(120, SMALL);
    storage.remove(SECOND);
    storage.markCopied();
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 33);
      var report = assertInstanceOf(RecoveryReport.IncompleteCopy.class, log.recovery());
      assertEquals(
          List.of(THIRD + ".aside", SegmentImage.fileName(100) + ".aside"), report.setAside());
      assertEquals(120, report.lastLsnSeen());
      write(log, 34, 90);
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 90);
    }
  }

  @Test
  void aSegmentThatWasTrimmedWhileItWasCopiedIsSetAside() {
    CrashStorage storage = killedAfter(80, SMALL);
    storage.put(FIRST, new byte[4096]);
    storage.markCopied();
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 34, 80);
      var report = assertInstanceOf(RecoveryReport.IncompleteCopy.class, log.recovery());
      assertEquals(List.of(FIRST + ".aside"), report.setAside());
    }
    assertWorks(storage, SMALL, 81);
  }

  @Test
  void aCopyWithoutAnyWholeHeaderIsRefusedAndLeftAlone() {
    CrashStorage storage = killedAfter(80, SMALL);
    storage.files().forEach(name -> storage.cut(name, 100));
    storage.markCopied();
    var before = storage.image();
    assertThrows(CorruptLogException.class, () -> Log.open(storage, SMALL));
    assertEquals(before, storage.image());
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aWholeCopyIsOpenedAsItIs() {
    CrashStorage storage = closedAfter(80, SMALL);
    storage.markCopied();
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(new RecoveryReport.Clean(80, 3, 14), log.recovery());
      assertHolds(log, 1, 80);
    }
    assertTrue(storage.files().stream().noneMatch(name -> name.endsWith(".aside")));
  }

  /// Nobody has synced the files of a copy.
  @Test
  void whatAnOpenedCopyHoldsIsDurable() {
    CrashStorage storage = new CrashStorage();
    CrashStorage copied = withGap();
    copied
        .image()
        .forEach(
            (name, bytes) -> {
              byte[] content = new byte[bytes.remaining()];
              bytes.get(content);
              try (var file = storage.create(name);
                  var arena = Arena.ofConfined()) {
                file.write(arena.allocateFrom(ValueLayout.JAVA_BYTE, content), 0);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    storage.markCopied();
    try (Log log = Log.open(storage, SMALL)) {
      assertHolds(log, 1, 40);
      try (Log left = Log.open(storage.crash(), SMALL)) {
        assertHolds(left, 1, 40);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"CREATE", "RENAME", "READ", "WRITE", "SYNC", "SYNC_DIRECTORY", "ADOPT"})
  void aFailureOrCrashWhileSettingAsideLosesNothing(StorageOp op) {
    boolean opened = false;
    for (int n = 1; !opened; n++) {
      CrashStorage storage = withGap();
      byte[] third = storage.bytes(THIRD);
      storage.counts().reset();
      storage.faults().failOnce(op, n);
      try {
        Log log = Log.open(storage, SMALL);
        opened = storage.counts().of(op) < n;
        assertTrue(opened, () -> op + ": an error is never passed over");
        log.close();
      } catch (LogIoException e) {
        assertEquals(0, storage.openHandles(), op + " " + n);
      }
      storage.faults().clear();
      CrashStorage left = random.nextBoolean() ? storage.crash(random) : storage;
      try (Log log = Log.open(left, SMALL)) {
        assertHolds(log, 1, 40);
      }
      assertTrue(
          left.files().stream()
              .filter(name -> name.startsWith(THIRD))
              .anyMatch(name -> Arrays.equals(third, left.bytes(name))),
          () -> left.files() + ", " + seed);
      assertTrue(
          left.files().stream().anyMatch(name -> name.startsWith(SECOND + ".from-")),
          () -> left.files() + ", " + seed);
      assertWorks(left, SMALL, 41);
      assertTrue(n < 100, "it opens once the fault is past");
    }
  }

  @Test
  void namesThatAreTakenAreLeftAlone() {
    CrashStorage storage = withGap();
    storage.put(THIRD + ".aside", new byte[] {1});
    storage.put(THIRD + ".2.aside", new byte[] {2});
    try (Log log = Log.open(storage, SMALL)) {
      var report = assertInstanceOf(RecoveryReport.IncompleteCopy.class, log.recovery());
      assertTrue(report.setAside().contains(THIRD + ".3.aside"), report::toString);
    }
    assertArrayEquals(new byte[] {1}, storage.bytes(THIRD + ".aside"));
  }
}
