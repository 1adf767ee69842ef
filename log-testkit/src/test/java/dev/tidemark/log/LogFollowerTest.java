package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.closedAfter;
import static dev.tidemark.log.TestRecords.killedAfter;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reading a log that another owner writes.
class LogFollowerTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final Duration LONG = Duration.ofMinutes(1);

  private static void assertGives(LogFollower follower, long first, long last) {
    for (long lsn = first; lsn <= last; lsn++) {
      RecordView record = requireNonNull(follower.poll(LONG));
      assertEquals(lsn, record.lsn());
      assertArrayEquals(payload(lsn), record.toBytes());
    }
  }

  @Test
  void everyRecordComesInOrderAcrossSegmentsWhileItIsWritten(@TempDir Path folder)
      throws Exception {
    LogOptions options = smallSegments().witnessDelay(Duration.ofMillis(1)).build();
    try (Log log = Log.open(folder, options)) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long lsn = 1; lsn <= 3000; lsn++) {
                      log.append(payload(lsn));
                      if (lsn % 5 == 0) {
                        log.sync();
                      }
                    }
                  });
      try (LogFollower follower = LogFollower.from(folder, 1)) {
        assertGives(follower, 1, 3000);
        assertNull(follower.poll(Duration.ZERO));
      }
      writer.join();
    }
  }

  @Test
  void itBeginsInTheMiddleAndAlsoBehindTheEnd() {
    CrashStorage storage = closedAfter(80, SMALL);
    try (LogFollower follower = LogFollower.from(storage, 50)) {
      assertGives(follower, 50, 80);
      assertNull(follower.poll(Duration.ZERO));
    }
    try (LogFollower follower = LogFollower.from(storage, 82);
        Log log = Log.open(storage, SMALL)) {
      write(log, 81, 83);
      assertEquals(82, requireNonNull(follower.poll(LONG)).lsn());
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aRecordThatNothingProvesDurableIsNotShown() {
    CrashStorage storage = new CrashStorage();
    Log.open(storage, SMALL).close();
    try (LogFollower follower = LogFollower.from(storage, 1)) {
      try (Log log = Log.open(storage, options().build())) {
        write(log, 1, 3);
        assertGives(follower, 1, 2);
        assertNull(follower.poll(Duration.ofMillis(50)));
        write(log, 4, 4);
        assertGives(follower, 3, 3);
        assertNull(follower.poll(Duration.ZERO));
      }
      assertGives(follower, 4, 4);
    }
  }

  @Test
  void anIdleLogsLastRecordComesWithItsWitness() {
    CrashStorage storage = new CrashStorage();
    LogOptions options = options().witnessDelay(Duration.ofMillis(1)).build();
    try (Log log = Log.open(storage, options);
        LogFollower follower = LogFollower.from(storage, 1)) {
      write(log, 1, 3);
      assertGives(follower, 1, 3);
    }
  }

  @Test
  void aTrimBeyondWhatWasReadIsTold() {
    CrashStorage storage = killedAfter(120, SMALL);
    try (Log log = Log.open(storage, SMALL);
        LogFollower follower = LogFollower.from(storage, 1)) {
      assertGives(follower, 1, 10);
      log.trimBefore(101);
      assertThrows(
          RecordNotFoundException.class,
          () -> {
            while (follower.poll(LONG) != null) {
              // What its file still holds.
            }
          });
    }
    assertThrows(RecordNotFoundException.class, () -> LogFollower.from(storage, 99));
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aFileThatIsUsedAgainAfterATrimIsNoDamage() throws Exception {
    CrashStorage storage = new CrashStorage();
    String segment = SegmentImage.fileName(1);
    try (Log log = Log.open(storage, options().build())) {
      log.writeBatch(TestRecords.payloads(1, 10_000));
      log.writeBatch(TestRecords.payloads(10_001, 20_000));
    }
    try (LogFollower follower = LogFollower.from(storage, 1);
        IntactRecords records = LogInspection.of(storage).records(1)) {
      assertGives(follower, 1, 1);
      assertEquals(1, requireNonNull(records.next()).lsn());
      storage.rename(segment, "other");
      try (var file = storage.open("other");
          Arena arena = Arena.ofConfined()) {
        file.write(arena.allocate(file.size()), 0);
      }
      assertThrows(RecordNotFoundException.class, () -> assertGives(follower, 2, 20_000));
      assertThrows(
          RecordNotFoundException.class,
          () -> {
            while (records.next() != null) {
              // What it has read already.
            }
          });
    }
  }

  @Test
  void damageIsTold() {
    CrashStorage storage = closedAfter(20, SMALL);
    storage.flipBit(SegmentImage.fileName(1), 4096 + 10 * 120 + 70, 3);
    try (LogFollower follower = LogFollower.from(storage, 1)) {
      assertGives(follower, 1, 10);
      var corrupt = assertThrows(CorruptLogException.class, () -> follower.poll(LONG));
      assertEquals(11, corrupt.firstLsn());
      assertEquals(20, corrupt.lastLsn());
    }
  }

  @Test
  void aDirectoryWithoutLogCannotBeFollowed(@TempDir Path folder) {
    var error = assertThrows(LogIoException.class, () -> LogFollower.from(folder, 1));
    assertTrue(String.valueOf(error.getCause()).contains("no log"), error::toString);
    assertThrows(LogIoException.class, () -> LogFollower.from(folder.resolve("none"), 1));
  }

  @Test
  void anInterruptEndsTheWait() {
    CrashStorage storage = closedAfter(5, SMALL);
    try (LogFollower follower = LogFollower.from(storage, 6)) {
      Thread.currentThread().interrupt();
      assertThrows(LogInterruptedException.class, () -> follower.poll(LONG));
      assertTrue(Thread.interrupted());
    }
  }
}
