package dev.tidemark.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The benches' root command.
@Command(name = "bench", description = "Runs the benches.")
public final class Bench {
  private Bench() {}

  /// Runs one bench and ends the process with its status.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }
}
