package dev.tidemark.bench;

import java.util.List;
import org.HdrHistogram.Histogram;

/// How long each of many operations took, one after the other on one thread.
final class Latencies {
  /// The figures of a trial, in their order.
  enum Figure {
    /// Operations a second, what goes on between them included.
    RATE(0, "", "1/s"),
    P50(1, "/p50", "us"),
    P99(2, "/p99", "us"),
    P999(3, "/p99.9", "us"),
    MAX(4, "/max", "us");

    private final int place;
    private final String suffix;
    private final String unit;

    Figure(int place, String suffix, String unit) {
      this.place = place;
      this.suffix = suffix;
      this.unit = unit;
    }

    /// This one of a trial's figures.
    double of(double[] figures) {
      return figures[place];
    }

    /// The pairs of this one, of the pairs of all.
    Rounds.Pairs of(List<Rounds.Pairs> all) {
      return all.get(place);
    }

    /// Behind a row's name.
    String suffix() {
      return suffix;
    }

    String unit() {
      return unit;
    }
  }

  private static final double NANOS_PER_MICRO = 1e3;

  private Latencies() {}

  /// A trial with the figures of [Figure].
  ///
  /// @param operation what is timed
  /// @param between what may have to be done before the next one, and is not part of any
  static Trial of(Step operation, Step between) {
    return length -> {
      Histogram nanos = new Histogram(3);
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long now;
      do {
        long before = System.nanoTime();
        operation.once();
        now = System.nanoTime();
        nanos.recordValue(now - before);
        between.once();
      } while (now - end < 0);
      return new double[] {
        nanos.getTotalCount() * 1e9 / (now - start),
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO
      };
    };
  }

  @FunctionalInterface
  interface Step {
    void once() throws Exception;
  }
}
