package dev.tidemark.bench;

import dev.tidemark.log.Log;
import java.util.List;

/// Durable writes of small records, one at a time and in batches, beside a plain loop of one thread
/// that writes as many bytes and syncs.
final class WriteRows {
  static final String UNIT = "records/s";

  private WriteRows() {}

  static List<LogRows.Spec> all() {
    return List.of(
        write("write/1", 1, Thread.ofPlatform(), Row.Target.atLeast(0.85, 0.95)),
        write("write/8-platform", 8, Thread.ofPlatform(), Row.Target.atLeast(3.5, 4.5)),
        write("write/32-virtual", 32, Thread.ofVirtual(), Row.Target.atLeast(Double.NaN, 14)),
        write("write/256-virtual", 256, Thread.ofVirtual(), Row.Target.atLeast(60, 85)),
        new LogRows.Spec("batch/1000", WriteRows::batches));
  }

  private static LogRows.Spec write(
      String name, int writers, Thread.Builder callers, Row.Target target) {
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh()) {
            Rounds.Pairs pairs =
                bed.rounds()
                    .inTurn(
                        bed.raw().writesOf(LogWork.RECORD_BYTES),
                        LogWork.writes(log, writers, callers));
            return List.of(Row.beside(name, UNIT, pairs, target));
          }
        });
  }

  private static List<Row> batches(LogBed bed) throws Exception {
    Work blocks = bed.raw().writesOf(LogWork.RECORD_BYTES * LogWork.BATCH);
    try (Log log = bed.fresh()) {
      Rounds.Pairs pairs =
          bed.rounds().inTurn(length -> blocks.rate(length) * LogWork.BATCH, LogWork.batches(log));
      return List.of(Row.beside("batch/1000", UNIT, pairs, Row.Target.atLeast(Double.NaN, 0.85)));
    }
  }
}
