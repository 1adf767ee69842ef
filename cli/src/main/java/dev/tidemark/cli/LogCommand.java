package dev.tidemark.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The commands that look at a log's directory. They end with other statuses than the rest, because
/// what they find is told by theirs.
@Command(
    name = "log",
    description = {
      "Looks at a log's directory: what it holds, whether it is intact, its records.",
      "None of these commands takes the log's lock or changes a byte of it, so that they may run beside",
      "the server; 'salvage' and 'bench-sync' write files of their own."
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log stat data                        segments, sizes and LSNs",
      "  tidemark log verify data || echo damaged      every record checked",
      "  tidemark log dump data --from 100 | jq .lsn   records as NDJSON",
      "  tidemark log tail data -f                     records as they are written",
      "",
      "DIR is the log's directory, or the data folder of a server.",
      "'tidemark log COMMAND --help' tells more of each."
    })
final class LogCommand implements Runnable {
  /// Exit status: the log ends with bytes of a write that was never acknowledged.
  static final int TORN = 1;

  /// Exit status: acknowledged records are damaged.
  static final int CORRUPT = 2;

  /// Exit status: it could not be done.
  static final int FAILED = 3;

  /// Exit status: called in a way that makes no sense.
  static final int MISUSED = 4;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command.");
  }
}
