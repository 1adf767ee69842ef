package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.Position;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.Replay;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What the log is asked to do, as [Work]. Each rate is in records a second.
///
/// A work that writes trims what it wrote behind its measurement, so that the disk stays as full as
/// it was; that trim is not timed.
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
    byte[] payload = payload();
    return length -> {
      double rate = durableWrites(writers, callers, length, () -> log.write(payload));
      trim(log);
      return rate;
    };
  }

  /// So many callers, each with one durable write under way, whatever writes.
  ///
  /// @return writes a second
  static double durableWrites(
      int writers, Thread.Builder callers, Duration length, Callers.Step write) throws Exception {
    LongAdder done = new LongAdder();
    Callers.Step caller =
        () -> {
          long end = System.nanoTime() + length.toNanos();
          long mine = 0;
          do {
            write.once();
            mine++;
          } while (System.nanoTime() - end < 0);
          done.add(mine);
        };
    long nanos;
    if (writers == 1) {
      // On the calling thread: nothing is started, nothing is waited for.
      long start = System.nanoTime();
      caller.once();
      nanos = System.nanoTime() - start;
    } else {
      nanos = Callers.run(writers, callers, caller);
    }
    return done.sum() * 1e9 / nanos;
  }

  /// One caller that writes records of this size and waits until each is durable.
  static Work writesOf(Log log, int payloadBytes) {
    Trial trial = latencies(log, payloadBytes);
    return length -> Latencies.Figure.RATE.of(trial.figures(length));
  }

  /// As [#writesOf], with the time that each write took.
  static Trial latencies(Log log, int payloadBytes) {
    byte[] payload = payload(payloadBytes);
    Consumer consumer = new Consumer(log);
    return length -> {
      double[] figures =
          Latencies.of(() -> log.write(payload), () -> consumer.wrote(payloadBytes))
              .figures(length);
      trim(log);
      return figures;
    };
  }

  /// One caller that writes batches of [#BATCH] records and waits until each is durable. The log is
  /// trimmed behind a consumer's mark, as part of the work.
  static Work batches(Log log) {
    List<byte[]> batch = Collections.nCopies(BATCH, payload());
    Consumer consumer = new Consumer(log);
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        log.writeBatch(batch);
        consumer.wrote(BATCH * RECORD_BYTES);
        done += BATCH;
        now = System.nanoTime();
      } while (now - end < 0);
      trim(log);
      return done * 1e9 / (now - start);
    };
  }

  /// One caller that appends so many records and then syncs; the rate is of syncs.
  static Work appendsThenSync(Log log, int records) {
    byte[] payload = payload();
    Consumer consumer = new Consumer(log);
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        for (int i = 0; i < records; i++) {
          log.append(payload);
        }
        log.sync();
        consumer.wrote(records * RECORD_BYTES);
        done++;
        now = System.nanoTime();
      } while (now - end < 0);
      trim(log);
      return done * 1e9 / (now - start);
    };
  }

  /// Syncs with nothing pending.
  static Work idleSyncs(Log log) {
    return length -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        for (int i = 0; i < READS_BETWEEN_LOOKS; i++) {
          log.sync();
        }
        done += READS_BETWEEN_LOOKS;
        now = System.nanoTime();
      } while (now - end < 0);
      return done * 1e9 / (now - start);
    };
  }

  private static void trim(Log log) {
    log.trimBefore(log.durableLsn());
  }

  /// Somebody who has done with what was written and lets the log trim it, each so many bytes.
  private static final class Consumer {
    private static final long BYTES_BETWEEN_TRIMS = 32L << 20;

    private final Log log;
    private long bytes;

    Consumer(Log log) {
      this.log = log;
    }

    void wrote(int more) {
      bytes += more;
      if (bytes >= BYTES_BETWEEN_TRIMS) {
        bytes = 0;
        trim(log);
      }
    }
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
    return payload(PAYLOAD_BYTES);
  }

  private static byte[] payload(int bytes) {
    byte[] payload = new byte[bytes];
    Arrays.fill(payload, (byte) 0x5A);
    return payload;
  }
}
