package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the rows of the log's bench share: where their files lie, how long they measure, the plain
/// loop, and a log that is full.
///
/// The log that is read holds `records` records in batches of [LogWork#BATCH], in one segment, and
/// lies in the page cache, as does the plain loop's file.
///
/// Used by one thread; what it opens is closed with it.
final class LogBed implements AutoCloseable {
  /// The most records of a log that is read: 58 MB, less than a default segment.
  static final int RECORDS_MAX = 800_000;

  private static final Duration TRIAL_MAX = Duration.ofMillis(200);

  private final Path directory;
  private final FileSystemFacts fileSystem;
  private final Rounds rounds;
  private final int records;
  private final Path rawFile;
  private final RawLoop raw;
  private final double syncMicros;
  private @Nullable RawLoop reads;
  private @Nullable Log filled;
  private @Nullable String access;

  private LogBed(
      Path directory, FileSystemFacts fileSystem, Rounds rounds, int records, Path rawFile)
      throws Exception {
    this.directory = directory;
    this.fileSystem = fileSystem;
    this.rounds = rounds;
    this.records = records;
    this.rawFile = rawFile;
    this.raw = RawLoop.fastest(rawFile, trial(), loop -> loop.writesOf(LogWork.RECORD_BYTES));
    this.syncMicros = 1e6 / raw.writesOf(LogWork.RECORD_BYTES).rate(trial());
  }

  /// Prepares the plain loop's file and finds its fastest way.
  static LogBed open(Path directory, FileSystemFacts fileSystem, Rounds rounds, int records)
      throws Exception {
    Path rawFile = directory.resolve("raw");
    RawLoop.prepare(rawFile);
    return new LogBed(directory, fileSystem, rounds, records, rawFile);
  }

  /// Where a row may put files of its own.
  Path directory() {
    return directory;
  }

  FileSystemFacts fileSystem() {
    return fileSystem;
  }

  Rounds rounds() {
    return rounds;
  }

  /// The plain loop, by its fastest way to write.
  RawLoop raw() {
    return raw;
  }

  /// The plain loop by its fastest way to do this kind of read.
  RawLoop rawReads(Function<RawLoop, Work> work) throws Exception {
    RawLoop loop = RawLoop.fastest(rawFile, trial(), work);
    if (reads != null) {
      reads.close();
    }
    reads = loop;
    return loop;
  }

  /// How the plain loops reach their file.
  String rawAccess() {
    String writes = raw.access().label();
    return reads == null || reads.access() == raw.access()
        ? writes
        : writes + "; reads by " + reads.access().label();
  }

  /// What one small durable write of the plain loop costs.
  double syncMicros() {
    return syncMicros;
  }

  /// How the log reaches its files; null before a row was measured.
  @Nullable String logAccess() {
    return access;
  }

  /// An empty log with the default options.
  Log fresh() throws IOException {
    return fresh(LogOptions.defaults());
  }

  /// An empty log.
  Log fresh(LogOptions options) throws IOException {
    return opened(Files.createTempDirectory(directory, "log-"), options);
  }

  /// The log that is full.
  Log filled() {
    Log log = filled;
    if (log == null) {
      log = opened(filledPath(), LogOptions.defaults());
      filled = log;
      LogWork.fill(log, records);
    }
    return log;
  }

  /// Where that log lies.
  Path filledPath() {
    return directory.resolve("filled");
  }

  /// How many records it holds.
  int records() {
    return records;
  }

  private Log opened(Path path, LogOptions options) {
    Log log = Log.open(path, options);
    access = log.stats().access();
    return log;
  }

  private Duration trial() {
    return rounds.each().compareTo(TRIAL_MAX) < 0 ? rounds.each() : TRIAL_MAX;
  }

  @Override
  public void close() throws IOException {
    if (filled != null) {
      filled.close();
    }
    if (reads != null) {
      reads.close();
    }
    raw.close();
  }
}
