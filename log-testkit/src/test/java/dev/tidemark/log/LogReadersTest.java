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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Replays, tails and point reads.
class LogReadersTest {
  private static final LogOptions SMALL = smallSegments().build();

  private final CrashStorage storage = new CrashStorage();

  @Test
  void aReplayBeginsAtAnyLsnOfAnySegmentAndBatch() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 40);
      log.writeBatch(payloads(41, 60));
      write(log, 61, 100);
      assertTrue(log.stats().segments() >= 3);
      for (long from = 1; from <= 101; from++) {
        List<LogRecord> records = records(log, from);
        assertEquals(101 - from, records.size());
        for (LogRecord record : records) {
          assertArrayEquals(payload(record.lsn()), record.payload());
        }
      }
    }
  }

  @Test
  void aReplayEndsAtTheDurableLsnOfItsMaking() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 10);
      try (Replay replay = log.replay(1)) {
        write(log, 11, 100);
        assertEquals(10, drain(replay));
        assertNull(replay.next(), "the end stays the end");
      }
      try (Replay empty = log.replay(101)) {
        write(log, 101, 101);
        assertNull(empty.next());
      }
    }
  }

  @Test
  void aReplaySurvivesTrims() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      int files = storage.openHandles();
      Replay replay = log.replay(1);
      assertEquals(1, Objects.requireNonNull(replay.next()).lsn());
      log.trimBefore(151);
      assertEquals(1, storage.files().size());
      assertEquals(149, drain(replay));
      assertTrue(storage.openHandles() < files, "a replay gives its files free at its end");
      assertEquals(1, storage.openHandles());
      replay.close();
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aReplayLetsAFileGoWithTheLastRecordThatItReadsThere() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      List<Long> firsts = records(log).stream().map(r -> r.position().segment()).toList();
      Replay replay = log.replay(1);
      log.trimBefore(151);
      for (int i = 0; i < 150; i++) {
        assertEquals(i + 1, Objects.requireNonNull(replay.next()).lsn());
        long toCome = firsts.stream().skip(i + 1).distinct().count();
        // And the log's own.
        assertEquals(toCome + 1, storage.openHandles(), "at LSN " + (i + 1));
      }
      assertNull(replay.next());
    }
  }

  @Test
  void aReplayThatIsClosedEarlyGivesItsFilesFree() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      Replay replay = log.replay(1);
      assertNotNull(replay.next());
      log.trimBefore(151);
      replay.close();
      replay.close();
      assertNull(replay.next());
      assertEquals(1, storage.openHandles());
    }
  }

  @Test
  void aViewShowsTheRecordWithoutCopyingIt() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 2);
      try (Replay replay = log.replay(2)) {
        RecordView view = Objects.requireNonNull(replay.next());
        assertEquals(2, view.lsn());
        assertEquals(64, view.length());
        MemorySegment payload = view.payload();
        assertTrue(payload.isReadOnly());
        assertArrayEquals(payload(2), payload.toArray(ValueLayout.JAVA_BYTE));
        assertArrayEquals(payload(2), view.toBytes());
        assertArrayEquals(payload(2), log.read(view.position()));
      }
    }
  }

  @Test
  void whatWasTrimmedOrNeverWasCannotBeReplayed() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      Position first = records(log).getFirst().position();
      log.trimBefore(50);
      assertTrue(log.firstLsn() > 1);
      assertThrows(RecordNotFoundException.class, () -> log.replay(1));
      assertThrows(RecordNotFoundException.class, () -> log.replay(0));
      assertThrows(RecordNotFoundException.class, () -> log.tail(1));
      assertThrows(RecordNotFoundException.class, () -> log.tail(-5));
      assertThrows(RecordNotFoundException.class, () -> log.read(first));
    }
  }

  @Test
  void aPointReadIsOneReadAndNoStat() {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      List<LogRecord> records = records(log);
      storage.counts().reset();
      for (LogRecord record : records) {
        assertArrayEquals(record.payload(), log.read(record.position()));
      }
      assertEquals(100, storage.counts().of(StorageOp.READ));
      assertEquals(0, storage.counts().of(StorageOp.SIZE));
      assertEquals(0, storage.counts().of(StorageOp.OPEN));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTailGivesRecordsAsTheyComeAcrossSegments(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 50);
      try (Tail tail = log.tail(20)) {
        Call<Integer> reader =
            kind.start(
                () -> {
                  for (long lsn = 20; lsn <= 500; lsn++) {
                    RecordView view = Objects.requireNonNull(tail.next());
                    assertEquals(lsn, view.lsn());
                    assertArrayEquals(payload(lsn), view.toBytes());
                    assertTrue(lsn <= log.durableLsn());
                  }
                  return 481;
                });
        write(log, 51, 300);
        log.writeBatch(payloads(301, 450));
        write(log, 451, 500);
        assertEquals(481, reader.join());
        assertNull(tail.poll(Duration.ZERO));
        write(log, 501, 501);
        assertEquals(501, Objects.requireNonNull(tail.poll(Duration.ofMinutes(1))).lsn());
      }
    }
  }

  @Test
  void aTailMayBeginAtTheNextRecord() throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 10);
      try (Tail tail = log.tail(11)) {
        assertNull(tail.poll(Duration.ofMillis(1)));
        write(log, 11, 11);
        assertEquals(11, Objects.requireNonNull(tail.next()).lsn());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingATailWakesItsReader(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      Tail tail = log.tail(1);
      Call<String> reader = kind.start(() -> shown(tail.next()));
      ThreadKind.awaitParked(reader.thread());
      tail.close();
      assertEquals("null", reader.join());
      assertNull(tail.next());
      write(log, 1, 1);
    }
    assertEquals(0, storage.openHandles());
  }

  @ParameterizedTest
  @EnumSource
  void closingTheLogEndsItsTailsBehindTheLastRecord(ThreadKind kind) throws Exception {
    Log log = Log.open(storage, SMALL);
    Tail waiting = log.tail(1);
    Tail behind = log.tail(1);
    Call<List<String>> reader =
        kind.start(
            () -> {
              List<String> seen = new ArrayList<>();
              RecordView view;
              do {
                view = waiting.next();
                seen.add(shown(view));
              } while (view != null);
              return seen;
            });
    write(log, 1, 2);
    log.append(payload(3));
    log.close();
    assertEquals(List.of("1", "2", "3", "null"), reader.join());
    for (int lsn = 1; lsn <= 3; lsn++) {
      assertEquals(lsn, Objects.requireNonNull(behind.next()).lsn());
    }
    assertNull(behind.next());
    waiting.close();
    behind.close();
    assertEquals(0, storage.openHandles());
  }

  private static String shown(@Nullable RecordView view) {
    return view == null ? "null" : String.valueOf(view.lsn());
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedTailGoesOnAfterwards(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, SMALL);
        Tail tail = log.tail(1)) {
      Call<String> reader = kind.start(() -> shown(tail.next()));
      ThreadKind.awaitParked(reader.thread());
      reader.thread().interrupt();
      assertThrows(LogInterruptedException.class, reader::join);
      write(log, 1, 1);
      assertEquals(1, Objects.requireNonNull(tail.next()).lsn());
    }
  }

  @Test
  void aTailThatATrimOvertookSaysSo() throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 150);
      try (Tail tail = log.tail(1)) {
        assertEquals(1, Objects.requireNonNull(tail.next()).lsn());
        log.trimBefore(151);
        for (int lsn = 2; lsn <= 33; lsn++) {
          assertEquals(lsn, Objects.requireNonNull(tail.next()).lsn(), "its file is still held");
        }
        assertThrows(RecordNotFoundException.class, tail::next);
      }
      assertEquals(1, storage.openHandles());
    }
  }

  @Test
  void aTailIsBoundedInMemoryHoweverFarItIsBehind() throws Exception {
    LogOptions options = options().build();
    try (Log log = Log.open(storage, options)) {
      for (int n = 1; n <= 200; n++) {
        log.append(new byte[50_000]);
      }
      log.sync();
      storage.counts().reset();
      try (Tail tail = log.tail(1)) {
        assertEquals(1, Objects.requireNonNull(tail.next()).lsn());
        assertTrue(storage.counts().of(StorageOp.READ) <= 4, "it does not read all at once");
      }
    }
  }

  @Test
  void readersAndTrimsAndWritersDoNotDisturbEachOther() throws Exception {
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 10);
      List<Call<Long>> calls = new ArrayList<>();
      calls.add(
          ThreadKind.PLATFORM.start(
              () -> {
                write(log, 11, 3000);
                return 3000L;
              }));
      calls.add(
          ThreadKind.PLATFORM.start(
              () -> {
                while (log.durableLsn() < 3000) {
                  log.trimBefore(log.durableLsn() - 100);
                }
                return 0L;
              }));
      for (int i = 0; i < 3; i++) {
        calls.add(ThreadKind.VIRTUAL.start(() -> replayOn(log)));
      }
      for (Call<Long> call : calls) {
        call.join();
      }
      assertHolds(log, log.firstLsn(), 3000);
      assertEquals(log.stats().segments(), storage.openHandles());
    }
    assertEquals(0, storage.openHandles());
  }

  private static long replayOn(Log log) {
    long seen = 0;
    while (log.durableLsn() < 3000) {
      try (Replay replay = log.replay(log.firstLsn())) {
        for (RecordView view = replay.next(); view != null; view = replay.next()) {
          assertArrayEquals(payload(view.lsn()), view.toBytes());
          if (view.lsn() % 50 == 0) {
            assertArrayEquals(payload(view.lsn()), readUnlessTrimmed(log, view));
          }
          seen = view.lsn();
        }
      } catch (RecordNotFoundException e) {
        assertTrue(log.firstLsn() > 1, "a trim came between");
      }
    }
    return seen;
  }

  private static byte[] readUnlessTrimmed(Log log, RecordView view) {
    try {
      return log.read(view.position());
    } catch (RecordNotFoundException e) {
      return view.toBytes();
    }
  }

  private static int drain(Replay replay) {
    int count = 0;
    while (replay.next() != null) {
      count++;
    }
    return count;
  }
}
