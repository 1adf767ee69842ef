package dev.tidemark.bench;

import java.time.Duration;

/// Something that can be done over and over for a given time, and that yields several figures at
/// once, always as many and in the same order.
@FunctionalInterface
interface Trial {
  /// Does it for about this long.
  double[] figures(Duration length) throws Exception;

  /// A trial whose one figure is the work's rate.
  static Trial of(Work work) {
    return length -> new double[] {work.rate(length)};
  }

  /// A trial whose one figure is how long one takes, in units of which a second has this many.
  static Trial timeOf(Work work, double unitsPerSecond) {
    return length -> new double[] {unitsPerSecond / work.rate(length)};
  }
}
