package dev.tidemark.store;

import dev.tidemark.log.LogOptions;
import dev.tidemark.log.spi.Clock;

/// Settings of a store, checked once when they are built.
public final class StoreOptions {
  /// The largest record is an update with a partial document and an upsert of the largest size.
  private static final int RECORD_BYTES_MAX = 40 << 20;

  private static final StoreOptions DEFAULTS = builder().build();

  private final long checkpointBytes;
  private final long pendingBytesMax;
  private final long memtableBytes;
  private final long blockCacheBytes;
  private final Clock clock;
  private final LogOptions log;

  private StoreOptions(Builder b) {
    this.checkpointBytes = b.checkpointBytes;
    this.pendingBytesMax = b.pendingBytesMax;
    this.memtableBytes = b.memtableBytes;
    this.blockCacheBytes = b.blockCacheBytes;
    this.clock = b.clock;
    this.log = b.log;
  }

  /// A checkpoint every 64 MiB of log, 16 MiB of pending writes, 16 MiB memtables, 32 MiB of block
  /// cache.
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /// A builder that starts from the defaults.
  public static Builder builder() {
    return new Builder();
  }

  long checkpointBytes() {
    return checkpointBytes;
  }

  long pendingBytesMax() {
    return pendingBytesMax;
  }

  long memtableBytes() {
    return memtableBytes;
  }

  long blockCacheBytes() {
    return blockCacheBytes;
  }

  Clock clock() {
    return clock;
  }

  LogOptions log() {
    return log;
  }

  /// Collects settings; [#build] checks them.
  public static final class Builder {
    private long checkpointBytes = 64L << 20;
    private long pendingBytesMax = 16L << 20;
    private long memtableBytes = 16L << 20;
    private long blockCacheBytes = 32L << 20;
    private Clock clock = Clock.system();
    private LogOptions log = LogOptions.builder().recordBytesMax(RECORD_BYTES_MAX).build();

    private Builder() {}

    /// How many bytes of operations may be logged before the key-value side is flushed and the log
    /// trimmed: what a restart replays at most, give or take what comes while that happens.
    public Builder checkpointBytes(long bytes) {
      this.checkpointBytes = bytes;
      return this;
    }

    /// How many bytes of operations may be accepted and not yet applied; a writer beyond that
    /// waits. A single operation or batch above it is taken alone.
    public Builder pendingBytesMax(long bytes) {
      this.pendingBytesMax = bytes;
      return this;
    }

    /// The size of a memtable of the key-value side; two may exist at a time.
    public Builder memtableBytes(long bytes) {
      this.memtableBytes = bytes;
      return this;
    }

    /// The key-value side's cache of blocks read from disk.
    public Builder blockCacheBytes(long bytes) {
      this.blockCacheBytes = bytes;
      return this;
    }

    /// Where wall time comes from.
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /// The settings of the log. Its `recordBytesMax` bounds the operations that the store takes.
    public Builder log(LogOptions log) {
      this.log = log;
      return this;
    }

    /// The checked options.
    ///
    /// @throws IllegalArgumentException if a setting is out of its range
    public StoreOptions build() {
      inRange("checkpointBytes", checkpointBytes, 4 << 10, 1L << 40);
      inRange("pendingBytesMax", pendingBytesMax, 1 << 10, 1L << 30);
      inRange("memtableBytes", memtableBytes, 64 << 10, 1L << 30);
      inRange("blockCacheBytes", blockCacheBytes, 1 << 20, 1L << 40);
      return new StoreOptions(this);
    }

    private static void inRange(String name, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            name + " is " + value + ": not between " + min + " and " + max);
      }
    }
  }
}
