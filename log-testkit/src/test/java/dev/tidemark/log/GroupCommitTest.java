package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupCommitTest {
  private static final int WRITERS = 50;

  /// Room for all, so that no commit makes a window or a segment.
  private static final LogOptions OPTIONS = options().windowBytes(1 << 20).build();

  private final CrashStorage storage = new CrashStorage();

  @ParameterizedTest
  @EnumSource
  void nothingIsVisibleBeforeTheSyncAndAllIsAfterIt(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Tail tail = log.tail(1);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      List<Call<Long>> writers = writersBehind(gate, log, kind);

      assertEquals(WRITERS, log.appendedLsn());
      assertEquals(0, log.durableLsn());
      assertEquals(List.of(), records(log));
      assertNull(tail.poll(Duration.ofMillis(5)));
      SegmentImage written = new SegmentImage(storage.bytes(SegmentImage.fileName(1)));
      assertEquals(1, written.frames().size(), "the first group is written, and not synced");
      Position position = new Position(1, written.frames().getFirst().bodyOffset());
      assertThrows(RecordNotFoundException.class, () -> log.read(position));
      assertTrue(writers.stream().noneMatch(w -> w.result().isDone()));

      gate.release();
      TreeSet<Long> lsns = new TreeSet<>();
      for (Call<Long> writer : writers) {
        lsns.add(writer.join());
      }
      assertEquals(LongStream.rangeClosed(1, WRITERS).boxed().toList(), List.copyOf(lsns));
      assertEquals(WRITERS, log.durableLsn());
      assertEquals(WRITERS, records(log).size());
      assertArrayEquals(payload(7), log.read(position));
      for (int lsn = 1; lsn <= WRITERS; lsn++) {
        RecordView next = tail.next();
        assertTrue(next != null && next.lsn() == lsn);
      }
    }
  }

  /// Starts the writers: the first one's group stands at the gate, the others gather behind it.
  private static List<Call<Long>> writersBehind(Gate gate, Log log, ThreadKind kind)
      throws InterruptedException {
    List<Call<Long>> writers = new ArrayList<>(kind.start(1, () -> log.write(payload(7))));
    gate.awaitEntered();
    writers.addAll(kind.start(WRITERS - 1, () -> log.write(payload(7))));
    ThreadKind.await(() -> log.appendedLsn() == WRITERS);
    return writers;
  }

  @ParameterizedTest
  @EnumSource
  void writersThatGatherDuringASyncShareTheNextOne(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      storage.counts().reset();
      List<Call<Long>> writers = writersBehind(gate, log, kind);
      gate.release();
      for (Call<Long> writer : writers) {
        writer.join();
      }
      assertEquals(2, storage.counts().of(StorageOp.WRITE));
      assertEquals(2, storage.counts().of(StorageOp.SYNC));
      assertEquals(2, log.stats().groups());
    }
  }

  @Test
  void aSteadyGroupCostsOneWriteAndOneSyncAndNothingElse() throws Exception {
    try (Log log = Log.open(storage, OPTIONS)) {
      write(log, 1, 10);
      storage.counts().reset();
      write(log, 11, 110);
      assertEquals(100, storage.counts().of(StorageOp.WRITE));
      assertEquals(100, storage.counts().of(StorageOp.SYNC));
      log.writeBatch(payloads(111, 1000));
      assertEquals(101, storage.counts().of(StorageOp.WRITE));
      assertEquals(101, storage.counts().of(StorageOp.SYNC));
      for (StorageOp op : StorageOp.values()) {
        if (op != StorageOp.WRITE && op != StorageOp.SYNC) {
          assertEquals(0, storage.counts().of(op), op::toString);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void groupsOfManyWritersCostOneWriteAndOneSyncEach(ThreadKind kind) throws Exception {
    try (Log log = Log.open(storage, OPTIONS)) {
      storage.counts().reset();
      List<Call<Long>> writers =
          kind.start(
              16,
              () -> {
                long last = 0;
                for (int i = 0; i < 100; i++) {
                  last = log.write(payload(7));
                }
                return last;
              });
      for (Call<Long> writer : writers) {
        writer.join();
      }
      assertEquals(1600, log.durableLsn());
      assertEquals(log.stats().groups(), storage.counts().of(StorageOp.WRITE));
      assertEquals(log.stats().groups(), storage.counts().of(StorageOp.SYNC));
      assertEquals(1600, records(log).size());
    }
  }

  @Test
  void appendsDoNotWaitForASync() throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      Call<Long> writer = ThreadKind.PLATFORM.start(() -> log.write(payload(1)));
      gate.awaitEntered();
      for (int n = 2; n <= 100; n++) {
        assertEquals(n, log.append(payload(n)));
      }
      assertEquals(new LsnRange(101, 103), log.appendBatch(payloads(101, 103)));
      gate.release();
      writer.join();
      log.awaitDurable(103);
      assertHolds(log, 1, 103);
    }
  }

  @Test
  void anAwaitedRecordImpliesAllBeforeIt() throws Exception {
    try (Log log = Log.open(storage, OPTIONS)) {
      for (int n = 1; n <= 20; n++) {
        log.append(payload(n));
      }
      log.awaitDurable(5);
      try (Log recovered = Log.open(storage.crash(), OPTIONS)) {
        assertTrue(recovered.durableLsn() >= 5);
      }
    }
  }

  @Test
  void stagesCompleteOnlyOnceTheirRecordIsDurable() throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      List<CompletableFuture<Long>> stages = new ArrayList<>();
      AtomicInteger early = new AtomicInteger();
      for (int n = 1; n <= 20; n++) {
        stages.add(
            log.writeAsync(payload(n))
                .thenApply(
                    lsn -> {
                      if (log.durableLsn() < lsn) {
                        early.incrementAndGet();
                      }
                      return lsn;
                    })
                .toCompletableFuture());
      }
      gate.awaitEntered();
      assertTrue(stages.stream().noneMatch(CompletableFuture::isDone));
      gate.release();
      for (int n = 1; n <= 20; n++) {
        assertEquals(n, stages.get(n - 1).get(1, TimeUnit.MINUTES));
      }
      assertEquals(0, early.get());
      assertHolds(log, 1, 20);
    }
  }

  @ParameterizedTest
  @EnumSource
  void appendersBeyondTheStagingBoundWaitAndGoOn(ThreadKind kind) throws Exception {
    LogOptions bounded = options().stagingBytesMax(4096).windowBytes(1 << 20).build();
    try (Log log = Log.open(storage, bounded);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      CompletableFuture<Long> first = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      Call<Long> appender =
          kind.start(
              () -> {
                for (int n = 2; n <= 500; n++) {
                  log.append(payload(n));
                }
                return log.sync();
              });
      ThreadKind.awaitParked(appender.thread());
      long staged = log.stats().stagedBytes();
      assertTrue(staged <= 4096 && staged > 4096 - 2 * 72, () -> staged + " bytes");
      long appended = log.appendedLsn();
      assertTrue(appended < 500);
      Thread.sleep(20);
      assertEquals(appended, log.appendedLsn(), "it waits");
      assertFalse(first.isDone());
      gate.release();
      assertEquals(500, appender.join());
      assertHolds(log, 1, 500);
    }
  }

  /// It adds nothing, so that it would have to wait for others, and others for it.
  @Test
  void anEmptyBatchNeverWaitsForRoom() throws Exception {
    LogOptions bounded = options().stagingBytesMax(4096).windowBytes(1 << 20).build();
    try (Log log = Log.open(storage, bounded);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      CompletableFuture<Long> first = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      log.append(new byte[5000]);
      Call<Long> waiting = ThreadKind.PLATFORM.start(() -> log.append(payload(3)));
      ThreadKind.awaitParked(waiting.thread());
      Call<LsnRange> empty = ThreadKind.PLATFORM.start(() -> log.appendBatch(List.of()));
      assertEquals(new LsnRange(3, 2), empty.join());
      gate.release();
      assertEquals(1, first.get());
      assertEquals(3, waiting.join());
    }
  }

  @Test
  void aRecordOrBatchAboveTheStagingBoundIsTakenAlone() {
    LogOptions bounded = options().stagingBytesMax(4096).build();
    try (Log log = Log.open(storage, bounded)) {
      assertEquals(1, log.write(new byte[100_000]));
      log.append(payload(2));
      assertEquals(new LsnRange(3, 1002), log.writeBatch(payloads(3, 1002)));
      assertEquals(1003, log.write(payload(1003)));
      assertEquals(1003, records(log).size());
    }
  }

  @Test
  void closeTakesEveryWaiterWithIt() throws Exception {
    for (int round = 0; round < 20; round++) {
      CrashStorage fresh = new CrashStorage();
      Log log = Log.open(fresh, options().stagingBytesMax(4096).windowBytes(1 << 20).build());
      List<Call<Long>> writers =
          ThreadKind.PLATFORM.start(
              8,
              () -> {
                long acknowledged = 0;
                try {
                  while (true) {
                    acknowledged = log.write(payload(7));
                  }
                } catch (LogClosedException e) {
                  return acknowledged;
                }
              });
      ThreadKind.await(() -> log.durableLsn() > 50);
      log.close();
      long last = 0;
      for (Call<Long> writer : writers) {
        last = Math.max(last, writer.join());
      }
      assertEquals(log.appendedLsn(), log.durableLsn());
      assertTrue(last <= log.durableLsn());
      try (Log reopened = Log.open(fresh.crash(), OPTIONS)) {
        assertTrue(reopened.recovery() instanceof RecoveryReport.Clean);
        assertEquals(log.durableLsn(), reopened.durableLsn());
      }
    }
  }
}
