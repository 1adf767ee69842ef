package dev.tidemark.cli;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.io.IOException;
import java.nio.file.Path;

/// A process that writes a log of small segments, and then keeps it open until it is killed.
final class LogWriter {
  private LogWriter() {}

  static Process start(Path directory, int records, Path err) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            LogWriter.class.getName(),
            directory.toString(),
            Integer.toString(records))
        .redirectError(err.toFile())
        .start();
  }

  /// Writes, and waits to be killed.
  ///
  /// @param arguments the directory, and how many records
  public static void main(String[] arguments) throws InterruptedException {
    LogOptions options = LogOptions.builder().segmentBytesMax(8 << 10).windowBytes(8 << 10).build();
    try (Log log = Log.open(Path.of(arguments[0]), options)) {
      for (int i = Integer.parseInt(arguments[1]); i > 0; i--) {
        log.write(new byte[64]);
      }
      Thread.sleep(600_000);
    }
  }
}
