package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.log.Promises.Kept;
import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// One log on a storage that crashes, through some lives. Of [LogCrashSimulationTest].
final class SimulatedLog {
  private static final int LIVES = 6;
  private static final long GATE_PATIENCE_NANOS = 2_000_000;

  private static final List<StorageOp> OPS = List.of(StorageOp.values());

  private final RandomGenerator random;
  private final Promises promises = new Promises();
  private final LogOptions options;
  private CrashStorage storage;

  SimulatedLog(RandomGenerator random) {
    this.random = random;
    this.storage = random.nextInt(4) == 0 ? CrashStorage.interruptible() : new CrashStorage();
    AtomicLong ticks = new AtomicLong();
    this.options =
        LogOptions.builder()
            .segmentBytesMax(8192L << random.nextInt(3))
            .windowBytes(4096 * random.nextInt(4))
            .stagingBytesMax(4096)
            .witnessDelay(Duration.ofNanos(random.nextInt(3) * 200_000L))
            // Forwards and back.
            .clock(() -> 1_000_000 + ticks.incrementAndGet() * 7919 % 1000)
            .build();
  }

  /// Goes through all lives.
  void live() throws Exception {
    Kept kept = promises.now();
    for (int life = 0; life < LIVES; life++) {
      failSomeOpens();
      Log log = Log.open(storage, options);
      promises.check(log, kept);
      if (random.nextInt(3) == 0) {
        log = crashAtOnce(log);
      }
      assertEquals(log.stats().segments(), storage.openHandles());
      kept = liveOnce(log);
    }
  }

  /// Opening meets an error somewhere, and perhaps a power failure right after it.
  private void failSomeOpens() {
    while (random.nextInt(3) == 0) {
      StorageOp op = OPS.get(random.nextInt(OPS.size()));
      storage.faults().failOnce(op, 1 + random.nextInt(4));
      try {
        Log.open(storage, options).close();
      } catch (LogIoException | LogFailedException e) {
        assertInstanceOf(InjectedFaultException.class, e.getCause());
      }
      storage.faults().clear();
      assertEquals(0, storage.openHandles(), () -> "files left open after a failed " + op);
      if (random.nextBoolean()) {
        storage = storage.crash(random);
      }
    }
  }

  /// What the check has seen is durable, or recovery should not have shown it.
  private Log crashAtOnce(Log log) {
    Kept kept = promises.now();
    CrashStorage left = random.nextBoolean() ? storage.crash() : storage.crash(random);
    log.close();
    storage = left;
    Log again = Log.open(storage, options);
    promises.check(again, kept);
    return again;
  }

  /// Writes from some threads until the end that chance has in store, and answers what had been
  /// promised by then.
  private Kept liveOnce(Log log) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Call<Integer>> writers = startWriters(log, over);
    long writes = random.nextInt(40);
    storage.counts().reset();
    while (storage.counts().of(StorageOp.WRITE) < writes && !allDone(writers)) {
      Thread.onSpinWait();
    }
    return switch (random.nextInt(4)) {
      case 0 -> close(log, over, writers);
      case 1 -> fail(log, over, writers);
      default -> crash(log, over, writers);
    };
  }

  private List<Call<Integer>> startWriters(Log log, AtomicBoolean over) {
    List<Call<Integer>> writers = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      ThreadKind kind = random.nextBoolean() ? ThreadKind.PLATFORM : ThreadKind.VIRTUAL;
      SimulatedWriter writer =
          new SimulatedWriter(
              log,
              promises,
              RandomGeneratorFactory.of("L64X128MixRandom").create(random.nextLong()));
      writers.add(kind.start(() -> writer.writeUntil(over)));
    }
    return writers;
  }

  private Kept close(Log log, AtomicBoolean over, List<Call<Integer>> writers) throws Exception {
    over.set(true);
    joinAll(writers);
    log.close();
    assertEquals(0, storage.openHandles());
    return promises.now();
  }

  /// An operation fails once, perhaps in part. Perhaps the power fails as well.
  private Kept fail(Log log, AtomicBoolean over, List<Call<Integer>> writers) throws Exception {
    int nth = 1 + random.nextInt(10);
    if (random.nextInt(3) == 0) {
      storage.faults().tearOnce(nth, random.nextInt(3000));
    } else {
      storage.faults().failOnce(OPS.get(random.nextInt(OPS.size())), nth);
    }
    Thread.sleep(1);
    over.set(true);
    joinAll(writers);
    try {
      log.close();
    } catch (LogFailedException e) {
      // Nobody had waited for the records in doubt.
      assertInstanceOf(InjectedFaultException.class, e.getCause());
    }
    assertEquals(0, storage.openHandles());
    Kept kept = promises.now();
    storage.faults().clear();
    if (random.nextBoolean()) {
      storage = storage.crash(random);
    }
    return kept;
  }

  /// Power failure or kill while the writers are at work, in the middle of some operation if one
  /// comes soon. The writers go on on what is lost then; promises they get do not count.
  private Kept crash(Log log, AtomicBoolean over, List<Call<Integer>> writers) throws Exception {
    Kept kept;
    CrashStorage left;
    try (Gate gate = storage.faults().pause(OPS.get(random.nextInt(OPS.size())))) {
      long end = System.nanoTime() + GATE_PATIENCE_NANOS;
      while (gate.waiting() == 0 && !allDone(writers) && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      kept = promises.now();
      left = random.nextInt(4) == 0 ? storage.copy() : storage.crash(random);
    }
    over.set(true);
    joinAll(writers);
    log.close();
    storage = left;
    return kept;
  }

  private static boolean allDone(List<Call<Integer>> writers) {
    return writers.stream().allMatch(writer -> writer.result().isDone());
  }

  private static void joinAll(List<Call<Integer>> writers) throws Exception {
    for (Call<Integer> writer : writers) {
      writer.join();
    }
  }
}
