package dev.tidemark.bench;

import dev.tidemark.log.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How the cost of a sync spreads: over the records appended before it, over nothing at all, and
/// over the writers that wait for it at once.
final class SweepRows {
  /// Durable writes of each writer.
  static final int COMMITS = 50;

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;
  private static final double EIGHT_WRITERS_MAX = 1.8;

  private SweepRows() {}

  static List<LogRows.Spec> all() {
    List<LogRows.Spec> specs = new ArrayList<>();
    for (int records : new int[] {1, 10, 100, 1_000}) {
      specs.add(append(records));
    }
    specs.add(new LogRows.Spec("sweep/sync-idle", SweepRows::idle));
    specs.add(new LogRows.Spec("sweep/commits-1", SweepRows::lone));
    for (int writers : new int[] {2, 4, 8}) {
      specs.add(commits(writers));
    }
    return specs;
  }

  private static LogRows.Spec append(int records) {
    String name = "sweep/append-" + records;
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh()) {
            Rounds.Pairs pairs =
                bed.rounds()
                    .brief()
                    .eachInTurn(
                        Trial.timeOf(bed.raw().writesOf(records * LogWork.RECORD_BYTES), MICROS),
                        Trial.timeOf(LogWork.appendsThenSync(log, records), MICROS))
                    .getFirst();
            return List.of(Row.beside(name, "us", pairs, null));
          }
        });
  }

  private static List<Row> idle(LogBed bed) throws Exception {
    try (Log log = bed.fresh()) {
      Rounds.Pairs pairs =
          bed.rounds()
              .brief()
              .eachInTurn(
                  Trial.timeOf(bed.raw().idleSyncs(), NANOS),
                  Trial.timeOf(LogWork.idleSyncs(log), NANOS))
              .getFirst();
      return List.of(
          Row.beside(
              "sweep/sync-idle", "ns", pairs, Row.Target.atMost(Double.NaN, 1_000).ofFigure()));
    }
  }

  private static List<Row> lone(LogBed bed) throws Exception {
    try (Log log = bed.fresh()) {
      Rounds.Pairs pairs =
          bed.rounds()
              .brief()
              .eachInTurn(
                  Trial.timeOf(bed.raw().goesOf(COMMITS, LogWork.RECORD_BYTES), MILLIS),
                  Trial.timeOf(goes(log, 1), MILLIS))
              .getFirst();
      return List.of(Row.beside("sweep/commits-1", "ms", pairs, null));
    }
  }

  /// Beside one writer: twice, four and eight times its work should take hardly longer.
  private static LogRows.Spec commits(int writers) {
    String name = "sweep/commits-" + writers;
    Row.Target target = writers == 8 ? Row.Target.atMost(Double.NaN, EIGHT_WRITERS_MAX) : null;
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh()) {
            Rounds.Pairs pairs =
                bed.rounds()
                    .brief()
                    .eachInTurn(
                        Trial.timeOf(goes(log, 1), MILLIS),
                        Trial.timeOf(goes(log, writers), MILLIS))
                    .getFirst();
            return List.of(Row.against("one", name, "ms", pairs, target));
          }
        });
  }

  /// Goes in which each writer does its commits, the start of its thread included.
  private static Work goes(Log log, int writers) {
    byte[] payload = LogWork.payload();
    Callers.Step step =
        () -> {
          for (int i = 0; i < COMMITS; i++) {
            log.write(payload);
          }
        };
    return (Duration length) -> {
      long start = System.nanoTime();
      long end = start + length.toNanos();
      long done = 0;
      long now;
      do {
        Callers.run(writers, Thread.ofPlatform(), step);
        done++;
        now = System.nanoTime();
      } while (now - end < 0);
      return done * 1e9 / (now - start);
    };
  }
}
