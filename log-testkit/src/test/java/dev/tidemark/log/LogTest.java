package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.open;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
  private final CrashStorage storage = new CrashStorage();

  @Test
  void aNewLogIsEmpty() {
    try (Log log = open(storage)) {
      assertEquals(1, log.firstLsn());
      assertEquals(0, log.appendedLsn());
      assertEquals(0, log.durableLsn());
      assertEquals(0, log.sync());
      assertEquals(List.of(), records(log));
      assertInstanceOf(RecoveryReport.Created.class, log.recovery());
    }
  }

  @Test
  void lsnsAreDenseAndStartAtOne() throws Exception {
    try (Log log = open(storage)) {
      assertEquals(1, log.write(payload(1)));
      assertEquals(2, log.append(payload(2)));
      assertEquals(3, log.append(ByteBuffer.wrap(payload(3))));
      assertEquals(new LsnRange(4, 6), log.writeBatch(payloads(4, 6)));
      assertEquals(new LsnRange(7, 7), log.appendBatch(payloads(7, 7)));
      assertEquals(8, log.writeAsync(payload(8)).toCompletableFuture().get(1, TimeUnit.MINUTES));
      assertEquals(8, log.appendedLsn());
      assertHolds(log, 1, 8);
    }
    try (Log log = open(storage)) {
      assertEquals(9, log.write(payload(9)));
      assertHolds(log, 1, 9);
    }
  }

  @Test
  void aWrittenRecordSurvivesAPowerFailure() {
    try (Log log = open(storage)) {
      write(log, 1, 3);
      try (Log recovered = open(storage.crash())) {
        assertHolds(recovered, 1, 3);
      }
    }
  }

  @Test
  void anAppendedRecordIsDurableOnceItWasAwaited() {
    try (Log log = open(storage)) {
      long lsn = log.append(payload(1));
      log.awaitDurable(lsn);
      assertEquals(1, log.durableLsn());
      try (Log recovered = open(storage.crash())) {
        assertHolds(recovered, 1, 1);
      }
    }
  }

  @Test
  void syncMakesAllThatWasAppendedDurable() {
    try (Log log = open(storage)) {
      for (int n = 1; n <= 10; n++) {
        log.append(payload(n));
      }
      assertEquals(10, log.sync());
      try (Log recovered = open(storage.crash())) {
        assertHolds(recovered, 1, 10);
      }
    }
  }

  @Test
  void anAppendedRecordNobodyAwaitsBecomesDurableByItself() throws Exception {
    try (Log log = open(storage);
        Tail tail = log.tail(1)) {
      log.append(payload(1));
      RecordView record = tail.next();
      assertTrue(record != null && record.lsn() == 1);
      assertEquals(1, log.durableLsn());
    }
  }

  @Test
  void aLsnThatWasNeverAppendedCannotBeAwaited() {
    try (Log log = open(storage)) {
      write(log, 1, 1);
      assertThrows(InvalidRecordException.class, () -> log.awaitDurable(2));
    }
  }

  @Test
  void emptyRecordsAreRecords() {
    try (Log log = open(storage)) {
      assertEquals(1, log.write(new byte[0]));
      assertEquals(new LsnRange(2, 3), log.writeBatch(List.of(new byte[0], new byte[0])));
      assertEquals(4, log.append(ByteBuffer.allocate(0)));
    }
    try (Log log = open(storage)) {
      List<LogRecord> records = records(log);
      assertEquals(4, records.size());
      for (LogRecord record : records) {
        assertEquals(0, record.payload().length);
        assertEquals(0, log.read(record.position()).length);
      }
    }
  }

  @Test
  void anEmptyBatchTakesNoLsn() {
    try (Log log = open(storage)) {
      assertEquals(new LsnRange(1, 0), log.writeBatch(List.of()));
      write(log, 1, 2);
      assertEquals(new LsnRange(3, 2), log.appendBatch(List.of()));
      write(log, 3, 3);
      assertHolds(log, 1, 3);
    }
  }

  @Test
  void aRecordOverTheLimitIsRejectedBeforeItGetsAnLsn() {
    LogOptions options = options().recordBytesMax(100).batchBytesMax(400).build();
    try (Log log = Log.open(storage, options)) {
      byte[] large = new byte[101];
      var rejected = assertThrows(InvalidRecordException.class, () -> log.write(large));
      assertTrue(String.valueOf(rejected.getMessage()).contains("101"), rejected::getMessage);
      assertThrows(InvalidRecordException.class, () -> log.append(large));
      assertThrows(InvalidRecordException.class, () -> log.append(ByteBuffer.wrap(large)));
      assertThrows(InvalidRecordException.class, () -> writeAsync(log, large));
      assertThrows(InvalidRecordException.class, () -> log.writeBatch(List.of(payload(1), large)));
      byte[] hundred = new byte[100];
      assertThrows(
          InvalidRecordException.class,
          () -> log.writeBatch(List.of(hundred, hundred, hundred, hundred)),
          "a batch counts its records' headers");
      assertEquals(0, log.appendedLsn());
      assertEquals(new LsnRange(1, 3), log.writeBatch(List.of(hundred, hundred, hundred)));
    }
  }

  /// Rejected at once or through the stage: either way by the same type.
  private static void writeAsync(Log log, byte[] payload) {
    try {
      log.writeAsync(payload).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof InvalidRecordException invalid ? invalid : e;
    }
  }

  @Test
  void aBuffersRemainingBytesAreTheRecordAndItsPositionStays() {
    ByteBuffer heap = ByteBuffer.wrap(payload(1)).position(3).limit(10);
    ByteBuffer direct = ByteBuffer.allocateDirect(64).put(payload(1)).position(3).limit(10);
    byte[] expected = java.util.Arrays.copyOfRange(payload(1), 3, 10);
    try (Log log = open(storage)) {
      log.append(heap);
      log.append(direct);
      log.append(heap.asReadOnlyBuffer());
      log.sync();
      assertEquals(3, heap.position());
      assertEquals(3, direct.position());
      for (LogRecord record : records(log)) {
        assertArrayEquals(expected, record.payload());
      }
    }
  }

  @Test
  void aPayloadMayBeChangedOnceItWasAppended() {
    try (Log log = open(storage)) {
      byte[] mine = payload(1);
      log.append(mine);
      mine[0]++;
      log.sync();
      assertHolds(log, 1, 1);
    }
  }

  @Test
  void recordsOfAllSizesAreReadByPosition() {
    try (Log log = open(storage)) {
      int[] sizes = {1, 4000, 4040, 4088, 4089, 5000, 70_000, 1 << 20};
      for (int size : sizes) {
        log.append(new byte[size]);
        byte[] bytes = new byte[size];
        java.util.Arrays.fill(bytes, (byte) size);
        log.append(bytes);
      }
      log.sync();
      for (LogRecord record : records(log)) {
        assertArrayEquals(record.payload(), log.read(record.position()));
        assertEquals(sizes[(int) (record.lsn() - 1) / 2], record.payload().length);
      }
    }
  }

  @Test
  void aPositionStaysValidAcrossRestarts() {
    Position position;
    try (Log log = open(storage)) {
      write(log, 1, 5);
      position = records(log).get(2).position();
    }
    try (Log log = open(storage)) {
      write(log, 6, 6);
      assertArrayEquals(payload(3), log.read(position));
    }
  }

  @Test
  void aPositionWithoutARecordIsRefused() {
    try (Log log = open(storage)) {
      write(log, 1, 2);
      assertThrows(RecordNotFoundException.class, () -> log.read(new Position(7, 4144)));
      assertThrows(RecordNotFoundException.class, () -> log.read(new Position(1, 1 << 20)));
      assertThrows(RecordNotFoundException.class, () -> log.read(new Position(1, -1)));
      assertThrows(RecordNotFoundException.class, () -> log.read(new Position(1, 0)));
      assertThrows(LogException.class, () -> log.read(new Position(1, 4145)));
    }
  }

  @Test
  void logTimeNeverFalls() {
    AtomicLong now = new AtomicLong(5_000);
    LogOptions options = options().clock(now::get).build();
    try (Log log = Log.open(storage, options)) {
      log.write(payload(1));
      now.set(4_000);
      log.write(payload(2));
      now.set(6_000);
      log.write(payload(3));
    }
    now.set(1_000);
    try (Log log = Log.open(storage, options)) {
      log.write(payload(4));
      assertEquals(
          List.of(5_000L, 5_000L, 6_000L, 6_000L),
          records(log).stream().map(LogRecord::timeMs).toList());
    }
  }

  @Test
  void closeMakesAppendedRecordsDurableAndSaysSo() {
    try (Log log = open(storage)) {
      write(log, 1, 2);
      log.append(payload(3));
    }
    try (Log log = open(storage.crash())) {
      var clean = assertInstanceOf(RecoveryReport.Clean.class, log.recovery());
      assertEquals(new RecoveryReport.Clean(3, 1, 3), clean);
      assertHolds(log, 1, 3);
    }
  }

  @Test
  void aLogThatWasNotClosedSaysSo() {
    try (Log log = open(storage)) {
      write(log, 1, 2);
      try (Log recovered = open(storage.copy())) {
        assertEquals(new RecoveryReport.Unclosed(2, 1, 2), recovered.recovery());
      }
    }
  }

  @Test
  void aClosedLogRefuses() {
    Log log = open(storage);
    write(log, 1, 1);
    Position position = records(log).getFirst().position();
    log.close();
    log.close();

    assertThrows(LogClosedException.class, () -> log.append(payload(2)));
    assertThrows(LogClosedException.class, () -> log.write(payload(2)));
    assertThrows(LogClosedException.class, () -> log.writeBatch(payloads(2, 3)));
    assertThrows(LogClosedException.class, () -> log.read(position));
    assertThrows(LogClosedException.class, () -> log.replay(1));
    assertThrows(LogClosedException.class, () -> log.tail(1));
    assertThrows(LogClosedException.class, () -> log.trimBefore(1));
    assertEquals(1, log.durableLsn());
    log.awaitDurable(1);
    assertEquals(0, storage.openHandles());
  }

  @Test
  void closeLeavesNoFileOpenOnceItsReadersAreDone() {
    Log log = open(storage);
    write(log, 1, 3);
    Replay replay = log.replay(1);
    Tail tail = log.tail(1);
    log.close();

    for (int n = 1; n <= 3; n++) {
      RecordView record = replay.next();
      assertTrue(record != null && record.lsn() == n, "a replay may outlive the log");
    }
    assertEquals(null, replay.next());
    tail.close();
    assertEquals(0, storage.openHandles());
  }

  @Test
  void statsCountWhatWasDone() {
    try (Log log = open(storage)) {
      write(log, 1, 3);
      log.writeBatch(payloads(4, 6));
      LogStats stats = log.stats();
      assertEquals(6, stats.records());
      assertEquals(6 * TestRecords.PAYLOAD_BYTES, stats.payloadBytes());
      assertEquals(4, stats.groups());
      assertEquals(4, stats.writes());
      assertEquals(4, stats.syncs());
      assertEquals(0, stats.stagedBytes());
      assertEquals(1, stats.segments());
      assertEquals(storage.bytes(storage.files().getFirst()).length, stats.diskBytes());
    }
  }

  @Test
  void aLogInADirectoryOfTheFileSystemKeepsItsRecords(@TempDir Path folder) {
    Path directory = folder.resolve("new").resolve("log");
    try (Log log = Log.open(directory, options().build())) {
      write(log, 1, 100);
      assertHolds(log, 1, 100);
    }
    try (Log log = Log.open(directory, options().build())) {
      assertInstanceOf(RecoveryReport.Clean.class, log.recovery());
      write(log, 101, 110);
      assertHolds(log, 1, 110);
    }
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> LogOptions.builder().segmentBytesMax(1).build());
    assertThrows(
        IllegalArgumentException.class, () -> LogOptions.builder().windowBytes(4097).build());
    assertThrows(
        IllegalArgumentException.class, () -> LogOptions.builder().recordBytesMax(0).build());
    assertFalse(LogOptions.defaults().witnessDelay().isNegative());
  }
}
