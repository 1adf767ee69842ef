package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Damage to what was acknowledged is an error that names its place and changes nothing.
class LogCorruptionTest {
  private static final String SEGMENT = SegmentImage.fileName(1);
  private static final LogOptions OPTIONS = options().build();
  private static final LogOptions SMALL = smallSegments().build();

  @Test
  void oneFlippedBitInAnAcknowledgedFrameIsFoundAtEveryByte() {
    byte[] segment = closedAfter(4, OPTIONS).bytes(SEGMENT);
    FrameAt second = new SegmentImage(segment).frames().get(1);
    assertEquals(2, second.firstLsn());
    assertEveryFlipIsFound(segment, second, 4);
  }

  @Test
  void oneFlippedBitInTheLastFrameIsFoundIfTheLogWasClosed() {
    byte[] segment = closedAfter(4, OPTIONS).bytes(SEGMENT);
    assertEveryFlipIsFound(segment, new SegmentImage(segment).frames().get(3), 4);
  }

  @Test
  void oneFlippedBitInTheLastFrameIsFoundOnceTheLogWasIdle() throws InterruptedException {
    CrashStorage storage = new CrashStorage();
    LogOptions idle = options().witnessDelay(Duration.ofMillis(1)).build();
    byte[] segment;
    try (Log log = Log.open(storage, idle)) {
      write(log, 1, 4);
      do {
        Thread.sleep(1);
        segment = storage.bytes(SEGMENT);
      } while (new SegmentImage(segment).frames().getLast().durableLsn() < 4);
    }
    FrameAt last = new SegmentImage(segment).frames(SegmentImage.KIND_RECORDS).getLast();
    assertEveryFlipIsFound(segment, last, 4);
  }

  private static void assertEveryFlipIsFound(byte[] segment, FrameAt frame, long lastLsn) {
    CrashStorage storage = new CrashStorage();
    storage.put(SEGMENT, segment);
    for (int at = frame.offset(); at < frame.end(); at++) {
      for (int bit = 0; bit < 8; bit++) {
        storage.flipBit(SEGMENT, at, bit);
        assertRefused(storage, OPTIONS, SEGMENT, frame.offset(), frame.firstLsn(), lastLsn);
        storage.flipBit(SEGMENT, at, bit);
      }
    }
    try (Log log = Log.open(storage, OPTIONS)) {
      assertHolds(log, 1, lastLsn);
    }
  }

  private static void assertRefused(
      CrashStorage storage,
      LogOptions options,
      String segment,
      long offset,
      long firstLsn,
      long lastLsn) {
    var before = storage.image();
    var corrupt = assertThrows(CorruptLogException.class, () -> Log.open(storage, options));
    assertEquals(segment, corrupt.segment());
    assertEquals(offset, corrupt.offset());
    assertEquals(firstLsn, corrupt.firstLsn());
    assertEquals(lastLsn, corrupt.lastLsn());
    assertTrue(String.valueOf(corrupt.getMessage()).contains(segment), corrupt::getMessage);
    assertEquals(before, storage.image(), "nothing is changed");
    assertEquals(0, storage.openHandles());
  }

  private static void assertRefused(CrashStorage storage) {
    var before = storage.image();
    assertThrows(CorruptLogException.class, () -> Log.open(storage, SMALL));
    assertEquals(before, storage.image(), "nothing is changed");
    assertEquals(0, storage.openHandles());
  }

