package dev.tidemark.cli;

import dev.tidemark.log.LogException;
import dev.tidemark.store.StoreException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line's root. Exit statuses of every command, unless its help says others: 0 done, 1
/// not done (one line says why), 2 called in a way that makes no sense, 141 nobody reads the output
/// any more.
@Command(
    name = "tidemark",
    description = "A JSON document database for small machines, with the OpenSearch document API.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark serve --sample                      a server with 3,201 films to try",
      "  tidemark load places.json.gz --index places  documents from a file",
      "  tidemark dump --index places                 every document, one a line",
      "  tidemark status                              how far each part of the server is",
      "  tidemark log verify data                     whether every record on disk is intact",
      "",
      "'tidemark COMMAND --help' tells more of each. In a clone of the repository,",
      "'./tidemark bench --help' tells of the benches."
    })
public final class Tidemark implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private Tidemark() {}

  /// Runs one command and ends the process with its status.
  public static void main(String[] args) {
    System.exit(run(Streams.ofProcess(), args));
  }

  /// Runs one command and answers its exit status.
  static int run(Streams streams, String... args) {
    var line =
        new CommandLine(new Tidemark())
            .addSubcommand(new Serve(streams))
            .addSubcommand(new Load(streams))
            .addSubcommand(new Dump(streams))
            .addSubcommand(new Status(streams))
            .addSubcommand(logCommands(streams))
            .addSubcommand(new Rehearse());
    var out = new PrintWriter(streams.out(), true, StandardCharsets.UTF_8);
    var err = new PrintWriter(streams.err(), true, StandardCharsets.UTF_8);
    line.setOut(out).setErr(err).setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            streams.outScreen() == Screen.TERMINAL && System.getenv("NO_COLOR") == null
                ? Ansi.ON
                : Ansi.OFF));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command, err));
    line.setParameterExceptionHandler((e, arguments) -> misused(e, err));
    int status = line.execute(args);
    out.flush();
    err.flush();
    return status;
  }

  private static CommandLine logCommands(Streams streams) {
    return new CommandLine(new LogCommand())
        .addSubcommand(new LogStat(streams))
        .addSubcommand(new LogVerify(streams))
        .addSubcommand(new LogDump(streams))
        .addSubcommand(new LogTail(streams))
        .addSubcommand(new LogSalvage(streams))
        .addSubcommand(new LogBenchSync(streams));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command.");
  }

  private static int misused(ParameterException e, PrintWriter err) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    err.println("tidemark: " + e.getMessage());
    err.println("'" + name + " --help' shows how it is called.");
    return e.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }

  private static int failed(Exception e, CommandLine command, PrintWriter err) {
    switch (e) {
      case OutputClosedException closed -> {
        return OutputClosedException.STATUS;
      }
      case UserError error -> err.println("tidemark: " + error.getMessage());
      case StoreException error -> err.println("tidemark: " + error.getMessage());
      case LogException error -> err.println("tidemark: " + error.getMessage());
      default -> {
        err.println("tidemark: this is a bug in Tidemark; please report it with what follows:");
        e.printStackTrace(err);
      }
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
  }
}
