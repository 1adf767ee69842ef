package dev.tidemark.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The system calls of one thread's durable writes, as `strace` counts them in a process of their
/// own, once that has warmed up.
///
/// @param writes write calls on files of the store
/// @param syncs data syncs and syncs of files, of the store's folder, and of mapped memory
/// @param stats calls that ask for a file's size or times
record SystemCalls(long writes, long syncs, long stats) {
  private static final Pattern CALL = Pattern.compile("^\\d+ +(\\w+)\\((.*)");
  private static final List<String> WRITES = List.of("write", "writev", "pwrite64", "pwritev");
  private static final List<String> SYNCS = List.of("fsync", "fdatasync", "msync");
  private static final List<String> STATS =
      List.of("fstat", "newfstatat", "statx", "stat", "lstat");
  private static final List<String> MARKS = List.of("mkdir", "mkdirat");

  /// Whether this machine has `strace`, and lets it trace.
  static boolean available() throws InterruptedException {
    try {
      return new ProcessBuilder("strace", "-f", "-qq", "-e", "trace=none", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// Traces so many writes.
  ///
  /// @param target as [TracedWrites] takes it
  /// @param directory for files of its own
  static SystemCalls ofWrites(String target, Path directory, int writes)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(directory, "traced-").toRealPath();
    Path trace = Files.createTempFile(directory, "trace-", "");
    Path said = Files.createTempFile(directory, "said-", "");
    int status =
        new ProcessBuilder(command(trace, target, folder, writes))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(
          "the traced writes of " + target + " failed: " + Files.readString(said));
    }
    return parse(Files.readString(trace, StandardCharsets.ISO_8859_1), folder.toString());
  }

  private static List<String> command(Path trace, String target, Path folder, int writes) {
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "-qq", "-y", "-s", "0", "-o", trace.toString()));
    List<String> calls = new ArrayList<>();
    for (List<String> group : List.of(WRITES, SYNCS, STATS, MARKS)) {
      // A call that this kind of processor does not have is no error.
      group.forEach(call -> calls.add("?" + call));
    }
    command.addAll(List.of("-e", "trace=" + String.join(",", calls)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-javaagent") && !flag.startsWith("-agent"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            TracedWrites.class.getName(),
            target,
            folder.toString(),
            Integer.toString(writes)));
    return command;
  }

  /// Counts what lies between the two marks.
  static SystemCalls parse(String trace, String folder) {
    long writes = 0;
    long syncs = 0;
    long stats = 0;
    boolean counting = false;
    for (String line : trace.lines().toList()) {
      Matcher matcher = CALL.matcher(line);
      if (!matcher.find()) {
        continue;
      }
      String call = matcher.group(1);
      boolean ours = matcher.group(2).contains(folder);
      if (MARKS.contains(call) && ours) {
        counting =
            line.contains(TracedWrites.BEGIN) || (counting && !line.contains(TracedWrites.END));
      }
      if (!counting) {
        continue;
      }
      if (WRITES.contains(call) && ours) {
        writes++;
      } else if (SYNCS.contains(call) && (ours || call.equals("msync"))) {
        syncs++;
      } else if (STATS.contains(call) && ours) {
        stats++;
      }
    }
    return new SystemCalls(writes, syncs, stats);
  }
}
