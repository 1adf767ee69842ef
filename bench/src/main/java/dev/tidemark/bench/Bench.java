package dev.tidemark.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The benches' root command.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures the log and the server on this machine.",
    subcommands = {LogBench.class, HttpBench.class},
    footerHeading = "%nExamples:%n",
    footer = {"  tidemark bench log", "  tidemark bench http --json"})
public final class Bench {
  private Bench() {}

  /// Runs one bench and ends the process with its status.
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Bench()).setCommandName("tidemark bench");
  }
}
