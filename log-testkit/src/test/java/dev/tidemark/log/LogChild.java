package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.smallSegments;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A process of its own that uses a log, for tests that kill it or that keep it out.
final class LogChild {
  /// Opens the log, says `opened LSN` or `locked`, and ends.
  static final String OPEN = "open";

  /// Opens the log, says so, and waits to be killed.
  static final String HOLD = "hold";

  /// Writes until it is killed, and says `LSN WRITER N COUNT` of each write once it is
  /// acknowledged: the LSN of its last record, and [#payload]'s arguments.
  static final String WRITE = "write";

  static final int WRITERS = 4;

  private LogChild() {}

  static Process start(String what, Path directory) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LogChild.class.getName(),
            what,
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /// Small segments and a short witness delay: rotations and witnesses come in the way of kills.
  static LogOptions options() {
    return smallSegments().witnessDelay(Duration.ofMillis(1)).build();
  }

  public static void main(String[] args) throws Exception {
    try (Log log = Log.open(Path.of(args[1]), options())) {
      say("opened " + log.durableLsn());
      switch (args[0]) {
        case HOLD -> Thread.sleep(Duration.ofMinutes(1));
        case WRITE -> writeForever(log);
        default -> {}
      }
    } catch (LogLockedException e) {
      say("locked");
    }
  }

  private static void writeForever(Log log) throws InterruptedException {
    long base = log.durableLsn() * WRITERS;
    for (int w = 1; w < WRITERS; w++) {
      int writer = w;
      Thread.ofVirtual().start(() -> write(log, writer, base));
    }
    write(log, 0, base);
  }

  private static void write(Log log, int writer, long base) {
    for (long n = base; ; n++) {
      int count = count(writer, n);
      long last;
      if (count == 1) {
        last = log.write(payload(writer, n, 0));
      } else {
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          batch.add(payload(writer, n, i));
        }
        last = log.writeBatch(batch).last();
      }
      say(last + " " + writer + " " + n);
    }
  }

  /// How many records the writer's write `n` has.
  static int count(int writer, long n) {
    return (n + writer) % 3 == 0 ? 2 + (int) (n % 5) : 1;
  }

  /// The record `i` of the writer's write `n`.
  static byte[] payload(int writer, long n, int i) {
    String text = "%d %d %d %s".formatted(writer, n, i, "x".repeat((int) (n * 31 % 400)));
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static final PrintStream OUT = System.out;

  /// One line by one system call: a kill leaves whole lines but for the last.
  private static void say(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
    synchronized (OUT) {
      OUT.write(bytes, 0, bytes.length);
      OUT.flush();
    }
  }
}
