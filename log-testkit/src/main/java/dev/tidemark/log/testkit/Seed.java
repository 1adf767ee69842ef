package dev.tidemark.log.testkit;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// The seed of a randomised test: new each time, or the one given by `-Dtidemark.seed=N`.
///
/// @param value prints in every failure, so that the run can be had again
public record Seed(long value) {
  /// The seed of this run.
  public static Seed ofRun() {
    Long given = Long.getLong("tidemark.seed");
    return new Seed(given != null ? given : System.nanoTime());
  }

  /// A generator that starts from the seed.
  public RandomGenerator random() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(value);
  }

  @Override
  public String toString() {
    return "seed " + value + " (again with -Dtidemark.seed=" + value + ")";
  }
}