  @Test
  void paddingIsNoPartOfAFrame() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, OPTIONS)) {
      log.write(new byte[] {1, 2, 3});
      log.write(new byte[] {4, 5, 6});
    }
    FrameAt first = new SegmentImage(storage.bytes(SEGMENT)).frames().getFirst();
    for (int at = first.offset(); at < first.end(); at++) {
      if (first.pads(at)) {
        storage.flipBit(SEGMENT, at, 0);
        try (Log log = Log.open(storage, OPTIONS)) {
          assertEquals(2, records(log).size());
        }
      }
    }
  }

  @Test
  void zerosInPlaceOfAcknowledgedRecordsAreDamage() {
    CrashStorage storage = closedAfter(10, OPTIONS);
    byte[] segment = storage.bytes(SEGMENT);
    List<FrameAt> frames = new SegmentImage(segment).frames();
    FrameAt from = frames.get(3);
    FrameAt to = frames.get(6);
    storage.put(SEGMENT, SegmentImage.zeroed(segment, from.offset(), to.end()));
    assertRefused(storage, OPTIONS, SEGMENT, from.offset(), 4, 10);
  }

  @Test
  void everyFlippedBitOfASegmentsHeaderIsFound() {
    CrashStorage storage = closedAfter(4, OPTIONS);
    for (int at = 0; at < 4096; at += at < 80 || at > 4080 ? 1 : 97) {
      storage.flipBit(SEGMENT, at, at % 8);
      var before = storage.image();
      var corrupt = assertThrows(CorruptLogException.class, () -> Log.open(storage, OPTIONS));
      assertEquals(SEGMENT, corrupt.segment());
      assertEquals(0, corrupt.offset());
      assertEquals(before, storage.image());
      storage.flipBit(SEGMENT, at, at % 8);
    }
    assertWorks(storage, OPTIONS, 5);
  }

  @Test
  void aSegmentCutWithinItsHeaderIsDamage() {
    for (int size : new int[] {0, 1, 8, 63, 4092, 4095}) {
      CrashStorage storage = closedAfter(4, OPTIONS);
      storage.cut(SEGMENT, size);
      assertRefused(storage);
    }
  }

  @Test
  void aNewerFormatIsRefusedAndNothingChanged() {
    for (int version : new int[] {2, 3, Integer.MAX_VALUE}) {
      CrashStorage storage = killedAfter(4, OPTIONS);
      byte[] segment = new SegmentImage(storage.bytes(SEGMENT)).withVersion(version).array();
      // A torn tail and a leftover besides: there would be something to change.
      storage.put(SEGMENT, SegmentImage.zeroed(segment, 4096 + 4 * 120 - 8, segment.length));
      storage.put(SegmentImage.fileName(9) + ".tmp", new byte[] {1});
      assertUnsupported(storage, OPTIONS, SEGMENT);
    }
  }

  @Test
  void aNewerFormatInAnySegmentIsRefused() {
    CrashStorage healthy = closedAfter(120, SMALL);
    assertTrue(healthy.files().size() >= 4);
    for (String name : healthy.files()) {
      CrashStorage storage = healthy.crash();
      storage.put(name, new SegmentImage(storage.bytes(name)).withVersion(2).array());
      assertUnsupported(storage, SMALL, name);
    }
  }

  private static void assertUnsupported(CrashStorage storage, LogOptions options, String name) {
    var before = storage.image();
    var refused = assertThrows(UnsupportedFormatException.class, () -> Log.open(storage, options));
    assertTrue(String.valueOf(refused.getMessage()).contains(name), refused::getMessage);
    assertEquals(before, storage.image());
    assertEquals(0, storage.openHandles());
  }

  @Test
  void anAbsurdLengthInAFrameIsFoundBeforeAnythingIsAllocated() {
    for (int length :
        new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 47, -1, Integer.MIN_VALUE}) {
      for (boolean headerChecks : new boolean[] {true, false}) {
        CrashStorage closed = closedAfter(4, OPTIONS);
        putLength(closed, 2, length, headerChecks);
        assertRefused(closed, OPTIONS, SEGMENT, 4096 + 120, 2, 4);

        CrashStorage killed = killedAfter(4, OPTIONS);
        putLength(killed, 4, length, headerChecks);
        try (Log log = Log.open(killed, OPTIONS)) {
          assertHolds(log, 1, 3);
        }
        assertWorks(killed, OPTIONS, 4);
      }
    }
  }

  private static void putLength(CrashStorage storage, int lsn, int length, boolean headerChecks) {
    SegmentImage image = new SegmentImage(storage.bytes(SEGMENT));
    FrameAt frame = image.frames().get(lsn - 1);
    image.putInt(frame.offset() + 8, length);
    if (headerChecks) {
      image.fixFrameHeader(frame.offset());
    }
    storage.put(SEGMENT, image.array());
  }

  @Test
  void anAbsurdRecordCountIsFoundBeforeAnythingIsAllocated() {
    for (int count : new int[] {Integer.MAX_VALUE, 2, 0, -1}) {
      CrashStorage storage = closedAfter(4, OPTIONS);
      SegmentImage image = new SegmentImage(storage.bytes(SEGMENT));
      FrameAt second = image.frames().get(1);
      image.putInt(second.offset() + 12, count).fixFrameHeader(second.offset());
      storage.put(SEGMENT, image.array());
      assertRefused(storage);
    }
  }

  /// With all CRCs right: what a bug or a forger writes.
  @Test
  void anAbsurdLengthOfARecordIsFoundByItsReaders() {
    for (int length : new int[] {Integer.MAX_VALUE, 65, -1, Integer.MIN_VALUE}) {
      CrashStorage storage = closedAfter(4, OPTIONS);
      SegmentImage image = new SegmentImage(storage.bytes(SEGMENT));
      FrameAt second = image.frames().get(1);
      image.putInt(second.bodyOffset(), length).fixFrame(second);
      storage.put(SEGMENT, image.array());
      try (Log log = Log.open(storage, OPTIONS)) {
        var corrupt = assertThrows(CorruptLogException.class, () -> records(log));
        assertEquals(SEGMENT, corrupt.segment());
        assertEquals(2, corrupt.firstLsn());
        Position position = new Position(1, second.bodyOffset());
        assertThrows(CorruptLogException.class, () -> log.read(position));
      } catch (CorruptLogException foundAtOpen) {
        assertEquals(2, foundAtOpen.firstLsn());
      } catch (OutOfMemoryError e) {
        throw new AssertionError("the length was believed", e);
      }
    }
  }

  @Test
  void aMissingSegmentIsNoticed() {
    CrashStorage healthy = closedAfter(120, SMALL);
    List<String> files = healthy.files();
    for (String name : files.subList(1, files.size() - 1)) {
      CrashStorage storage = healthy.crash();
      storage.remove(name);
      assertRefused(storage);
    }
  }

  @Test
  void swappedSegmentsAreNoticed() {
    CrashStorage healthy = closedAfter(120, SMALL);
    List<String> files = healthy.files();
    for (int i = 0; i < files.size(); i++) {
      for (int j = 0; j < i; j++) {
        CrashStorage storage = healthy.crash();
        byte[] one = storage.bytes(files.get(i));
        storage.put(files.get(i), storage.bytes(files.get(j)));
        storage.put(files.get(j), one);
        assertRefused(storage);
      }
    }
  }

  @Test
  void aSegmentOfAnotherLogIsNoticed() {
    CrashStorage healthy = closedAfter(120, SMALL);
    CrashStorage other = closedAfter(120, SMALL);
    assertEquals(healthy.files(), other.files());
    for (String name : healthy.files()) {
      CrashStorage storage = healthy.crash();
      storage.put(name, other.bytes(name));
      assertRefused(storage);
    }
  }

  @Test
  void anUnsealedMiddleSegmentIsDamage() {
    CrashStorage healthy = closedAfter(120, SMALL);
    List<String> files = healthy.files();
    for (String name : files.subList(0, files.size() - 1)) {
      byte[] segment = healthy.bytes(name);
      FrameAt seal = new SegmentImage(segment).frames().getLast();
      assertEquals(SegmentImage.KIND_SEAL, seal.kind());

      CrashStorage zeroed = healthy.crash();
      zeroed.put(name, SegmentImage.zeroed(segment, seal.offset(), seal.end()));
      long firstLsn = new SegmentImage(segment).firstLsn();
      assertRefused(zeroed, SMALL, name, seal.offset(), firstLsn, seal.durableLsn());

      CrashStorage cut = healthy.crash();
      cut.put(name, Arrays.copyOf(segment, seal.end() - 1));
      assertRefused(cut, SMALL, name, seal.offset(), firstLsn, seal.durableLsn());

      CrashStorage flipped = healthy.crash();
      for (int at = seal.offset(); at < seal.end(); at++) {
        flipped.flipBit(name, at, at % 8);
        assertRefused(flipped, SMALL, name, seal.offset(), firstLsn, seal.durableLsn());
        flipped.flipBit(name, at, at % 8);
      }
    }
  }

  @Test
  void damageInAFinishedSegmentIsFoundByItsReaders() {
    CrashStorage storage = closedAfter(120, SMALL);
    FrameAt fifth = new SegmentImage(storage.bytes(SEGMENT)).frames().get(4);
    for (int at = fifth.offset(); at < fifth.end(); at++) {
      storage.flipBit(SEGMENT, at, at % 8);
      try (Log log = Log.open(storage, SMALL)) {
        var corrupt = assertThrows(CorruptLogException.class, () -> records(log));
        assertEquals(SEGMENT, corrupt.segment());
        assertEquals(fifth.offset(), corrupt.offset());
        assertEquals(5, corrupt.firstLsn());
        try (Tail tail = log.tail(5)) {
          assertThrows(CorruptLogException.class, tail::next);
        }
        if (at >= fifth.bodyOffset()) {
          Position position = new Position(1, fifth.bodyOffset());
          assertThrows(CorruptLogException.class, () -> log.read(position));
          assertEquals(114, records(log, 7).size(), "what is whole can be read");
        }
        assertEquals(87, records(log, 34).size(), "so can the other segments");
      }
      storage.flipBit(SEGMENT, at, at % 8);
    }
  }
}
