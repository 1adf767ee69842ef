package dev.tidemark.log;

import dev.tidemark.log.spi.Clock;
import java.time.Duration;

/// Settings of a log, checked once when they are built.
public final class LogOptions {
  private static final LogOptions DEFAULTS = builder().build();

  private final long segmentBytesMax;
  private final int recordBytesMax;
  private final int batchBytesMax;
  private final int stagingBytesMax;
  private final int windowBytes;
  private final Duration witnessDelay;
  private final Duration stallAfter;
  private final long cursorLagMax;
  private final long retentionBytesMax;
  private final Duration retentionAge;
  private final Clock clock;

  private LogOptions(Builder b) {
    this.segmentBytesMax = b.segmentBytesMax;
    this.recordBytesMax = b.recordBytesMax;
    this.batchBytesMax = b.batchBytesMax;
    this.stagingBytesMax = b.stagingBytesMax;
    this.windowBytes = b.windowBytes;
    this.witnessDelay = b.witnessDelay;
    this.stallAfter = b.stallAfter;
    this.cursorLagMax = b.cursorLagMax;
    this.retentionBytesMax = b.retentionBytesMax;
    this.retentionAge = b.retentionAge;
    this.clock = b.clock;
  }

  /// 64 MiB segments, 16 MiB records, 128 MiB batches, 8 MiB of staging, 256 KiB windows. Nothing
  /// is deleted by itself, and cursors hold trims back whatever their lag.
  public static LogOptions defaults() {
    return DEFAULTS;
  }

  /// A builder that starts from the defaults.
  public static Builder builder() {
    return new Builder();
  }

  long segmentBytesMax() {
    return segmentBytesMax;
  }

  int recordBytesMax() {
    return recordBytesMax;
  }

  int batchBytesMax() {
    return batchBytesMax;
  }

  int stagingBytesMax() {
    return stagingBytesMax;
  }

  int windowBytes() {
    return windowBytes;
  }

  Duration witnessDelay() {
    return witnessDelay;
  }

  Duration stallAfter() {
    return stallAfter;
  }

  long cursorLagMax() {
    return cursorLagMax;
  }

  long retentionBytesMax() {
    return retentionBytesMax;
  }

  Duration retentionAge() {
    return retentionAge;
  }

  Clock clock() {
    return clock;
  }

  /// Collects settings; [#build] checks them.
  public static final class Builder {
    private long segmentBytesMax = 64L << 20;
    private int recordBytesMax = 16 << 20;
    private int batchBytesMax = 128 << 20;
    private int stagingBytesMax = 8 << 20;
    private int windowBytes = 256 << 10;
    private Duration witnessDelay = Duration.ofMillis(10);
    private Duration stallAfter = Duration.ofSeconds(5);
    private long cursorLagMax = Long.MAX_VALUE;
    private long retentionBytesMax = Long.MAX_VALUE;
    private Duration retentionAge = Duration.ZERO;
    private Clock clock = Clock.system();

    private Builder() {}

    /// The size a segment is finished at, 8 KiB to 1 GiB. Soft: a batch larger than a segment is
    /// written whole, and the segment finished behind it.
    public Builder segmentBytesMax(long bytes) {
      this.segmentBytesMax = bytes;
      return this;
    }

    /// The largest payload of a record, up to 1 GiB.
    public Builder recordBytesMax(int bytes) {
      this.recordBytesMax = bytes;
      return this;
    }

    /// The largest batch, its records' headers (8 bytes each) included, up to 1 GiB.
    public Builder batchBytesMax(int bytes) {
      this.batchBytesMax = bytes;
      return this;
    }

    /// How many bytes may be accepted and not yet written; an appender beyond that waits. A single
    /// record or batch above it is taken alone.
    public Builder stagingBytesMax(int bytes) {
      this.stagingBytesMax = bytes;
      return this;
    }

    /// The step in which a segment is filled with zeros ahead of its records: a multiple of 4 KiB,
    /// or 0 to let each write grow the file.
    public Builder windowBytes(int bytes) {
      this.windowBytes = bytes;
      return this;
    }

    /// How long the log must have been idle before it proves its last group with a frame of no
    /// records; [Duration#ZERO] for never.
    public Builder witnessDelay(Duration delay) {
      this.witnessDelay = delay;
      return this;
    }

    /// How long a write or a sync may run until it is reported as stalled, while it runs: by a
    /// warning to the [System.Logger] `dev.tidemark.log.SyncWatch` and in [LogStats#stalls]. Up to
    /// a day; [Duration#ZERO] for no report. The default is 5 seconds.
    public Builder stallAfter(Duration bound) {
      this.stallAfter = bound;
      return this;
    }

    /// How many bytes of segment files, counted from the end of the log and the active one
    /// included, a [Cursor] may hold back from trims. One that lags further is *passed*: what lies
    /// before those files may be trimmed, and it loses records. By default there is no limit: no
    /// consumer ever loses a record, and one that stands still lets the log fill the disk.
    public Builder cursorLagMax(long bytes) {
      this.cursorLagMax = bytes;
      return this;
    }

    /// Has the log trim itself, after each rotation, to this many bytes of segment files. Oldest
    /// ones go first, never the active one nor what a [Cursor] holds, so that the files may have
    /// more. By default nothing is deleted by itself.
    public Builder retentionBytesMax(long bytes) {
      this.retentionBytesMax = bytes;
      return this;
    }

    /// Has the log trim records of more than this age by log-clock time, a millisecond or more.
    /// They go with their segment, never before what a [Cursor] holds: within about twice the age,
    /// as an active segment of that age is finished. [Duration#ZERO], the default, for never.
    public Builder retentionAge(Duration age) {
      this.retentionAge = age;
      return this;
    }

    /// Where wall time comes from.
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /// The checked options.
    ///
    /// @throws IllegalArgumentException if a setting is out of its range
    public LogOptions build() {
      inRange("segmentBytesMax", segmentBytesMax, 8 << 10, 1 << 30);
      inRange("recordBytesMax", recordBytesMax, 1, 1 << 30);
      inRange("batchBytesMax", batchBytesMax, 1, 1 << 30);
      inRange("stagingBytesMax", stagingBytesMax, 4 << 10, 1 << 30);
      inRange("windowBytes", windowBytes, 0, 1 << 30);
      if (windowBytes % 4096 != 0) {
        throw new IllegalArgumentException(
            "windowBytes is " + windowBytes + ": not a multiple of 4096");
      }
      if (witnessDelay.isNegative()) {
        throw new IllegalArgumentException("witnessDelay is negative: " + witnessDelay);
      }
      if (stallAfter.isNegative() || stallAfter.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException(
            "stallAfter is " + stallAfter + ": not between none and a day");
      }
      inRange("cursorLagMax", cursorLagMax, 0, Long.MAX_VALUE);
      inRange("retentionBytesMax", retentionBytesMax, 0, Long.MAX_VALUE);
      if (!retentionAge.isZero() && retentionAge.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException(
            "retentionAge is " + retentionAge + ": neither zero nor a millisecond or more");
      }
      return new LogOptions(this);
    }

    private static void inRange(String name, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            name + " is " + value + ": not between " + min + " and " + max);
      }
    }
  }
}
