package dev.tidemark.bench;

import java.util.List;
import java.util.stream.Stream;

/// All that the log's bench can measure, in the order of its report.
final class LogRows {
  private LogRows() {}

  /// Every one of them.
  static List<Spec> all() {
    return Stream.of(
            WriteRows.all(),
            ReadRows.all(),
            TailRows.all(),
            AllocationRows.all(),
            CostRows.all(),
            SweepRows.all())
        .flatMap(List::stream)
        .toList();
  }

  /// What is measured in one go.
  ///
  /// @param name how it is called, and its first row
  /// @param measure answers its rows: the first has its name, others have it as the beginning of
  ///   theirs
  record Spec(String name, Measure measure) {}

  @FunctionalInterface
  interface Measure {
    List<Row> in(LogBed bed) throws Exception;
  }
}
