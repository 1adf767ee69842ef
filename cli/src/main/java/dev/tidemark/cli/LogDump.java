package dev.tidemark.cli;

import dev.tidemark.log.IntactRecords;
import dev.tidemark.log.LogDamage;
import dev.tidemark.log.LogInspection;
import dev.tidemark.log.RecordView;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Writes a log's records to standard output.
@Command(
    name = "dump",
    description = {
      "Writes the records of a log to standard output, one JSON object a line, in LSN order:",
      "  {\"lsn\":1,\"position\":{\"segment\":1,\"offset\":4144},\"time\":\"...\",\"size\":5,\"payload\":\"...\"}",
      "The whole log is verified first; damaged records are left out and named on standard error.",
      "It takes no lock. Of a log in use, the last group may not be acknowledged yet."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every record of the range was written",
      "2:records of the range are damaged, or missing",
      "3:not done",
      "4:called in a way that makes no sense"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log dump data | head",
      "  tidemark log dump /srv/journal --from 100 --to 199 --payload base64 > records.ndjson",
      "  tidemark log dump /srv/journal --payload none | jq -s 'map(.size) | add'"
    })
final class LogDump implements Callable<Integer> {
  @Mixin private LogDirectory directory = new LogDirectory();

  @Option(
      names = "--from",
      paramLabel = "LSN",
      defaultValue = "1",
      description = "The first record to write. Default: the first one kept")
  private long from = 1;

  @Option(names = "--to", paramLabel = "LSN", description = "The last one. Default: the last one")
  private long to = Long.MAX_VALUE;

  @Mixin private PayloadOption payload = new PayloadOption();

  private final Streams streams;

  LogDump(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    LogInspection log = LogInspection.of(directory.find());
    RecordLines lines = payload.linesTo(streams);
    try (IntactRecords records = log.records(from)) {
      for (RecordView record = records.next();
          record != null && record.lsn() <= to;
          record = records.next()) {
        lines.add(record);
      }
    }
    lines.flush();
    List<LogDamage> here =
        log.damages().stream()
            .filter(d -> d.firstLsn() <= d.lastLsn() && d.firstLsn() <= to && d.lastLsn() >= from)
            .toList();
    streams.err().print(LogFindings.damages(here));
    return here.isEmpty() ? 0 : LogCommand.CORRUPT;
  }
}
