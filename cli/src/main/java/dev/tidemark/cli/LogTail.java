package dev.tidemark.cli;

import dev.tidemark.log.CorruptLogException;
import dev.tidemark.log.IntactRecords;
import dev.tidemark.log.LogFollower;
import dev.tidemark.log.LogInspection;
import dev.tidemark.log.RecordView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Writes a log's last records, and those to come.
@Command(
    name = "tail",
    description = {
      "Writes the last records of a log to standard output, as 'tidemark log dump' does.",
      "With -f it goes on with those that another process writes, until Ctrl-C: each one when the log",
      "itself proves it durable, which is a few milliseconds after it became so. It takes no lock."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "2:it came upon damage",
      "3:not done",
      "4:called in a way that makes no sense"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log tail data",
      "  tidemark log tail data -f",
      "  tidemark log tail /srv/journal -f --from 5000 | jq --unbuffered .payload"
    })
final class LogTail implements Callable<Integer> {
  private static final Duration NEVER = Duration.ofDays(1);

  @Mixin private LogDirectory directory = new LogDirectory();

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with the records to come.")
  private boolean follow;

  @Option(
      names = {"-n", "--records"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many of the last records. Default: ${DEFAULT-VALUE}")
  private long last = 10;

  @Option(
      names = "--from",
      paramLabel = "LSN",
      description = "Begin with this record instead; it may be one to come.")
  private @Nullable Long from;

  @Mixin private PayloadOption payload = new PayloadOption();

  private final Streams streams;

  LogTail(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Path path = directory.find();
    RecordLines lines = payload.linesTo(streams);
    if (follow) {
      Long first = from;
      return follow(path, first != null ? first : start(LogInspection.of(path)), lines);
    }
    LogInspection log = LogInspection.of(path);
    try (IntactRecords records = log.records(from != null ? from : start(log))) {
      for (RecordView record = records.next(); record != null; record = records.next()) {
        lines.add(record);
      }
    }
    lines.flush();
    return 0;
  }

  private long start(LogInspection log) {
    return Math.max(log.firstLsn(), log.lastLsn() + 1 - Math.max(0, last));
  }

  private int follow(Path path, long first, RecordLines lines) throws IOException {
    try (LogFollower follower = LogFollower.from(path, first)) {
      while (true) {
        RecordView record = follower.poll(Duration.ZERO);
        if (record == null) {
          lines.flush();
          record = follower.poll(NEVER);
        }
        if (record != null) {
          lines.add(record);
        }
      }
    } catch (CorruptLogException e) {
      lines.flush();
      streams.err().println("tidemark: " + e.getMessage());
      return LogCommand.CORRUPT;
    }
  }
}
