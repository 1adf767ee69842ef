package dev.tidemark.log.spi;

/// Wall time for the log. The log makes its own time out of it, which never runs backwards.
@FunctionalInterface
public interface Clock {
  /// Milliseconds since 1970-01-01T00:00:00Z. May jump; called by whichever thread commits, and by
  /// the log's own.
  long millis();

  /// The system's clock.
  static Clock system() {
    return System::currentTimeMillis;
  }
}
