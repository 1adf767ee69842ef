package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Interrupting a caller harms no one else, whatever the caller was doing, and never the log.
class LogInterruptTest {
  private static final LogOptions OPTIONS = options().windowBytes(1 << 20).build();

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @ParameterizedTest
  @EnumSource
  void anInterruptedWaiterLeavesAndItsRecordStays(ThreadKind kind) throws Exception {
    anInterruptedWaiterLeaves(kind, new CrashStorage());
    anInterruptedWaiterLeaves(kind, CrashStorage.interruptible());
  }

  private static void anInterruptedWaiterLeaves(ThreadKind kind, CrashStorage storage)
      throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      Call<Long> first = kind.start(() -> log.write(payload(1)));
      gate.awaitEntered();
      AtomicBoolean statusKept = new AtomicBoolean();
      Call<Long> second =
          kind.start(
              () -> {
                try {
                  return log.write(payload(2));
                } finally {
                  statusKept.set(Thread.currentThread().isInterrupted());
                }
              });
      ThreadKind.await(() -> log.appendedLsn() == 2);
      ThreadKind.awaitParked(second.thread());
      second.thread().interrupt();
      var interrupted = assertThrows(LogInterruptedException.class, second::join);
      assertEquals(2, interrupted.lsn());
      assertTrue(statusKept.get());

