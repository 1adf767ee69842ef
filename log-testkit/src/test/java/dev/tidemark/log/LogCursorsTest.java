package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cursors: where they stand, what they hold back, and the bytes that they are kept in.
class LogCursorsTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final int BLOCK_BYTES = 32 << 10;

  private final CrashStorage storage = new CrashStorage();

  private static List<String> standing(Log log) {
    return log.cursors().stream().map(c -> c.name() + "@" + c.lsn()).toList();
  }

  @Test
  void aNewCursorHoldsAllThatIsThere() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      log.trimBefore(50);
      Cursor cursor = log.cursor("a");
      assertEquals("a", cursor.name());
      assertEquals(34, cursor.lsn());
      assertEquals(new TrimResult(0, 0, 34), log.trimBefore(151));
      assertHolds(log, 34, 150);
      assertEquals(4, log.stats().segments(), "nothing is finished in vain");
    }
  }

  @Test
  void theSlowestCursorHoldsTrimsBack() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      Cursor slow = log.cursor("slow");
      Cursor fast = log.cursor("fast");
      fast.advance(151);
      slow.advance(40);
      assertEquals(34, log.trimBefore(151).firstLsn());
      slow.advance(70);
      assertEquals(67, log.trimBefore(151).firstLsn());
      assertTrue(log.removeCursor("slow"));
      assertFalse(log.removeCursor("slow"));
      assertThrows(InvalidRecordException.class, slow::lsn);
      assertThrows(InvalidRecordException.class, () -> slow.advance(80));
      assertEquals(151, log.trimBefore(151).firstLsn());
    }
  }

  @Test
  void cursorsStandWhereTheyStoodAfterAReopenAndAfterACrash() {
    CrashStorage crashed;
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 20);
      log.cursor("b").advance(7);
      log.cursor("a").advance(21);
      log.cursor("gone");
      log.removeCursor("gone");
      crashed = storage.crash();
    }
    for (CrashStorage left : List.of(storage, crashed)) {
      try (Log log = Log.open(left, SMALL)) {
        assertEquals(List.of("a@21", "b@7"), standing(log));
        assertEquals(7, log.cursor("b").lsn(), "it is the one that was there");
        log.cursor("b").advance(8);
      }
      try (Log log = Log.open(left, SMALL)) {
        assertEquals(List.of("a@21", "b@8"), standing(log));
      }
      assertEquals(0, left.openHandles());
    }
  }

  @Test
  void aCursorGoesForwardsAndNoFurtherThanWhatIsDurable() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 10);
      Cursor cursor = log.cursor("a");
      cursor.advance(5);
      storage.counts().reset();
      cursor.advance(5);
      assertEquals(0, storage.counts().of(StorageOp.SYNC), "the mark that it has costs nothing");
      assertThrows(InvalidRecordException.class, () -> cursor.advance(4));
      log.append(payload(11));
      assertThrows(InvalidRecordException.class, () -> cursor.advance(12));
      assertEquals(5, cursor.lsn());
      log.sync();
      cursor.advance(12);
      assertEquals(12, log.cursor("a").lsn());
      assertEquals(1, storage.counts().of(StorageOp.SYNC, "CURSORS.tmp"), "one sync");
    }
  }

  @Test
  void namesAndNumberHaveLimits() {
    try (Log log = Log.open(storage, SMALL)) {
      for (String bad : List.of("", "x".repeat(101), "\u00e9".repeat(51), "half \ud800 a pair")) {
        assertThrows(InvalidRecordException.class, () -> log.cursor(bad));
      }
      assertEquals(List.of(), log.cursors());
      assertFalse(storage.files().contains("CURSORS"));
      for (int i = 0; i < 256; i++) {
        log.cursor("\u00e9".repeat(48) + "%04d".formatted(i));
      }
      assertThrows(InvalidRecordException.class, () -> log.cursor("one more"));
      assertEquals(1, log.cursor("\u00e9".repeat(48) + "0255").lsn());
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(256, log.cursors().size());
      assertEquals("\u00e9".repeat(48) + "0000", log.cursors().getFirst().name());
    }
  }

  @Test
  void aCursorThatLagsBeyondTheLimitIsPassedAndToldSo() {
    LogOptions options = smallSegments().cursorLagMax(3 * 8192).build();
    try (Log log = Log.open(storage, options)) {
      write(log, 1, 150);
      Cursor cursor = log.cursor("late");
      assertEquals(
          List.of(new CursorStatus("late", 1, 150, log.stats().diskBytes(), 0)), log.cursors());
      assertEquals(67, log.trimBefore(151).firstLsn(), "the last three files are held");
      assertEquals(1, cursor.lsn(), "it is not moved behind its consumer's back");
      assertEquals(66, log.cursors().getFirst().lostRecords());
      assertEquals(150, log.cursors().getFirst().lagRecords());
      assertThrows(RecordNotFoundException.class, () -> log.tail(cursor.lsn()));
      assertThrows(RecordNotFoundException.class, () -> log.replay(cursor.lsn()));
    }
    try (Log log = Log.open(storage, options)) {
      Cursor cursor = log.cursor("late");
      assertEquals(66, log.cursors().getFirst().lostRecords(), "a reopen hides nothing");
      cursor.advance(log.firstLsn());
      assertEquals(0, log.cursors().getFirst().lostRecords());
      try (Tail tail = log.tail(cursor.lsn())) {
        RecordView next = tail.next();
        assertTrue(next != null && next.lsn() == 67);
      }
    }
  }

  @Test
  void aClosedLogMovesNoCursor() {
    Log log = Log.open(storage, SMALL);
    write(log, 1, 10);
    Cursor cursor = log.cursor("a");
    log.close();
    assertThrows(LogClosedException.class, () -> cursor.advance(5));
    assertThrows(LogClosedException.class, () -> log.cursor("b"));
    assertThrows(LogClosedException.class, () -> log.removeCursor("a"));
    assertEquals(1, cursor.lsn());
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aCursorBehindTheEndIsTakenBackBeforeRecordsCome() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 50);
      log.cursor("ahead").advance(51);
      log.cursor("within").advance(12);
    }
    CrashStorage older = closedAfter(20, SMALL);
    older.put("CURSORS", storage.bytes("CURSORS"));
    CrashStorage crashed;
    try (Log log = Log.open(older, SMALL)) {
      assertEquals(List.of("ahead@21", "within@12"), standing(log));
      write(log, 21, 60);
      crashed = older.crash();
    }
    try (Log log = Log.open(crashed, SMALL)) {
      assertEquals(List.of("ahead@21", "within@12"), standing(log));
    }
    // Whichever block is damaged.
    crashed.flipBit("CURSORS", 40, 1);
    try (Log log = Log.open(crashed, SMALL)) {
      assertEquals(List.of("ahead@21", "within@12"), standing(log));
    }
  }

  @Test
  void aCopyHasTheCursorsOfItsOriginal() {
    CrashStorage copy;
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      log.cursor("a").advance(101);
      copy = storage.copy();
    }
    // The last segment was copied too early: its records are not in the copy.
    copy.remove(SegmentImage.fileName(100));
    copy.markCopied();
    try (Log log = Log.open(copy, SMALL)) {
      assertEquals(99, log.durableLsn());
      assertEquals(List.of("a@100"), standing(log));
    }
    assertTrue(copy.files().contains("CURSORS"));
  }

  @Test
  void theBytesAreThoseOfTheFormat() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 9);
      log.cursor("z\u00e9").advance(5);
      log.cursor("a").advance(10);
    }
    byte[] file = storage.bytes("CURSORS");
    assertEquals(2 * BLOCK_BYTES, file.length);
    // Made with 1 and 2, then an advance, a second cursor in both blocks, an advance.
    assertBlock(file, 6, 0, List.of("a", "z\u00e9"), List.of(10L, 5L));
    assertBlock(file, 5, BLOCK_BYTES, List.of("a", "z\u00e9"), List.of(1L, 5L));
  }

  private static void assertBlock(
      byte[] file, long generation, int at, List<String> names, List<Long> lsns) {
    ByteBuffer block =
        ByteBuffer.wrap(file, at, BLOCK_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[8];
    block.get(magic);
    assertArrayEquals("TIDECURS".getBytes(UTF_8), magic);
    assertEquals(1, block.getInt());
    int length = block.getInt();
    assertEquals(generation, block.getLong());
    assertEquals(names.size(), block.getInt());
    assertEquals(0, block.getInt());
    for (int i = 0; i < names.size(); i++) {
      assertEquals(lsns.get(i), block.getLong());
      byte[] name = new byte[block.getShort()];
      block.get(name);
      assertEquals(names.get(i), new String(name, UTF_8));
    }
    assertEquals(length - 4, block.position());
    CRC32C crc = new CRC32C();
    crc.update(block.slice(0, length - 4));
    assertEquals((int) crc.getValue(), block.getInt());
  }

  @Test
  void cursorsAreKeptOnARealDisk(@TempDir Path directory) {
    for (FileStorage real : storages(directory)) {
      try (Log log = Log.open(real, SMALL)) {
        write(log, log.durableLsn() + 1, log.durableLsn() + 50);
        Cursor cursor = log.cursor("a");
        Thread.currentThread().interrupt();
        cursor.advance(log.durableLsn() - 10);
        log.cursor("made while interrupted " + log.durableLsn());
        assertTrue(Thread.interrupted(), "an interrupt is the caller's");
        cursor.advance(log.durableLsn());
      }
      try (Log log = Log.open(real, SMALL)) {
        assertEquals(log.durableLsn(), log.cursor("a").lsn());
      }
    }
  }

  private static List<FileStorage> storages(Path directory) {
    try {
      return List.of(FileStorage.at(directory), FileStorage.withoutNativeAccess(directory));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aDryRunAndAnInspectionCopeWithTheFile() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 50);
      log.cursor("a");
    }
    assertEquals(50, LogInspection.dryRun(storage).lastLsn());
    assertEquals(List.of(), LogInspection.of(storage).damages());
  }
}
