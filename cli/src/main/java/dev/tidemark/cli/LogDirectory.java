package dev.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/// `DIR`, which each command that looks at a log has.
final class LogDirectory {
  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The log's directory, or the data folder of a server.")
  private Path directory = Path.of(".");

  /// The directory that has the segments.
  Path find() {
    for (Path candidate : List.of(directory, directory.resolve("log"))) {
      if (hasSegments(candidate)) {
        return candidate;
      }
    }
    if (!Files.isDirectory(directory)) {
      throw new UserError("There is no folder " + directory + ".");
    }
    throw new UserError(
        "There is no log in %s: neither it nor its folder 'log' has a segment (a file *.seg)."
            .formatted(directory));
  }

  private static boolean hasSegments(Path candidate) {
    if (!Files.isDirectory(candidate)) {
      return false;
    }
    try (Stream<Path> files = Files.list(candidate)) {
      return files.anyMatch(file -> file.toString().endsWith(".seg"));
    } catch (IOException e) {
      throw new UserError("The folder " + candidate + " can't be read: " + e.getMessage() + ".", e);
    }
  }
}
