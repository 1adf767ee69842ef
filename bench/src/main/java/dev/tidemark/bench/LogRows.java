package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import dev.tidemark.log.Position;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.RecoveryReport;
import dev.tidemark.log.Replay;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of the log's bench, each measured on files of its own.
///
/// The logs that are read hold `records` records in batches of [LogWork#BATCH], in one segment, and
/// lie in the page cache, as does the plain loop's file.
///
/// Used by one thread; what it opens is closed with it.
final class LogRows implements AutoCloseable {
  /// The most records of a log that is read: 58 MB, less than a default segment.
  static final int RECORDS_MAX = 800_000;

  private static final int READS = 1 << 18;
  private static final int RAW_READ_BYTES = 96;
  private static final int OPENS_MAX = 3;
  private static final Duration TRIAL_MAX = Duration.ofMillis(200);

  private final Path directory;
  private final Rounds rounds;
  private final int records;
  private final Path rawFile;
  private final RawLoop raw;
  private final double syncMicros;
  private @Nullable RawLoop rawReads;
  private @Nullable Log filled;
  private @Nullable String access;

  private LogRows(Path directory, Rounds rounds, int records, Path rawFile) throws Exception {
    this.directory = directory;
    this.rounds = rounds;
    this.records = records;
    this.rawFile = rawFile;
    this.raw = RawLoop.fastest(rawFile, trial(), loop -> loop.writesOf(LogWork.RECORD_BYTES));
    this.syncMicros = 1e6 / raw.writesOf(LogWork.RECORD_BYTES).rate(trial());
  }

  /// Prepares the plain loop's file and finds its fastest way.
  static LogRows open(Path directory, Rounds rounds, int records) throws Exception {
    Path rawFile = directory.resolve("raw");
    RawLoop.prepare(rawFile);
    return new LogRows(directory, rounds, records, rawFile);
  }

  /// All rows, in the order of the report.
  static List<Spec> all() {
    return List.of(
        new Spec("write/1", rows -> rows.write(1, Thread.ofPlatform()), atLeast(0.85, 0.95)),
        new Spec("write/8-platform", rows -> rows.write(8, Thread.ofPlatform()), atLeast(3.5, 4.5)),
        new Spec(
            "write/32-virtual",
            rows -> rows.write(32, Thread.ofVirtual()),
            atLeast(Double.NaN, 14)),
        new Spec("write/256-virtual", rows -> rows.write(256, Thread.ofVirtual()), atLeast(60, 85)),
        new Spec("batch/1000", LogRows::batch, atLeast(Double.NaN, 0.85)),
        new Spec("read/point", LogRows::pointRead, atLeast(Double.NaN, 10)),
        new Spec("replay/view", LogRows::replayViews, atLeast(Double.NaN, 150e6)),
        new Spec("replay/owned", LogRows::replayArrays, atLeast(Double.NaN, 60e6)),
        new Spec("recovery", LogRows::recovery, atLeast(Double.NaN, 20e6)));
  }

  private static Row.Target atLeast(double floor, double anchor) {
    return Row.Target.atLeast(floor, anchor);
  }

  /// Measures one row.
  Row measure(Spec spec) throws Exception {
    return switch (spec.measure().in(this)) {
      case Found.Beside found -> Row.beside(spec.name(), "records/s", found.pairs(), spec.target());
      case Found.Alone found -> Row.alone(spec.name(), "records/s", found.series(), spec.target());
    };
  }

  /// How the plain loops reach their file.
  String rawAccess() {
    String writes = raw.access().label();
    return rawReads == null || rawReads.access() == raw.access()
        ? writes
        : writes + "; reads by " + rawReads.access().label();
  }

  /// What one small durable write of the plain loop costs.
  double syncMicros() {
    return syncMicros;
  }

  /// How the log reaches its files; null before a row was measured.
  @Nullable String logAccess() {
    return access;
  }

  private Found write(int writers, Thread.Builder callers) throws Exception {
    try (Log log = fresh()) {
      return new Found.Beside(
          rounds.inTurn(raw.writesOf(LogWork.RECORD_BYTES), LogWork.writes(log, writers, callers)));
    }
  }

  private Found batch() throws Exception {
    Work blocks = raw.writesOf(LogWork.RECORD_BYTES * LogWork.BATCH);
    try (Log log = fresh()) {
      return new Found.Beside(
          rounds.inTurn(length -> blocks.rate(length) * LogWork.BATCH, LogWork.batches(log)));
    }
  }

