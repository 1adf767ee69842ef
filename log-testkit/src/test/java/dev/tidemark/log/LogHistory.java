package dev.tidemark.log;

import dev.tidemark.log.LogPromise.Submitted;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What one writer has told a log and heard from it, over all its lives: makes the [LogPromise] of
/// each moment. Any thread.
final class LogHistory {
  static final int STAGING_BYTES = 4096;

  private static final Duration WITNESS_DELAY = Duration.ofMillis(1);

  /// A log with this delay never finds itself idle.
  private static final Duration NEVER = Duration.ofHours(1);

  private final LogOptions options;

  /// For those who look at what was left: the same, without witnesses.
  private final LogOptions quiet;

  private final List<Submitted> submitted = new ArrayList<>();
  private long firstMin = 1;
  private long firstMax = 1;
  private long lastMin;

  /// Where a truncation has last cut.
  private long cut;

  /// Whether a truncation has begun and not returned.
  private boolean truncating;

  private @Nullable Log open;
  private LogPromise latest;

  /// Of a log with options by chance.
  static LogHistory of(RandomGenerator random) {
    AtomicLong ticks = new AtomicLong();
    LogOptions.Builder options =
        LogOptions.builder()
            .segmentBytesMax(8192L << random.nextInt(2))
            .windowBytes(4096 * random.nextInt(3))
            .stagingBytesMax(STAGING_BYTES)
            // Forwards and back.
            .clock(() -> 1_000_000 + ticks.incrementAndGet() * 7919 % 1000);
    boolean witnesses = random.nextInt(4) == 0;
    return new LogHistory(
        options.witnessDelay(witnesses ? WITNESS_DELAY : NEVER).build(),
        options.witnessDelay(NEVER).build());
  }

  private LogHistory(LogOptions options, LogOptions quiet) {
    this.options = options;
    this.quiet = quiet;
    this.latest = new LogPromise(quiet, List.of(), 1, 1, 0, 0);
  }

  LogOptions options() {
    return options;
  }

  /// What must hold if the log ended now. What it shows as durable is promised, as is what was
  /// acknowledged.
  synchronized LogPromise promise() {
    if (open != null && !truncating) {
      lastMin = Math.max(lastMin, open.durableLsn());
    }
    if (latest.submitted().size() != submitted.size()
        || latest.firstMin() != firstMin
        || latest.firstMax() != firstMax
        || latest.lastMin() != lastMin
        || latest.cut() != cut) {
      latest = now();
    }
    return latest;
  }

  private LogPromise now() {
    return new LogPromise(quiet, List.copyOf(submitted), firstMin, firstMax, lastMin, cut);
  }

  /// The log is about to be given a batch; answers the LSN that its last record must get.
  synchronized long submit(List<byte[]> payloads) {
    long last = (long) submitted.size() + payloads.size();
    payloads.forEach(payload -> submitted.add(new Submitted(ByteBuffer.wrap(payload), last)));
    return last;
  }

  /// The log refused the last batch: nothing of it may be written.
  synchronized void refused(List<byte[]> payloads) {
    submitted.subList(submitted.size() - payloads.size(), submitted.size()).clear();
  }

  synchronized void acknowledged(long lsn) {
    lastMin = Math.max(lastMin, lsn);
  }

  /// The log is about to be asked to trim.
  synchronized void trimAsked(long lsn) {
    firstMax = Math.max(firstMax, Math.min(lsn, submitted.size() + 1L));
  }

  synchronized void trimmed(long firstLsn) {
    firstMin = Math.max(firstMin, firstLsn);
    firstMax = Math.max(firstMax, firstLsn);
  }

  /// The log is about to be asked to truncate: nothing above `lsn` is promised any more.
  synchronized void truncateAsked(long lsn) {
    promise(); // of what is durable by now
    truncating = true;
    lastMin = Math.min(lastMin, lsn);
    cut = lsn;
  }

  /// Nothing was changed.
  synchronized void truncateRefused() {
    truncating = false;
  }

  /// Nothing above `lsn` may ever come back.
  synchronized void truncated(long lsn) {
    truncating = false;
    lastMin = lsn;
    endAt(lsn);
    firstMax = Math.min(firstMax, lsn + 1);
    latest = now();
  }

  private void endAt(long lsn) {
    List<Submitted> kept = LogPromise.endedAt(submitted, lsn);
    submitted.clear();
    submitted.addAll(kept);
  }

  /// A log was opened: it must hold what was promised, and what it holds is all there is.
  void opened(Log log) {
    LogPromise shown = promise().of(log);
    synchronized (this) {
      endAt(shown.submitted().size());
      firstMin = shown.firstMin();
      firstMax = shown.firstMax();
      lastMin = shown.lastMin();
      truncating = false;
      open = log;
    }
  }

  /// The log that is open; null if none is.
  synchronized @Nullable Log open() {
    return open;
  }

  /// Gives a log that writes witnesses the time to do so.
  void idle() throws InterruptedException {
    if (options.witnessDelay().equals(WITNESS_DELAY)) {
      Thread.sleep(WITNESS_DELAY.multipliedBy(3));
    }
  }

  boolean isOpen() {
    return open() != null;
  }

  synchronized void closed() {
    open = null;
  }
}
