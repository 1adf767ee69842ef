package dev.tidemark.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `tidemark serve` in a JVM of its own, with the flags that every tidemark command has. It ends
/// with this object, and with this process whatever ends that in order.
final class ServerProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("\"url\"\\s*:\\s*\"(http://[^\"]+)\"");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path OPTIONS = Path.of("cli", "src", "main", "dist", "java.options");

  private final Process process;
  private final Path output;
  private final Thread atExit;

  private ServerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    this.atExit = new Thread(process::destroyForcibly, "bench-server-end");
  }

  /// The file with the JVM's flags that the launcher too gives to `tidemark serve`: looked for from
  /// the folder of this program upwards.
  static Path optionsFile() throws IOException {
    Path program = Path.of(System.getProperty("java.class.path").split(":", 2)[0]).toAbsolutePath();
    for (Path at = program; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve(OPTIONS))) {
        return at.resolve(OPTIONS);
      }
    }
    throw new IOException(
        "no " + OPTIONS + " in any folder above " + program + ": name it with --java-options");
  }

  /// Starts a server on a free port. Call [#address] to wait for it.
  ///
  /// @param options a file of flags for the JVM
  /// @param data the server's data
  /// @param output where what it says goes
  static ServerProcess start(Path options, Path data, Path output) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + options,
            // The command's own jar says this in its manifest.
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.tidemark.cli.Tidemark",
            "serve",
            "--json",
            "--port",
            "0",
            "--data",
            data.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    ServerProcess server = new ServerProcess(process, output);
    Runtime.getRuntime().addShutdownHook(server.atExit);
    return server;
  }

  /// Waits until the server says where it listens.
  URI address() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      boolean ended = process.waitFor(20, TimeUnit.MILLISECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8);
      Matcher matcher = ADDRESS.matcher(said);
      if (matcher.find()) {
        return URI.create(matcher.group(1));
      }
      if (ended) {
        throw new IOException(
            "the server ended with status " + process.exitValue() + " and said:\n" + said);
      }
    }
    throw new IOException(
        "the server named no address within "
            + PATIENCE.toSeconds()
            + " s; it said:\n"
            + Files.readString(output, StandardCharsets.UTF_8));
  }

  long pid() {
    return process.pid();
  }

  /// Asks it to end, and ends it if it does not, or if the caller is interrupted.
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  /// What the kernel says of a process. Linux only.
  ///
  /// @param residentMib memory in use
  /// @param peakMib the most it ever was
  record Usage(double residentMib, double peakMib) {
    static Usage of(long pid) throws IOException {
      Path status = Path.of("/proc", Long.toString(pid), "status");
      if (!Files.isReadable(status)) {
        throw new IOException("the kernel tells nothing of process " + pid + " in " + status);
      }
      return new Usage(
          MachineFacts.kib(MachineFacts.lineOf(status, "VmRSS", "0 kB")) / 1024.0,
          MachineFacts.kib(MachineFacts.lineOf(status, "VmHWM", "0 kB")) / 1024.0);
    }
  }
}
