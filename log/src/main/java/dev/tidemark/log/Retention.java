package dev.tidemark.log;

import dev.tidemark.log.spi.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Gives up segments by the log's size and their age, where [LogOptions] ask for it; never the
/// active one, and never what a cursor holds.
///
/// A thread of its own looks after each rotation, and for the age from time to time; there is none
/// where nothing was asked for. A deletion that fails is logged, counted, and tried again; it fails
/// nothing else.
final class Retention {
  private static final System.Logger LOGGER = System.getLogger(Retention.class.getName());
  private static final long LOOK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LOOK_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String place;
  private final SegmentDirectory directory;
  private final Cursors cursors;
  private final Appender appender;
  private final Clock clock;
  private final long bytesMax;
  private final Duration age;
  private final AtomicLong failures = new AtomicLong();
  private @Nullable Thread thread;
  private volatile boolean ended;
  private boolean failing;

  /// @param place the log's storage
  Retention(
      String place,
      SegmentDirectory directory,
      Cursors cursors,
      Appender appender,
      LogOptions options) {
    this.place = place;
    this.directory = directory;
    this.cursors = cursors;
    this.appender = appender;
    this.clock = options.clock();
    this.bytesMax = options.retentionBytesMax();
    this.age = options.retentionAge();
  }

  void start() {
    if (bytesMax < Long.MAX_VALUE || age.isPositive()) {
      Thread started =
          Thread.ofPlatform().name("tidemark-log-retention").daemon().unstarted(this::run);
      thread = started;
      directory.whenAdded(() -> LockSupport.unpark(started));
      started.start();
    }
  }

  private void run() {
    while (!ended) {
      LockSupport.parkNanos(this, look());
    }
  }

  /// Answers when to look again, in nanoseconds.
  private long look() {
    try {
      apply();
      failing = false;
      return age.isPositive()
          ? Math.clamp(TimeUnit.NANOSECONDS.convert(age) / 8, LOOK_NANOS_MIN, LOOK_NANOS_MAX)
          : LOOK_NANOS_MAX;
    } catch (IOException | RuntimeException e) {
      if (!ended) {
        failures.incrementAndGet();
        if (!failing) {
          failing = true;
          LOGGER.log(
              System.Logger.Level.WARNING,
              "segments of the log in "
                  + place
                  + " that are due could not be deleted: they stay,"
                  + " and are tried again each second",
              e);
        }
      }
      return RETRY_NANOS;
    }
  }

  /// Gives up what is due now.
  void apply() throws IOException {
    long firstLsn = directory.firstLsnOfLast(bytesMax);
    if (age.isPositive()) {
      long before = clock.millis() - TimeUnit.MILLISECONDS.convert(age);
      finishIfOld(before);
      firstLsn = Math.max(firstLsn, firstLsnSince(before));
    }
    if (firstLsn > directory.segments().getFirst().firstLsn()) {
      cursors.trim(firstLsn);
    }
  }

  /// A log that rotates rarely has its old records in the active segment.
  private void finishIfOld(long before) {
    Segment active = directory.active();
    if (active.hasRecords() && active.header().createdMs() <= before) {
      appender.submit(Committer::rollIfUsed);
    }
  }

  /// A segment's records are no younger than the segment behind it.
  private long firstLsnSince(long before) {
    List<Segment> all = directory.segments();
    int first = all.size() - 1;
    while (first > 0 && all.get(first).header().createdMs() > before) {
      first--;
    }
    return all.get(first).firstLsn();
  }

  /// How many looks have failed.
  long failures() {
    return failures.get();
  }

  /// Ends the thread; nothing is deleted any more. Before the log closes.
  void close() {
    ended = true;
    Thread running = thread;
    LockSupport.unpark(running);
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
