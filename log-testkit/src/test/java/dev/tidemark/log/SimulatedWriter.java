package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.log.testkit.InjectedFaultException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/// A thread that uses a log in every way and notes what it is promised. Of [SimulatedLog].
final class SimulatedWriter {
  private static final int STEPS_MAX = 300;

  private final Log log;
  private final Promises promises;
  private final RandomGenerator random;

  /// Appended and not awaited.
  private final List<Pending> pending = new ArrayList<>();

  private record Pending(long firstLsn, List<byte[]> payloads) {}

  SimulatedWriter(Log log, Promises promises, RandomGenerator random) {
    this.log = log;
    this.promises = promises;
    this.random = random;
  }

  /// Goes on until it is over, the log fails, or it has done enough; answers the steps it took.
  int writeUntil(AtomicBoolean over) {
    int steps = 0;
    try {
      while (!over.get() && steps < STEPS_MAX) {
        step();
        steps++;
      }
    } catch (CompletionException e) {
      assertInstanceOf(LogFailedException.class, e.getCause());
    } catch (LogFailedException | LogIoException e) {
      assertInstanceOf(InjectedFaultException.class, e.getCause());
    }
    return steps;
  }

  private void step() {
    switch (random.nextInt(20)) {
      case 0 -> trim();
      case 1 -> read();
      case 2, 3, 4 -> append();
      case 5 -> sync();
      case 6, 7 -> {
        List<byte[]> one = promises.submit(random, 1);
        long lsn = log.writeAsync(one.getFirst()).toCompletableFuture().join();
        promises.acknowledge(lsn, one);
      }
      case 8, 9, 10, 11, 12 -> {
        List<byte[]> batch = promises.submit(random, random.nextInt(7));
        promises.acknowledge(log.writeBatch(batch).first(), batch);
      }
      default -> {
        List<byte[]> one = promises.submit(random, 1);
        promises.acknowledge(log.write(one.getFirst()), one);
      }
    }
  }

  private void append() {
    List<byte[]> batch = promises.submit(random, 1 + random.nextInt(3));
    long firstLsn =
        batch.size() == 1 ? log.append(batch.getFirst()) : log.appendBatch(batch).first();
    pending.add(new Pending(firstLsn, batch));
  }

  private void sync() {
    if (random.nextBoolean() || pending.isEmpty()) {
      log.sync();
    } else {
      // The last one's durability implies that of all before it.
      Pending last = pending.getLast();
      log.awaitDurable(last.firstLsn + last.payloads.size() - 1);
    }
    pending.forEach(p -> promises.acknowledge(p.firstLsn, p.payloads));
    pending.clear();
  }

  private void trim() {
    long lsn = log.durableLsn() + 1 - (random.nextInt(5) == 0 ? 0 : random.nextInt(100));
    promises.askTrim(lsn);
    promises.acknowledgeTrim(log.trimBefore(lsn).firstLsn());
  }

  private void read() {
    try (Replay replay = log.replay(log.firstLsn())) {
      for (RecordView view = replay.next(); view != null; view = replay.next()) {
        if (random.nextInt(10) == 0) {
          assertArrayEquals(view.toBytes(), log.read(view.position()));
        }
      }
    } catch (RecordNotFoundException e) {
      // Another writer's trim came between.
    }
  }
}