  private Found pointRead() throws Exception {
    Log log = filled();
    long[] offsets = new long[READS];
    Position[] positions = samplePositions(log, offsets);
    RawLoop loop = RawLoop.fastest(rawFile, trial(), some -> some.readsOf(RAW_READ_BYTES, offsets));
    rawReads = loop;
    return new Found.Beside(
        rounds.inTurn(loop.readsOf(RAW_READ_BYTES, offsets), LogWork.pointReads(log, positions)));
  }

  private Found replayViews() throws Exception {
    return new Found.Alone(rounds.alone(LogWork.replayOfViews(filled())));
  }

  private Found replayArrays() throws Exception {
    return new Found.Alone(rounds.alone(LogWork.replayOfArrays(filled())));
  }

  /// Opens copies of a log that was not closed. Making a copy and closing the log are not timed,
  /// but keep the disk busy: hence the bound on opens.
  private Found recovery() throws Exception {
    Log source = filled();
    Path from = directory.resolve("filled");
    return new Found.Alone(
        rounds.alone(
            length -> {
              long nanos = 0;
              long done = 0;
              for (int i = 0; i < OPENS_MAX && nanos < length.toNanos(); i++) {
                Path copy = Files.createTempDirectory(directory, "recovery-");
                copySegments(from, copy);
                long start = System.nanoTime();
                Log log = Log.open(copy, LogOptions.defaults());
                nanos += System.nanoTime() - start;
                done += scanned(log.recovery(), source.durableLsn());
                log.close();
                BenchDirectory.delete(copy);
              }
              return done * 1e9 / nanos;
            }));
  }

  /// Only a scan of all records counts.
  private static long scanned(RecoveryReport report, long last) {
    long scanned =
        switch (report) {
          case RecoveryReport.Created _ -> 0;
          case RecoveryReport.Clean clean -> clean.scannedRecords();
          case RecoveryReport.Unclosed unclosed -> unclosed.scannedRecords();
          case RecoveryReport.TornTail torn -> torn.scannedRecords();
          case RecoveryReport.IncompleteCopy copy -> copy.scannedRecords();
        };
    if (report.lastLsn() != last || scanned != last) {
      throw new IllegalStateException("recovered " + report + " of a log of " + last + " records");
    }
    return scanned;
  }

  /// The copy is made durable, so that no sync within recovery pays for it.
  private static void copySegments(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.endsWith("LOCK")) {
          Path copy = Files.copy(file, to.resolve(file.getFileName()));
          try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
        }
      }
    }
  }

  private Log fresh() throws IOException {
    return opened(Files.createTempDirectory(directory, "log-"));
  }

  private Log filled() {
    Log log = filled;
    if (log == null) {
      log = opened(directory.resolve("filled"));
      filled = log;
      LogWork.fill(log, records);
    }
    return log;
  }

  private Log opened(Path path) {
    Log log = Log.open(path, LogOptions.defaults());
    access = log.stats().access();
    return log;
  }

  /// Positions of records picked at random, and as many offsets in the plain loop's file, in the
  /// same order.
  private Position[] samplePositions(Log log, long[] offsets) {
    Position[] each = new Position[Math.toIntExact(log.durableLsn())];
    try (Replay replay = log.replay(1)) {
      for (RecordView record = replay.next(); record != null; record = replay.next()) {
        each[Math.toIntExact(record.lsn()) - 1] = record.position();
      }
    }
    SplittableRandom random = new SplittableRandom(7);
    Position[] picked = new Position[offsets.length];
    for (int i = 0; i < picked.length; i++) {
      Position position = each[random.nextInt(each.length)];
      // A copy, so that the positions lie in memory in the order they are used, as the offsets do.
      picked[i] = new Position(position.segment(), position.offset());
      offsets[i] = Math.min(position.offset(), RawLoop.FILE_BYTES - RAW_READ_BYTES);
    }
    return picked;
  }

  private Duration trial() {
    return rounds.each().compareTo(TRIAL_MAX) < 0 ? rounds.each() : TRIAL_MAX;
  }

  @Override
  public void close() throws IOException {
    if (filled != null) {
      filled.close();
    }
    if (rawReads != null) {
      rawReads.close();
    }
    raw.close();
  }

  /// One row: how it is called, how it is measured, what it should reach.
  record Spec(String name, Measure measure, Row.Target target) {}

  @FunctionalInterface
  interface Measure {
    Found in(LogRows rows) throws Exception;
  }

  /// Figures beside the plain loop, or on their own.
  sealed interface Found {
    record Beside(Rounds.Pairs pairs) implements Found {}

    record Alone(Series series) implements Found {}
  }
}
