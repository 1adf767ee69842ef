package dev.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What a soak has shown so far, a window of a second at a time. Used by one thread.
final class SoakFigures {
  /// A process that has just begun compiles, and is no measure.
  private static final int WARM_UP_WINDOWS = 2;

  private static final int WINDOWS_FOR_QUARTERS = 16;
  private static final double MEMORY_MIB_MAX = 384;
  private static final double HANDLES_MAX = 64;
  private static final double DISK_MIB_MAX = 256;
  private static final double P50_RISE_MAX = 2.5;
  private static final double P99_RISE_MAX = 4;

  private final List<Window> windows = new ArrayList<>();
  private int windowsOfEpisode;
  private long recordsBefore;
  private long kills;
  private long stops;
  private long torn;
  private long written;
  private long replays;
  private long reads;
  private long replaysBefore;
  private long readsBefore;
  private double memoryMax;
  private double handlesMax;
  private double handlesLeft;
  private double diskMax;

  /// One second of a warm process.
  ///
  /// @param p50 of the timed writer's waits, in microseconds
  /// @param p99 of the same
  /// @param raw the plain loop's median meanwhile
  /// @param rate records made durable
  record Window(double p50, double p99, double raw, double rate) {}

  /// A process begins, and will be killed or stopped.
  void episode(boolean kill) {
    windowsOfEpisode = 0;
    recordsBefore = 0;
    replaysBefore = 0;
    readsBefore = 0;
    if (kill) {
      kills++;
    } else {
      stops++;
    }
  }

  /// Takes a line of [SoakLoad]: `window records p50 p99 raw diskBytes replays reads`.
  void window(String[] words, double memoryMib, int handles) {
    long records = Long.parseLong(words[1]);
    Window window =
        new Window(
            Double.parseDouble(words[2]),
            Double.parseDouble(words[3]),
            Double.parseDouble(words[4]),
            records - recordsBefore);
    recordsBefore = records;
    diskMax = Math.max(diskMax, Long.parseLong(words[5]) / (double) (1 << 20));
    replays += Long.parseLong(words[6]) - replaysBefore;
    replaysBefore = Long.parseLong(words[6]);
    reads += Long.parseLong(words[7]) - readsBefore;
    readsBefore = Long.parseLong(words[7]);
    if (!Double.isNaN(memoryMib)) {
      memoryMax = Math.max(memoryMax, memoryMib);
    }
    handlesMax = Math.max(handlesMax, handles);
    if (++windowsOfEpisode > WARM_UP_WINDOWS && window.raw > 0 && window.p50 > 0) {
      windows.add(window);
    }
  }

  /// What a process still held open once its log was closed.
  void handlesLeft(int handles) {
    handlesLeft = Math.max(handlesLeft, handles);
  }

  /// The log was opened and every acknowledged record found.
  ///
  /// @param all records written since the soak began
  void verified(long all, boolean tornTail) {
    written = all;
    if (tornTail) {
      torn++;
    }
  }

  /// The report's rows. A bound that is a promise stands as the floor.
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    count(rows, "soak/kills", "kills", kills);
    count(rows, "soak/stops", "stops", stops);
    count(rows, "soak/torn", "torn tails", torn);
    count(rows, "soak/written", "records", written);
    count(rows, "soak/replays", "replays", replays);
    count(rows, "soak/reads", "reads", reads);
    if (!windows.isEmpty()) {
      rows.add(Row.alone("soak/rate", "records/s", series(Window::rate), null));
      Series raw = series(Window::raw);
      rows.add(Row.beside("soak/p50", "us", new Rounds.Pairs(raw, series(Window::p50)), null));
      rows.add(Row.beside("soak/p99", "us", new Rounds.Pairs(raw, series(Window::p99)), null));
    }
    if (windows.size() >= WINDOWS_FOR_QUARTERS) {
      bounded(rows, "soak/rise-p50", "of quarters", rise(Window::p50), P50_RISE_MAX);
      bounded(rows, "soak/rise-p99", "of quarters", rise(Window::p99), P99_RISE_MAX);
    }
    bounded(rows, "soak/memory", "MiB", memoryMax, MEMORY_MIB_MAX);
    bounded(rows, "soak/handles", "open or mapped", handlesMax, HANDLES_MAX);
    bounded(rows, "soak/handles-left", "open or mapped", handlesLeft, 0);
    bounded(rows, "soak/disk", "MiB", diskMax, DISK_MIB_MAX);
    return rows;
  }

  /// The last quarter's median over the first quarter's, each window measured by the plain loop of
  /// the same second: a disk that grew slow does not count.
  double rise(ToDoubleFunction<Window> micros) {
    int quarter = windows.size() / 4;
    List<Double> ratios = windows.stream().map(w -> micros.applyAsDouble(w) / w.raw()).toList();
    double first = new Series(ratios.subList(0, quarter)).median();
    double last = new Series(ratios.subList(ratios.size() - quarter, ratios.size())).median();
    return last / first;
  }

  private Series series(ToDoubleFunction<Window> figure) {
    return new Series(windows.stream().map(w -> figure.applyAsDouble(w)).toList());
  }

  private static void count(List<Row> rows, String name, String unit, long figure) {
    rows.add(Row.alone(name, unit, new Series(List.of((double) figure)), null));
  }

  private static void bounded(List<Row> rows, String name, String unit, double figure, double max) {
    rows.add(
        Row.alone(name, unit, new Series(List.of(figure)), Row.Target.atMost(max, Double.NaN)));
  }
}
