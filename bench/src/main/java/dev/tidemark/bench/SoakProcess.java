package dev.tidemark.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A [SoakLoad] in a JVM of its own. It ends with this object, and with this process whatever ends
/// that in order.
final class SoakProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final Thread atExit;

  private SoakProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.atExit = new Thread(process::destroyForcibly, "bench-soak-end");
  }

  /// Starts it; what it says to standard error goes to a file.
  static SoakProcess start(Path log, Path marks, Path raw, Path errors) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            SoakLoad.class.getName(),
            log.toString(),
            marks.toString(),
            raw.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    SoakProcess started = new SoakProcess(process);
    Runtime.getRuntime().addShutdownHook(started.atExit);
    return started;
  }

  long pid() {
    return process.pid();
  }

  /// The next line it says; null once it has ended.
  @Nullable String line() throws IOException {
    return output.readLine();
  }

  /// Lets it end in order.
  void stop() throws IOException {
    process.getOutputStream().close();
  }

  /// Ends it at once, as `kill -9` does. What it said before can still be read.
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /// Waits for its end, and answers its status.
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /// How many files of a folder a process holds open or mapped, deleted ones included; below 0 if
  /// the system does not say.
  static int handles(long pid, Path folder) throws IOException {
    Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
    if (!Files.isReadable(descriptors)) {
      return -1;
    }
    String within = folder.toRealPath() + "/";
    int count = 0;
    try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      count += Math.toIntExact(maps.filter(line -> line.contains(within)).count());
    }
    try (Stream<Path> each = Files.list(descriptors)) {
      for (Path descriptor : each.toList()) {
        try {
          if (Files.readSymbolicLink(descriptor).toString().startsWith(within)) {
            count++;
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile.
        }
      }
    }
    return count;
  }

  /// Memory of the process that no file stands behind, in MiB; NaN if the system does not say.
  static double anonymousMib(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    String value = MachineFacts.lineOf(status, "RssAnon", "");
    return value.isEmpty() ? Double.NaN : MachineFacts.kib(value) / 1024.0;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
