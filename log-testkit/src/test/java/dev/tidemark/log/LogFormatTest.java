package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.SegmentImage.FrameAt;
import dev.tidemark.log.testkit.CrashStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The bytes on disk, read without the log's code.
class LogFormatTest {
  private final CrashStorage storage = new CrashStorage();

  @Test
  void aSegmentBeginsWithItsHeader() {
    try (Log log = Log.open(storage, options().clock(() -> 77).build())) {
      write(log, 1, 1);
    }
    SegmentImage first = image(1);

    assertEquals(
        ByteBuffer.wrap("TIDEMARK".getBytes(StandardCharsets.US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong(),
        first.magic());
    assertEquals(1, first.version());
    assertEquals(4096, first.getInt(12));
    assertNotEquals(0, first.salt());
    assertEquals(1, first.firstLsn());
    assertEquals(77, first.getLong(32));
    assertEquals(0, first.previousSalt());
    assertEquals(0, first.previousLastLsn());
    assertEquals(0, first.previousSealOffset());
    assertTrue(first.headerChecks());
  }

  @Test
  void aGroupIsOneFrameAndNamesWhatWasDurableBeforeIt() {
    try (Log log = Log.open(storage, options().clock(() -> 77).build())) {
      write(log, 1, 2);
      log.writeBatch(payloads(3, 5));
    }
    List<FrameAt> frames = image(1).frames();

    assertEquals(
        List.of(
            new FrameAt(4096, SegmentImage.KIND_RECORDS, 72, 1, 1, 0, 77),
            new FrameAt(4216, SegmentImage.KIND_RECORDS, 72, 1, 2, 1, 77),
            new FrameAt(4336, SegmentImage.KIND_RECORDS, 3 * 72, 3, 3, 2, 77),
            new FrameAt(4600, SegmentImage.KIND_CLOSE, 0, 0, 6, 5, 77)),
        frames);
  }

  @Test
  void anIdleLogProvesItsLastGroupWithAWitness() throws InterruptedException {
    LogOptions options = options().witnessDelay(Duration.ofMillis(1)).build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 2);
      while (log.stats().witnesses() == 0) {
        Thread.sleep(1);
      }
      FrameAt last = image(1).frames().getLast();
      assertEquals(SegmentImage.KIND_WITNESS, last.kind());
      assertEquals(2, last.durableLsn());
      assertEquals(3, last.firstLsn());
      long writes = log.stats().writes();
      Thread.sleep(20);
      assertEquals(writes, log.stats().writes(), "one witness is enough");
    }
  }

  @Test
  void aFinishedSegmentEndsWithASealThatTheNextOneNames() {
    try (Log log = Log.open(storage, smallSegments().build())) {
      write(log, 1, 60);
    }
    List<String> files = storage.files();
    assertEquals(2, files.size());
    SegmentImage first = image(1);
    FrameAt seal = first.frames().getLast();
    long lastLsn = seal.durableLsn();
    SegmentImage second = image(lastLsn + 1);

    assertEquals(SegmentImage.KIND_SEAL, seal.kind());
    assertEquals(lastLsn, first.getLong(seal.bodyOffset()), "last LSN");
    assertEquals(lastLsn, first.getLong(seal.bodyOffset() + 8), "records");
    assertEquals(lastLsn, first.getLong(seal.bodyOffset() + 16), "frames");
    assertEquals(lastLsn * 64, first.getLong(seal.bodyOffset() + 24), "payload bytes");
    assertEquals(first.salt(), second.previousSalt());
    assertNotEquals(first.salt(), second.salt());
    assertEquals(lastLsn, second.previousLastLsn());
    assertEquals(seal.offset(), second.previousSealOffset());
    assertEquals(lastLsn + 1, second.firstLsn());
  }

  @Test
  void theDirectoryHoldsNothingButSegments() {
    try (Log log = Log.open(storage, smallSegments().build())) {
      write(log, 1, 200);
      log.write(payload(201));
    }
    for (String file : storage.files()) {
      assertTrue(file.matches("\\d{20}\\.seg"), file);
    }
  }

  private SegmentImage image(long firstLsn) {
    return new SegmentImage(storage.bytes(SegmentImage.fileName(firstLsn)));
  }
}
