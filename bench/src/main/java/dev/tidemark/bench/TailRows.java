package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.util.ArrayList;
import java.util.List;

/// How long a lone writer waits for each record to be durable, over segments small enough that many
/// are finished and many windows crossed, beside a plain loop that never leaves its zero-filled
/// file.
final class TailRows {
  private static final double P99_MAX = 1.3;

  private TailRows() {}

  static List<LogRows.Spec> all() {
    return List.of(
        // A segment takes some 2,000 records.
        tail("tail/64", LogWork.PAYLOAD_BYTES, 256 << 10),
        // A window takes 31 records, a segment some 500.
        tail("tail/8K", 8 << 10, 4 << 20));
  }

  private static LogRows.Spec tail(String name, int payloadBytes, long segmentBytes) {
    LogOptions options = LogOptions.builder().segmentBytesMax(segmentBytes).build();
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh(options)) {
            List<Rounds.Pairs> pairs =
                bed.rounds()
                    .eachInTurn(
                        bed.raw().latenciesOf(payloadBytes + 8),
                        LogWork.latencies(log, payloadBytes));
            return rows(name, pairs);
          }
        });
  }

  private static List<Row> rows(String name, List<Rounds.Pairs> pairs) {
    List<Row> rows = new ArrayList<>();
    for (Latencies.Figure figure : Latencies.Figure.values()) {
      Row.Target target =
          figure == Latencies.Figure.P99 ? Row.Target.atMost(Double.NaN, P99_MAX) : null;
      rows.add(Row.beside(name + figure.suffix(), figure.unit(), figure.of(pairs), target));
    }
    return rows;
  }
}
