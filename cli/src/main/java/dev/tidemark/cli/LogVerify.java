package dev.tidemark.cli;

import dev.tidemark.log.InspectedSegment;
import dev.tidemark.log.LogInspection;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Verifies every frame and record of a log.
@Command(
    name = "verify",
    description = {
      "Reads every frame and record of every segment, finished ones too, and checks them.",
      "Each damage is a line: file, byte, what happened, and the records that are lost.",
      "It takes no lock and changes nothing."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:clean",
      "1:the log ends with bytes of a write that was never acknowledged; the next open drops them",
      "2:acknowledged records are damaged, or missing",
      "3:not done",
      "4:called in a way that makes no sense"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log verify data",
      "  tidemark log verify data --json | jq .damages",
      "  tidemark log verify data > report || test $? -eq 1"
    })
final class LogVerify implements Callable<Integer> {
  @Mixin private LogDirectory directory = new LogDirectory();

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  private final Streams streams;

  LogVerify(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    LogInspection log = LogInspection.of(directory.find());
    streams.print(json ? "{" + LogFindings.summaryJson(log) + "}\n" : text(log));
    return LogFindings.status(log);
  }

  private static String text(LogInspection log) {
    var out = new StringBuilder(LogFindings.damages(log.damages()));
    if (log.torn()) {
      InspectedSegment last = log.segments().getLast();
      out.append(
          "%s at byte %d: bytes of a write that was never acknowledged; the next open drops them\n"
              .formatted(last.name(), last.usedBytes()));
    }
    out.append(
        "%s: %s records in %s segments verified, %s\n"
            .formatted(
                LogFindings.state(log),
                TextTable.count(LogFindings.records(log)),
                TextTable.count(log.segments().size()),
                LogFindings.lsns(log.firstLsn(), log.lastLsn())));
    return out.toString();
  }
}
