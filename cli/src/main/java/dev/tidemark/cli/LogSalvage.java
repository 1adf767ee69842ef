package dev.tidemark.cli;

import dev.tidemark.log.LogInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Copies what is intact of a damaged log.
@Command(
    name = "salvage",
    description = {
      "Copies what is intact of a log into a new one in the folder TO, and lists what is lost.",
      "A log has no gaps: the records before the first lost one keep their LSNs and are a log again;",
      "those behind it go, with their LSNs and base64 payloads, to the file TO.ndjson as 'tidemark log",
      "dump' writes them. Positions stay, too, up to the first damage. DIR is only read, without a lock;",
      "of an intact log, also one in use, it makes a copy."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the log is intact, and TO a copy of it",
      "2:there was damage; what was intact is in TO and TO.ndjson",
      "3:not done",
      "4:called in a way that makes no sense"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log salvage data rescued",
      "  tidemark log salvage /srv/journal rescued --json | jq .damages"
    })
final class LogSalvage implements Callable<Integer> {
  @Mixin private LogDirectory directory = new LogDirectory();

  @Parameters(index = "1", paramLabel = "TO", description = "A folder that is new or empty.")
  private Path to = Path.of(".");

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  private final Streams streams;

  LogSalvage(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Path from = directory.find();
    Path beside = to.resolveSibling(to.getFileName() + ".ndjson");
    checkTarget(from, beside);
    LogInspection log = LogInspection.of(from);
    Salvage salvage = new Salvage(log, from, to, beside);
    try {
      salvage.run();
    } catch (IOException e) {
      throw new UserError(
          "Copying broke off, and %s is not whole: %s. Remove it and try again."
              .formatted(to, e.getMessage()),
          e);
    }
    streams.print(json ? json(log, salvage) : text(log, salvage, beside));
    return log.damages().isEmpty() ? 0 : LogCommand.CORRUPT;
  }

  private void checkTarget(Path from, Path beside) throws IOException {
    if (Files.exists(beside)) {
      throw new UserError("The file " + beside + " is there already: choose another TO.");
    }
    if (to.toAbsolutePath().normalize().startsWith(from.toAbsolutePath().normalize())) {
      throw new UserError(
          to + " lies in the log's own folder, which is not touched: choose another.");
    }
    if (Files.exists(to)) {
      try (Stream<Path> files = Files.list(to)) {
        if (files.findAny().isPresent()) {
          throw new UserError("The folder " + to + " is not empty: choose another TO.");
        }
      }
    }
  }

  private static String text(LogInspection log, Salvage salvage, Path beside) {
    return LogFindings.damages(log.damages())
        + "kept as a log: %s\n".formatted(LogFindings.lsns(log.firstLsn(), salvage.lastKept()))
        + (salvage.written() == 0
            ? ""
            : "written to %s: %s records up to LSN %d\n"
                .formatted(beside, TextTable.count(salvage.written()), log.lastLsn()));
  }

  private static String json(LogInspection log, Salvage salvage) {
    return "{\"first_lsn\":%d,\"last_kept_lsn\":%d,\"written_beside\":%d,\"last_lsn\":%d,\"damages\":%s}\n"
        .formatted(
            log.firstLsn(),
            salvage.lastKept(),
            salvage.written(),
            log.lastLsn(),
            LogFindings.damagesJson(log.damages()));
  }
}
