package dev.tidemark.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Where a run took place: without it, no figure of the run means anything.
///
/// @param cpu the processor's name
/// @param cores processors that the JVM may use
/// @param memoryMib the machine's memory
/// @param kernel the system and its version
/// @param load runnable threads of the whole machine, a mean over the minute before the run; below
///   zero if the system does not say
/// @param fileSystem the type of the file system under the bench's files
/// @param device what that file system lies on
/// @param jdk the virtual machine
/// @param jvmFlags what it was started with
/// @param raw how the plain loop reaches its file
/// @param syncMicros what one small durable write of the plain loop costs, a median
/// @param logAccess how the log reaches its files; null where no log was opened in this process
/// @param server how the server was started, or its address; null where there is none
record MachineFacts(
    String cpu,
    int cores,
    long memoryMib,
    String kernel,
    double load,
    String fileSystem,
    String device,
    String jdk,
    String jvmFlags,
    String raw,
    double syncMicros,
    @Nullable String logAccess,
    @Nullable String server) {

  /// Looks around, and keeps what the bench found beside.
  static MachineFacts here(
      FileSystemFacts disk,
      double load,
      String raw,
      double syncMicros,
      @Nullable String logAccess,
      @Nullable String server)
      throws IOException {
    return new MachineFacts(
        lineOf(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch", "unknown")),
        Runtime.getRuntime().availableProcessors(),
        kib(lineOf(Path.of("/proc/meminfo"), "MemTotal", "0 kB")) / 1024,
        System.getProperty("os.name", "") + " " + System.getProperty("os.version", ""),
        load,
        disk.type(),
        disk.device(),
        System.getProperty("java.vm.name", "") + " " + Runtime.version(),
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()),
        raw,
        syncMicros,
        logAccess,
        server);
  }

  /// Runnable threads of the whole machine, a mean over the last minute; below zero if unknown.
  static double loadNow() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /// The value of the first line `name: value` of one of the kernel's files.
  static String lineOf(Path file, String name, String otherwise) throws IOException {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    return Files.readString(file, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT)))
        .filter(line -> line.contains(":"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(otherwise);
  }

  /// A number as the kernel writes it, in units of 1,024 bytes: `1234 kB`.
  static long kib(String value) {
    String digits = value.replace("kB", "").strip();
    return Long.parseLong(digits);
  }
}
