package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.Position;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.Replay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What the log is asked to do, as [Work]. Each rate is in records a second.
///
/// A work that writes trims what it wrote behind its measurement, so that the disk stays as full as
/// it was; the trim is not timed.
final class LogWork {
  /// A record's payload.
  static final int PAYLOAD_BYTES = 64;

  /// A payload and what any log must add to it: its length and a checksum.
  static final int RECORD_BYTES = PAYLOAD_BYTES + 8;

  /// Records of a batch.
  static final int BATCH = 1_000;

  private static final int READS_BETWEEN_LOOKS = 1_024;

  private LogWork() {}

  /// This many callers, each writing one record after the other and waiting until it is durable.
  static Work writes(Log log, int writers, Thread.Builder callers) {
    return length -> {
      double rate =
          writers == 1
              ? writesOfOne(log, System.nanoTime() + length.toNanos())
              : writesOfMany(log, writers, callers, length);
      trim(log);
      return rate;
    };
  }

  private static double writesOfOne(Log log, long end) {
    long start = System.nanoTime();
    long done = writeUntil(log, end);
    return done * 1e9 / (System.nanoTime() - start);
  }

  private static double writesOfMany(Log log, int writers, Thread.Builder callers, Duration length)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>(writers);
    for (int i = 0; i < writers; i++) {
      threads.add(
          callers.start(
              () -> {
                try {
                  started.await();
                  done.add(writeUntil(log, System.nanoTime() + length.toNanos()));
                } catch (InterruptedException | RuntimeException e) {
                  failure.compareAndSet(null, e);
                }
              }));
    }
    long start = System.nanoTime();
    started.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    long elapsed = System.nanoTime() - start;
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a writer failed", cause);
    }
    return done.sum() * 1e9 / elapsed;
  }

  private static long writeUntil(Log log, long end) {
    byte[] payload = payload();
    long done = 0;
    do {
      log.write(payload);
      done++;
    } while (System.nanoTime() - end < 0);
    return done;
  }

  /// One caller that writes batches of [#BATCH] records and waits until each is durable.
  static Work batches(Log log) {
    List<byte[]> batch = Collections.nCopies(BATCH, payload());
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        log.writeBatch(batch);
        done += BATCH;
        now = System.nanoTime();
      } while (now - end < 0);
      trim(log);
      return done * 1e9 / (now - start);
    };
  }

  private static void trim(Log log) {
    log.trimBefore(log.durableLsn());
  }

  /// Point reads at these positions, one after the other and from the start again: each payload
  /// verified, and the caller's own.
  static Work pointReads(Log log, Position[] positions) {
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long bytes = 0;
      long now;
      int next = 0;
      do {
        for (int i = 0; i < READS_BETWEEN_LOOKS; i++) {
          bytes += log.read(positions[next]).length;
          next = next + 1 == positions.length ? 0 : next + 1;
        }
        done += READS_BETWEEN_LOOKS;
        now = System.nanoTime();
      } while (now - end < 0);
      whole(bytes, done);
      return done * 1e9 / (now - start);
    };
  }

  /// Replays of a whole log that look at each record where it lies.
  static Work replayOfViews(Log log) {
    return length ->
        replays(
            log,
            length,
            replay -> {
              long bytes = 0;
              for (RecordView record = replay.next(); record != null; record = replay.next()) {
                bytes += record.length();
              }
              return bytes;
            });
  }

  /// Replays of a whole log that copy each record's payload into an array.
  static Work replayOfArrays(Log log) {
    return length ->
        replays(
            log,
            length,
            replay -> {
              long bytes = 0;
              for (RecordView record = replay.next(); record != null; record = replay.next()) {
                bytes += record.toBytes().length;
              }
              return bytes;
            });
  }

  private static double replays(Log log, Duration length, Reader reader) {
    long records = log.durableLsn() - log.firstLsn() + 1;
    long start = System.nanoTime();
    long end = start + length.toNanos();
    long done = 0;
    long now;
    do {
      try (Replay replay = log.replay(log.firstLsn())) {
        whole(reader.bytesOf(replay), records);
      }
      done += records;
      now = System.nanoTime();
    } while (now - end < 0);
    return done * 1e9 / (now - start);
  }

  @FunctionalInterface
  private interface Reader {
    long bytesOf(Replay replay);
  }

  /// A figure of records that were not all there would be worth nothing.
  private static void whole(long bytes, long records) {
    if (bytes != records * PAYLOAD_BYTES) {
      throw new IllegalStateException(
          "read " + bytes + " bytes of " + records + " records of " + PAYLOAD_BYTES);
    }
  }

  /// Fills a log with batches, and makes them durable.
  static void fill(Log log, int records) {
    List<byte[]> batch = Collections.nCopies(BATCH, payload());
    for (int done = 0; done < records; done += BATCH) {
      log.appendBatch(batch);
    }
    log.sync();
  }

  static byte[] payload() {
    byte[] payload = new byte[PAYLOAD_BYTES];
    Arrays.fill(payload, (byte) 0x5A);
    return payload;
  }
}
