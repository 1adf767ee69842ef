package dev.tidemark.store;

import dev.tidemark.log.spi.Clock;

/// The time that is stamped into records: wall time that never runs backwards, not across restarts
/// either. Used under the lock of [Intake], or by the thread that opens the store.
final class LogClock {
  private final Clock wall;
  private long lastMs;

  LogClock(Clock wall) {
    this.wall = wall;
  }

  /// A record with this time is in the log.
  void seen(long timeMs) {
    lastMs = Math.max(lastMs, timeMs);
  }

  /// Milliseconds since 1970, for the next record.
  long now() {
    lastMs = Math.max(lastMs, wall.millis());
    return lastMs;
  }
}
