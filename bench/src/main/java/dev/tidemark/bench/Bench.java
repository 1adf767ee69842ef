package dev.tidemark.bench;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The benches' root command.
@Command(
    name = "bench",
    description = "Measures the log and the server on this machine.",
    subcommands = {LogBench.class, HttpBench.class, SoakBench.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark bench log",
      "  tidemark bench http --json",
      "  tidemark bench soak --minutes 2"
    })
public final class Bench {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("UnusedVariable") // picocli reads the option's name, not the field
  private boolean help;

  private Bench() {}

  /// Runs one bench and ends the process with its status.
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /// Runs one bench within this process.
  ///
  /// @param out takes the report
  /// @param err takes what is said meanwhile
  /// @return its status: 0 if all went well
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return commandLine().setOut(out).setErr(err).execute(args);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Bench()).setCommandName("tidemark bench");
  }
}
