package dev.tidemark.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The command line's root.
@Command(name = "tidemark", description = "A JSON document database for small machines.")
public final class Tidemark {
  private Tidemark() {}

  /// Runs one command and ends the process with its status.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Tidemark()).execute(args));
  }
}
