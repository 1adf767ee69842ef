package dev.tidemark.bench;

import dev.tidemark.log.testkit.Seed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench soak`: the log under a mixed load for a long time, with restarts and kills.
@Command(
    name = "soak",
    sortOptions = false,
    description = {
      "Loads a log for a long time from a process that is stopped and killed again and again: single"
          + " writes, batches, appends, a consumer that trims, replays and reads by position. Every"
          + " acknowledged record is looked for. Memory, open files, the log's size and how much the"
          + " latency rises are bounded: a bound stands in the report as a floor."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every promise was kept",
      "1:one was broken: what, is said; the files stay",
      "2:wrong use"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tidemark bench soak --minutes 2", "  tidemark bench soak --minutes 30 --json"})
final class SoakBench implements Callable<Integer> {
  private static final double MINUTES_MAX = 7 * 24 * 60;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "2",
      description = "How long. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where to put the files, in a folder that is deleted at the end if all went well. On a"
              + " disk, never in memory. Default: the working directory.")
  private @Nullable Path dir;

  @Option(names = "--json", description = "Print one JSON object and nothing else.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("UnusedVariable") // picocli reads the option's name, not the field
  private boolean help;

  @Spec private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  SoakBench() {}

  @Override
  public Integer call() throws Exception {
    if (!(minutes > 0) || minutes > MINUTES_MAX) {
      throw wrong("--minutes must be more than 0 and at most a week");
    }
    Seed seed = Seed.ofRun();
    PrintWriter progress = command.commandLine().getErr();
    progress.println(seed);
    progress.flush();
    try (BenchDirectory directory = BenchDirectory.create(dir)) {
      double load = MachineFacts.loadNow();
      RawProbe probe = RawProbe.of(directory);
      List<Row> rows;
      try {
        rows =
            new SoakRun(directory.path(), seed.random())
                .run(
                    Duration.ofNanos((long) (minutes * 60e9)),
                    line -> {
                      progress.println(line);
                      progress.flush();
                    });
      } catch (SoakFailure e) {
        directory.keep();
        progress.println("A promise was broken, " + seed + ": " + e.getMessage());
        progress.println("The files are in " + directory.path());
        progress.flush();
        return 1;
      }
      Report report = probe.report(directory, load, null, rows);
      report.print(command.commandLine().getOut(), json ? Report.Form.JSON : Report.Form.TABLE);
      return rows.stream().anyMatch(row -> row.standing() == Row.Standing.BELOW_FLOOR) ? 1 : 0;
    } catch (BenchDirectory.MemoryFileSystemException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