      gate.release();
      assertEquals(1, first.join());
      log.awaitDurable(2);
      write(log, 3, 5);
      assertHolds(log, 1, 5);
    }
    try (Log log = Log.open(storage.crash(), OPTIONS)) {
      assertHolds(log, 1, 5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedLeaderFinishesItsGroupForAll(ThreadKind kind) throws Exception {
    anInterruptedLeaderFinishes(kind, new CrashStorage());
    anInterruptedLeaderFinishes(kind, CrashStorage.interruptible());
  }

  private static void anInterruptedLeaderFinishes(ThreadKind kind, CrashStorage storage)
      throws Exception {
    try (Log log = Log.open(storage, OPTIONS);
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      long lsn = log.append(payload(1));
      Call<Long> leader =
          kind.start(
              () -> {
                log.awaitDurable(lsn);
                return lsn;
              });
      gate.awaitEntered();
      Call<Long> other = kind.start(() -> log.write(payload(2)));
      ThreadKind.await(() -> log.appendedLsn() == 2);
      leader.thread().interrupt();
      Thread.sleep(5);
      gate.release();
      try {
        assertEquals(1, leader.join());
      } catch (LogInterruptedException e) {
        assertEquals(1, e.lsn());
      }
      assertEquals(2, other.join());
      write(log, 3, 5);
      assertHolds(log, 1, 5);
    }
  }

  @Test
  void aCallerThatWasInterruptedBeforeMayDoAnything() throws Exception {
    for (CrashStorage storage : List.of(new CrashStorage(), CrashStorage.interruptible())) {
      LogOptions options = smallSegments().build();
      try (Log log = Log.open(storage, options)) {
        Call<Long> call =
            ThreadKind.PLATFORM.start(
                () -> {
                  Thread.currentThread().interrupt();
                  for (int n = 1; n <= 100; n++) {
                    try {
                      log.write(payload(n));
                    } catch (LogInterruptedException e) {
                      assertEquals(n, e.lsn());
                    }
                  }
                  assertTrue(Thread.interrupted());
                  log.sync();
                  Thread.currentThread().interrupt();
                  for (LogRecord record : records(log)) {
                    assertArrayEquals(payload(record.lsn()), log.read(record.position()));
                  }
                  log.trimBefore(50);
                  log.stats();
                  assertTrue(Thread.interrupted());
                  return log.firstLsn();
                });
        long firstLsn = call.join();
        assertTrue(firstLsn <= 50);
        assertEquals(101, log.write(payload(101)));
        assertHolds(log, firstLsn, 101);
      }
    }
  }

  @Test
  void anInterruptedOpenOpensOrSaysSoAndHarmsNothing() throws Exception {
    for (CrashStorage storage : List.of(new CrashStorage(), CrashStorage.interruptible())) {
      try (Log log = Log.open(storage, OPTIONS)) {
        write(log, 1, 3);
      }
      Thread.currentThread().interrupt();
      try {
        Log.open(storage, OPTIONS).close();
      } catch (LogIoException e) {
        assertFalse(storage.interruptSafe());
        assertInstanceOf(ClosedByInterruptException.class, e.getCause());
      }
      assertTrue(Thread.interrupted());
      assertEquals(0, storage.openHandles());
      try (Log log = Log.open(storage, OPTIONS)) {
        assertHolds(log, 1, 3);
      }
    }
  }

  @Test
  void anInterruptedCloseStillCloses() throws Exception {
    for (CrashStorage storage : List.of(new CrashStorage(), CrashStorage.interruptible())) {
      Log log = Log.open(storage, OPTIONS);
      write(log, 1, 3);
      log.append(payload(4));
      Thread.currentThread().interrupt();
      log.close();
      assertTrue(Thread.interrupted());
      assertEquals(0, storage.openHandles());
      try (Log reopened = Log.open(storage.crash(), OPTIONS)) {
        assertEquals(new RecoveryReport.Clean(4, 1, 4), reopened.recovery());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStormOfInterruptsOnRealFilesHarmsNoOne(ThreadKind kind, @TempDir Path folder)
      throws Exception {
    storm(kind, FileStorage.at(folder.resolve("default")));
    storm(kind, FileStorage.withoutNativeAccess(folder.resolve("channels")));
  }

  private void storm(ThreadKind kind, Storage storage) throws Exception {
    LogOptions options = smallSegments().stagingBytesMax(4096).build();
    Map<Long, byte[]> acknowledged = new ConcurrentHashMap<>();
    try (Log log = Log.open(storage, options)) {
      AtomicBoolean over = new AtomicBoolean();
      List<Call<Integer>> writers = new ArrayList<>();
      for (int w = 0; w < 6; w++) {
        int writer = w;
        writers.add(kind.start(() -> writeOn(log, writer, over, acknowledged)));
      }
      // One that nobody interrupts.
      Call<Integer> calm = kind.start(() -> writeCalmly(log, over, acknowledged));
      for (int i = 0; i < 300; i++) {
        writers.get(random.nextInt(writers.size())).thread().interrupt();
        Thread.sleep(0, random.nextInt(900_000));
      }
      over.set(true);
      int interrupts = 0;
      for (Call<Integer> writer : writers) {
        interrupts += writer.join();
      }
      assertTrue(interrupts > 0, "some came while a writer waited");
      assertTrue(calm.join() > 0);
      log.write(payload(1));
      assertFinds(log, acknowledged);
    }
    try (Log log = Log.open(storage, options)) {
      assertFinds(log, acknowledged);
    }
  }

  /// A lone writer leads, so that it rotates by itself; here nearly every write does.
  @Test
  void aStormOfInterruptsInRotationsAndTrimsHarmsNoOne(@TempDir Path folder) throws Exception {
    rotationStorm(FileStorage.at(folder.resolve("default")));
    rotationStorm(FileStorage.withoutNativeAccess(folder.resolve("channels")));
  }

  private void rotationStorm(Storage storage) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Log log = Log.open(storage, smallSegments().build())) {
      Call<Long> writer =
          ThreadKind.PLATFORM.start(
              () -> {
                while (!over.get()) {
                  long lsn = log.append(new byte[3900]);
                  awaitThroughInterrupts(log, lsn);
                  if (lsn % 10 == 0) {
                    log.trimBefore(lsn - 5);
                  }
                }
                Thread.interrupted();
                return log.sync();
              });
      for (int i = 0; i < 500 && !writer.result().isDone(); i++) {
        writer.thread().interrupt();
        Thread.sleep(0, random.nextInt(900_000));
      }
      over.set(true);
      long lastLsn = writer.join();
      assertEquals(lastLsn, log.durableLsn());
      assertTrue(lastLsn > 5);
    }
  }

  /// Answers how often it was interrupted.
  private static int awaitThroughInterrupts(Log log, long lsn) {
    int interrupts = 0;
    while (true) {
      try {
        log.awaitDurable(lsn);
        return interrupts;
      } catch (LogInterruptedException e) {
        interrupts++;
        Thread.interrupted();
      }
    }
  }

  private static int writeOn(
      Log log, int writer, AtomicBoolean over, Map<Long, byte[]> acknowledged) {
    int interrupts = 0;
    for (int n = 0; !over.get(); n++) {
      byte[] payload = payload(writer * 1_000_000L + n);
      long lsn = log.append(payload);
      interrupts += awaitThroughInterrupts(log, lsn);
      acknowledged.put(lsn, payload);
    }
    return interrupts;
  }

  private static int writeCalmly(Log log, AtomicBoolean over, Map<Long, byte[]> acknowledged) {
    int n = 0;
    while (!over.get()) {
      byte[] payload = payload(9_000_000L + n++);
      acknowledged.put(log.write(payload), payload);
    }
    return n;
  }

  private void assertFinds(Log log, Map<Long, byte[]> acknowledged) {
    Map<Long, byte[]> found = new HashMap<>();
    records(log).forEach(record -> found.put(record.lsn(), record.payload()));
    acknowledged.forEach(
        (lsn, payload) -> assertArrayEquals(payload, found.get(lsn), () -> lsn + " " + seed));
  }
}
