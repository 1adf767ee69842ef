package dev.tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a plain loop of small durable writes reaches before a bench begins.
///
/// @param raw how it reaches its file
/// @param syncMicros what one such write costs
record RawProbe(String raw, double syncMicros) {
  private static final Duration TRIAL = Duration.ofMillis(100);

  /// Measures on the folder's disk, and leaves nothing there.
  static RawProbe of(BenchDirectory directory) throws Exception {
    Path file = directory.path().resolve("raw-probe");
    RawLoop.prepare(file);
    try (RawLoop loop = RawLoop.fastest(file, TRIAL, some -> some.writesOf(LogWork.RECORD_BYTES))) {
      double rate = loop.writesOf(LogWork.RECORD_BYTES).rate(TRIAL);
      return new RawProbe(loop.access().label(), 1e6 / rate);
    } finally {
      Files.delete(file);
    }
  }

  /// The report of a bench that opened no log in this process.
  ///
  /// @param load what [MachineFacts#loadNow] said before the bench
  /// @param server how the server was started, or its address; null where there is none
  Report report(BenchDirectory directory, double load, @Nullable String server, List<Row> rows)
      throws IOException {
    return new Report(
        MachineFacts.here(directory.fileSystem(), load, raw, syncMicros, null, server), rows);
  }
}
