package dev.tidemark.bench;

import java.util.List;

/// The figures of one thing, one per round, in the order they were taken: at least one.
record Series(List<Double> values) {
  Series {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a series needs a figure");
    }
    values = List.copyOf(values);
  }

  /// The figure at this place of each round's figures.
  static Series of(List<double[]> rounds, int figure) {
    return new Series(rounds.stream().map(figures -> figures[figure]).toList());
  }

  int n() {
    return values.size();
  }

  /// The middle figure; of an even number, the mean of the two in the middle.
  double median() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
