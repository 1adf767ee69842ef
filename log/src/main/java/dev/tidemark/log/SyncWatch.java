package dev.tidemark.log;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reports a write or a sync of a frame that *stalls*: runs longer than a bound, and runs still. A
/// disk that hangs throws nothing, and all who wait for it just wait.
///
/// The holder of the commit role says when a call begins and ends, which costs it a few volatile
/// writes. Another thread, the watch's own, looks: it logs a stall once the bound is exceeded,
/// again whenever the time has doubled, and once more when the call has ended. It changes nothing
/// of what the log does.
final class SyncWatch {
  /// What may stall.
  enum Call {
    WRITE("write"),
    SYNC("sync");

    private final String word;

    Call(String word) {
      this.word = word;
    }
  }

  private static final System.Logger LOGGER = System.getLogger(SyncWatch.class.getName());
  private static final long NONE = 0;

  /// However small the bound, the thread rests that long between two looks.
  private static final long REST_NANOS = 1_000_000;

  private final String place;
  private final long boundNanos;
  private final LongSupplier pendingRecords;

  /// When the running call began, by [System#nanoTime], or [#NONE]. It is what names the call.
  private final AtomicLong begun = new AtomicLong(NONE);

  private volatile Call call = Call.WRITE;
  private volatile String file = "";

  /// How long the last call took that exceeded the bound.
  private volatile long lastStallNanos;

  /// Which call was reported and has not yet been reported as ended; set by who looks.
  private volatile long reported = NONE;

  private final AtomicLong stalls = new AtomicLong();

  /// How long the reported call may run until it is reported again.
  private long nextReportNanos;

  private @Nullable Thread thread;
  private volatile boolean ended;

  /// @param place the log's storage
  /// @param bound zero for no watch
  /// @param pendingRecords how many records are accepted and not durable
  SyncWatch(String place, Duration bound, LongSupplier pendingRecords) {
    this.place = place;
    this.boundNanos = bound.toNanos();
    this.pendingRecords = pendingRecords;
  }

  void start() {
    if (boundNanos > 0) {
      thread = Thread.ofPlatform().name("tidemark-log-watch").daemon().start(this::run);
    }
  }

  private void run() {
    while (!ended) {
      LockSupport.parkNanos(this, Math.max(look(System.nanoTime()), REST_NANOS));
    }
    look(System.nanoTime());
  }

  /// Ends the watch; no call runs any more.
  void close() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /// As the holder of the commit role: a call begins now.
  void begin(Call what, String fileName) {
    call = what;
    file = fileName;
    // Odd, so that it is never NONE.
    begun.set(System.nanoTime() | 1);
  }

  /// As the holder of the commit role: the call has ended, well or not; answers how long it took.
  long end() {
    long start = begun.getPlain();
    long took = System.nanoTime() - start;
    if (boundNanos > 0 && took >= boundNanos) {
      lastStallNanos = took;
    }
    begun.set(NONE);
    if (reported == start) {
      LockSupport.unpark(thread);
    }
    return took;
  }

  /// Reports what there is to report. By one thread.
  ///
  /// @param now by [System#nanoTime]
  /// @return in how many nanoseconds to look again: no stall can be due before
  long look(long now) {
    long start = begun.get();
    if (reported != NONE && reported != start) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a call on a file of the log in {0} that stalled has ended after {1} s",
          place,
          seconds(lastStallNanos));
      reported = NONE;
    }
    if (start == NONE) {
      return boundNanos;
    }
    long runs = now - start;
    long due = reported == start ? nextReportNanos : boundNanos;
    if (runs < due) {
      return due - runs;
    }
    Call stalled = call;
    String stalledFile = file;
    if (begun.get() != start) {
      return 0;
    }
    if (reported != start) {
      reported = start;
      stalls.setRelease(stalls.getPlain() + 1);
    }
    nextReportNanos = 2 * runs;
    LOGGER.log(
        System.Logger.Level.WARNING,
        "the {0} of {1} in {2} has been running for {3} s, and {4} records wait for it: look after"
            + " the disk or the file system; the log goes on once the call returns",
        stalled.word,
        stalledFile,
        place,
        seconds(runs),
        pendingRecords.getAsLong());
    // The call may have ended before it was known as reported; then nobody wakes this thread.
    return begun.get() == start ? runs : 0;
  }

  /// Counts by now; any thread.
  LogStats.Stalls stalls() {
    long start = begun.get();
    long runs = start == NONE ? 0 : System.nanoTime() - start;
    boolean stalled = boundNanos > 0 && runs >= boundNanos;
    return new LogStats.Stalls(stalls.getAcquire(), stalled ? runs : 0);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
  }
}
