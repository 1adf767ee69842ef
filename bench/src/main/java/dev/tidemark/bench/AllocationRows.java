package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/// What it is worth that a durable write meets blocks that hold data already: for the plain loop,
/// by what its file held before, and for the log, by its windows.
///
/// `disk-writes` are the write requests that the device took for each durable write, whoever made
/// them: where blocks have to be found, the file system's journal is written as well.
final class AllocationRows {
  private static final int LARGE = 8 << 10;
  private static final int NO_WINDOWS = 0;

  private AllocationRows() {}

  static List<LogRows.Spec> all() {
    List<LogRows.Spec> specs = new ArrayList<>();
    specs.add(new LogRows.Spec("zero-fill/raw-8K", AllocationRows::rawGain));
    specs.add(new LogRows.Spec("zero-fill/log-8K", AllocationRows::logGain));
    for (Allocation allocation :
        List.of(Allocation.NONE, Allocation.SPARSE, Allocation.SET_ASIDE)) {
      if (allocation != Allocation.SET_ASIDE || ForeignFile.available()) {
        specs.add(allocation(allocation));
      }
    }
    for (int payload : new int[] {64, 1 << 10, LARGE}) {
      for (int window : new int[] {NO_WINDOWS, 64 << 10, 256 << 10, 1 << 20, 4 << 20}) {
        specs.add(window(payload, window));
      }
    }
    return specs;
  }

  private static List<Row> rawGain(LogBed bed) throws Exception {
    try (RawLoop without = loop(bed)) {
      Rounds.Pairs pairs =
          bed.rounds()
              .inTurn(without.writesOnto(Allocation.NONE, LARGE), bed.raw().writesOf(LARGE));
      return List.of(Row.against("none", "zero-fill/raw-8K", WriteRows.UNIT, pairs, null));
    }
  }

  private static List<Row> logGain(LogBed bed) throws Exception {
    try (Log with = bed.fresh();
        Log without = bed.fresh(windows(NO_WINDOWS))) {
      Rounds.Pairs pairs =
          bed.rounds().inTurn(LogWork.writesOf(without, LARGE), LogWork.writesOf(with, LARGE));
      return List.of(Row.against("none", "zero-fill/log-8K", WriteRows.UNIT, pairs, null));
    }
  }

  private static LogRows.Spec allocation(Allocation allocation) {
    String name = "allocation/" + allocation.label();
    return new LogRows.Spec(
        name,
        bed -> {
          try (RawLoop loop = loop(bed)) {
            return rows(
                "zero",
                name,
                bed.rounds()
                    .brief()
                    .eachInTurn(
                        counted(bed, bed.raw().latenciesOf(LARGE)),
                        counted(bed, loop.latenciesOnto(allocation, LARGE))));
          }
        });
  }

  /// The rate, what a write waited, and what the device took for it.
  private static List<Row> rows(String other, String name, List<Rounds.Pairs> pairs) {
    List<Row> rows = new ArrayList<>();
    for (Latencies.Figure figure :
        List.of(
            Latencies.Figure.RATE,
            Latencies.Figure.P50,
            Latencies.Figure.P99,
            Latencies.Figure.MAX)) {
      rows.add(Row.against(other, name + figure.suffix(), figure.unit(), figure.of(pairs), null));
    }
    if (pairs.size() > Latencies.Figure.values().length) {
      rows.add(Row.against(other, name + "/disk-writes", "1/write", pairs.getLast(), null));
    }
    return rows;
  }

  private static RawLoop loop(LogBed bed) throws Exception {
    Path file = Files.createTempFile(bed.directory(), "raw-", "");
    return RawLoop.open(file, bed.raw().access());
  }

  /// One cell of the table of windows.
  private static LogRows.Spec window(int payload, int window) {
    String name = "window/" + size(payload) + "/" + (window == 0 ? "none" : size(window));
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh(windows(window))) {
            return rows(
                Row.RAW,
                name,
                bed.rounds()
                    .brief()
                    .eachInTurn(
                        counted(bed, bed.raw().latenciesOf(payload + 8)),
                        counted(bed, LogWork.latencies(log, payload))));
          }
        });
  }

  /// The trial's figures, and the device's write requests for each operation, where they are
  /// counted.
  private static Trial counted(LogBed bed, Trial trial) {
    return length -> {
      OptionalLong before = bed.fileSystem().writesTaken();
      long start = System.nanoTime();
      double[] figures = trial.figures(length);
      double seconds = (System.nanoTime() - start) / 1e9;
      OptionalLong after = bed.fileSystem().writesTaken();
      if (before.isEmpty() || after.isEmpty()) {
        return figures;
      }
      double[] more = Arrays.copyOf(figures, figures.length + 1);
      double operations = Math.max(1, Latencies.Figure.RATE.of(figures) * seconds);
      more[figures.length] = (after.getAsLong() - before.getAsLong()) / operations;
      return more;
    };
  }

  private static LogOptions windows(int bytes) {
    return LogOptions.builder().windowBytes(bytes).build();
  }

  private static String size(int bytes) {
    return bytes >= 1 << 20
        ? (bytes >> 20) + "M"
        : bytes >= 1 << 10 ? (bytes >> 10) + "K" : Integer.toString(bytes);
  }
}
