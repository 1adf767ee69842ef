package dev.tidemark.cli;

import dev.tidemark.log.CorruptLogException;
import dev.tidemark.log.InspectedSegment;
import dev.tidemark.log.LogInspection;
import dev.tidemark.log.RecoveryReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Shows what a log's directory holds.
@Command(
    name = "stat",
    description = {
      "Shows each segment of a log: its LSNs, records and sizes, and how it ends.",
      "It reads the whole log, without a lock, and says what opening it would find."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done, whatever was found",
      "3:not done",
      "4:called in a way that makes no sense"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log stat data",
      "  tidemark log stat /srv/journal --json | jq '.segment[] | [.first_lsn, .records]'"
    })
final class LogStat implements Callable<Integer> {
  @Mixin private LogDirectory directory = new LogDirectory();

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  private final Streams streams;

  LogStat(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Path path = directory.find();
    LogInspection log = LogInspection.of(path);
    streams.print(json ? json(path, log) : text(path, log));
    return 0;
  }

  private static String text(Path path, LogInspection log) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("segment", "LSNs", "records", "payload", "used", "file", "created", "ends"));
    for (InspectedSegment segment : log.segments()) {
      rows.add(
          List.of(
              segment.name(),
              segment.lastLsn() < segment.firstLsn()
                  ? "none"
                  : segment.firstLsn() + "-" + segment.lastLsn(),
              TextTable.count(segment.records()),
              TextTable.size(segment.payloadBytes()),
              TextTable.size(segment.usedBytes()),
              TextTable.size(segment.fileBytes()),
              segment.createdMs() == 0 ? "?" : Instant.ofEpochMilli(segment.createdMs()).toString(),
              LogFindings.end(segment)));
    }
    return "log %s: %s, %s records, %s\n%s\n\n%s%s"
        .formatted(
            path,
            log.lastLsn() < log.firstLsn()
                ? "the next record gets LSN " + log.firstLsn()
                : LogFindings.lsns(log.firstLsn(), log.lastLsn()),
            TextTable.count(LogFindings.records(log)),
            TextTable.size(LogFindings.fileBytes(log)),
            opening(path),
            TextTable.of(rows, 7),
            log.damages().isEmpty() ? "" : "\n" + LogFindings.damages(log.damages()));
  }

  /// What opening would find.
  private static String opening(Path path) {
    try {
      return "opening it "
          + switch (LogInspection.dryRun(path)) {
            case RecoveryReport.Created _ -> "makes a new log";
            case RecoveryReport.Clean _ -> "finds a log that was closed in order";
            case RecoveryReport.Unclosed _ -> "finds a log that is in use, or was not closed";
            case RecoveryReport.TornTail torn ->
                "drops %d bytes of a write that was never acknowledged"
                    .formatted(torn.droppedBytes());
            case RecoveryReport.IncompleteCopy copy ->
                "finds a copy made while the log was written: it keeps records up to LSN %d and sets the rest aside"
                    .formatted(copy.lastLsn());
          };
    } catch (CorruptLogException e) {
      return "opening it fails: " + e.getMessage();
    }
  }

  private static String json(Path path, LogInspection log) {
    return "{\"directory\":%s,%s,\"opening\":%s,\"segment\":%s,\"other_files\":%s}\n"
        .formatted(
            Json.quote(path.toString()),
            LogFindings.summaryJson(log),
            Json.quote(opening(path)),
            log.segments().stream().map(LogStat::json).collect(Collectors.joining(",", "[", "]")),
            log.otherFiles().stream().map(Json::quote).collect(Collectors.joining(",", "[", "]")));
  }

  private static String json(InspectedSegment segment) {
    return "{\"name\":%s,\"first_lsn\":%d,\"last_lsn\":%d,\"records\":%d,\"frames\":%d,\"payload_bytes\":%d,\"used_bytes\":%d,\"file_bytes\":%d,\"created_ms\":%d,\"last_time_ms\":%d,\"end\":\"%s\"}"
        .formatted(
            Json.quote(segment.name()),
            segment.firstLsn(),
            segment.lastLsn(),
            segment.records(),
            segment.frames(),
            segment.payloadBytes(),
            segment.usedBytes(),
            segment.fileBytes(),
            segment.createdMs(),
            segment.lastTimeMs(),
            LogFindings.end(segment));
  }
}
