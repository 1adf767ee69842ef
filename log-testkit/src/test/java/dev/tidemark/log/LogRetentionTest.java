package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageOp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// What a log deletes by itself, what it never deletes, and what stays open for whom.
class LogRetentionTest {
  private static final Duration AGE = Duration.ofHours(1);

  private final CrashStorage storage = new CrashStorage();
  private final AtomicLong now = new AtomicLong(1_000_000);

  private LogOptions.Builder options() {
    return smallSegments().clock(now::get);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toMillis());
  }

  @Test
  void nothingIsDeletedUnlessAsked() throws IOException {
    try (Log log = Log.open(storage, options().build())) {
      write(log, 1, 100);
      pass(Duration.ofDays(10_000));
      write(log, 101, 300);
      log.retention().apply();
      assertHolds(log, 1, 300);
    }
  }

  @Test
  void theOldestSegmentsGoAfterARotationOnceTheLogIsTooLarge() throws Exception {
    LogOptions limited = options().retentionBytesMax(4 * 8192).build();
    try (Log log = Log.open(storage, limited)) {
      write(log, 1, 200);
      // By itself; 200 is in the seventh segment of 33.
      ThreadKind.await(() -> log.firstLsn() == 100);
      assertEquals(4, log.stats().segments());
      assertHolds(log, 100, 200);
    }
    assertEquals(4, storage.files().size());
  }

  @Test
  void anOpenDeletesWhatIsTooMuchForItsLimit() throws Exception {
    try (Log log = Log.open(storage, options().build())) {
      write(log, 1, 200);
    }
    try (Log log = Log.open(storage, options().retentionBytesMax(8192).build())) {
      ThreadKind.await(() -> log.firstLsn() == 199);
      assertHolds(log, 199, 200);
    }
  }

  @Test
  void theActiveSegmentStaysHoweverLargeItIs() throws IOException {
    try (Log log = Log.open(storage, options().retentionBytesMax(0).build())) {
      write(log, 1, 20);
      log.retention().apply();
      assertHolds(log, 1, 20);
    }
  }

  @Test
  void recordsGoNoSoonerThanTheirAgeAndWithinTwiceOfIt() throws IOException {
    try (Log log = Log.open(storage, options().retentionAge(AGE).build())) {
      write(log, 1, 50);
      pass(AGE.minusMillis(1));
      write(log, 51, 100);
      log.retention().apply();
      assertHolds(log, 1, 100);
      pass(Duration.ofMillis(1));
      log.retention().apply();
      assertHolds(log, 34, 100);
      // The others lie in segments that were made or finished later.
      pass(AGE);
      log.retention().apply();
      log.retention().apply();
      assertTrue(log.firstLsn() > 50, () -> "LSN " + log.firstLsn() + " is kept");
    }
  }

  @Test
  void aLogThatNeverRotatesGivesUpItsOldRecordsToo() throws IOException {
    try (Log log = Log.open(storage, options().retentionAge(AGE).build())) {
      write(log, 1, 3);
      pass(AGE.minusMillis(1));
      log.retention().apply();
      assertHolds(log, 1, 3);
      pass(Duration.ofMillis(1));
      log.retention().apply();
      // Their segment is finished, and old enough once the next one is.
      assertEquals(2, log.stats().segments());
      pass(AGE.minusMillis(1));
      write(log, 4, 4);
      log.retention().apply();
      assertHolds(log, 1, 4);
      pass(Duration.ofMillis(1));
      log.retention().apply();
      assertHolds(log, 4, 4);
      pass(AGE);
      log.retention().apply();
      assertEquals(5, log.firstLsn());
      assertEquals(1, log.stats().segments());
    }
  }

  @Test
  void aClockThatRunsBackDeletesNothing() throws IOException {
    try (Log log = Log.open(storage, options().retentionAge(AGE).build())) {
      write(log, 1, 50);
      now.set(0);
      log.retention().apply();
      write(log, 51, 100);
      log.retention().apply();
      assertHolds(log, 1, 100);
    }
  }

  @Test
  void whatACursorHoldsStaysWhateverItsSizeAndAge() throws IOException {
    LogOptions limited = options().retentionBytesMax(8192).retentionAge(AGE).build();
    try (Log log = Log.open(storage, limited)) {
      Cursor checkpoint = log.cursor("checkpoint");
      write(log, 1, 200);
      pass(AGE.multipliedBy(3));
      log.retention().apply();
      assertHolds(log, 1, 200);
      checkpoint.advance(120);
      log.retention().apply();
      assertHolds(log, 100, 200);
      log.removeCursor("checkpoint");
      log.retention().apply();
      assertTrue(log.firstLsn() > 165, () -> "LSN " + log.firstLsn() + " is kept");
    }
  }

  @Test
  void aCursorBeyondItsLagIsPassed() throws IOException {
    LogOptions limited = options().retentionBytesMax(8192).cursorLagMax(3 * 8192).build();
    try (Log log = Log.open(storage, limited)) {
      log.cursor("late");
      write(log, 1, 200);
      log.retention().apply();
      assertEquals(133, log.firstLsn());
      assertEquals(132, log.cursors().getFirst().lostRecords());
    }
  }

  @Test
  void aDeletionThatFailsIsCountedTriedAgainAndFailsNothing() throws Exception {
    try (Log log = Log.open(storage, options().retentionBytesMax(8192).build())) {
      storage.faults().failFrom(StorageOp.DELETE, 1);
      write(log, 1, 100);
      ThreadKind.await(() -> log.stats().retentionFailures() > 0);
      assertThrows(IOException.class, () -> log.retention().apply());
      assertHolds(log, 1, 100);
      storage.faults().clear();
      // Nothing else is asked of the log.
      ThreadKind.await(() -> log.firstLsn() == 100);
      assertHolds(log, 100, 100);
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void handlesAreClosedWithTheirLastReader() {
    try (Log log = Log.open(storage, options().build())) {
      write(log, 1, 200);
      log.cursor("a").advance(201);
      assertEquals(7 + 1, log.stats().handles());
      Replay replay = log.replay(1);
      Replay other = log.replay(40);
      log.trimBefore(180);
      // The files of LSNs 1 to 165 are deleted and being read.
      assertEquals(2 + 5 + 1, log.stats().handles());
      assertEquals(log.stats().handles(), storage.openHandles());
      for (int lsn = 1; lsn <= 33; lsn++) {
        RecordView record = replay.next();
        assertTrue(record != null && record.lsn() == lsn);
      }
      assertEquals(2 + 4 + 1, storage.openHandles(), "no other call is needed");
      assertEquals(storage.openHandles(), log.stats().handles());
      replay.close();
      assertEquals(2 + 4 + 1, log.stats().handles(), "another one reads them");
      other.close();
      assertEquals(2 + 1, storage.openHandles());
      assertEquals(2 + 1, log.stats().handles());
      assertEquals(2, log.stats().segments());
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void readersRaceWithRetention() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Log log = Log.open(storage, options().retentionBytesMax(3 * 8192).build())) {
      write(log, 1, 1);
      List<Call<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(ThreadKind.PLATFORM.start(() -> replayUntil(over, log)));
      }
      for (int lsn = 2; lsn <= 6000; lsn++) {
        log.append(payload(lsn));
        if (lsn % 10 == 0) {
          log.sync();
        }
      }
      over.set(true);
      for (Call<Long> reader : readers) {
        reader.join();
      }
      log.retention().apply();
      LogStats stats = log.stats();
      assertTrue(stats.segments() <= 3, stats::toString);
      assertEquals(stats.segments(), stats.handles());
      assertEquals(stats.handles(), storage.openHandles());
    }
    assertEquals(0, storage.openHandles());
  }

  /// Each replay is whole, from the first LSN that was there to the last.
  private static long replayUntil(AtomicBoolean over, Log log) {
    long replays = 0;
    while (!over.get()) {
      long lsn = log.firstLsn();
      try (Replay replay = log.replay(lsn)) {
        for (RecordView r = replay.next(); r != null; r = replay.next()) {
          assertEquals(lsn, r.lsn());
          assertArrayEquals(payload(lsn), r.toBytes());
          lsn++;
        }
        replays++;
      } catch (RecordNotFoundException e) {
        // Trimmed between the two calls.
        assertTrue(log.firstLsn() > lsn);
      }
    }
    return replays;
  }

  @Test
  void settingsAreChecked() {
    for (LogOptions.Builder bad :
        List.of(
            options().cursorLagMax(-1),
            options().retentionBytesMax(-1),
            options().retentionAge(Duration.ofNanos(1)),
            options().retentionAge(Duration.ofMillis(-1)))) {
      assertThrows(IllegalArgumentException.class, bad::build);
    }
  }
}
