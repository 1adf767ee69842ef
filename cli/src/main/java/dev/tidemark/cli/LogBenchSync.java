package dev.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Measures what a disk can do for a log.
@Command(
    name = "bench-sync",
    description = {
      "Measures durable writes, one write and one data sync each, on the disk of a folder: of several",
      "sizes, into a file that grows, has holes, was allocated, is filled with zeros ahead by windows of",
      "several sizes, was filled whole, or was written before. The cost of filling windows counts.",
      "It writes only a file of its own in DIR, and removes it."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeOnExecutionException = LogCommand.FAILED,
    exitCodeOnInvalidInput = LogCommand.MISUSED,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark log bench-sync .",
      "  tidemark log bench-sync /srv --millis 1000 --rounds 5",
      "  tidemark log bench-sync /srv --json | jq -c '.rows[] | select(.write_bytes == 8192)'"
    })
final class LogBenchSync implements Callable<Integer> {
  private static final List<Integer> SIZES = List.of(128, 4 << 10, 8 << 10, 64 << 10);

  @Parameters(index = "0", paramLabel = "DIR", description = "A folder on the disk to measure.")
  private Path directory = Path.of(".");

  @Option(
      names = "--millis",
      paramLabel = "N",
      defaultValue = "150",
      description = "How long each figure is measured in each round. Default: ${DEFAULT-VALUE}")
  private int millis = 150;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many times; the median counts. Default: ${DEFAULT-VALUE}")
  private int rounds = 3;

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  private final Streams streams;

  LogBenchSync(Streams streams) {
    this.streams = streams;
  }

  /// @param rates writes a second, one for each of [#SIZES]
  private record Row(Allocation allocation, List<Double> rates) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (millis < 1 || rounds < 1) {
      throw new UserError("--millis and --rounds are 1 or more.");
    }
    if (!Files.isDirectory(directory)) {
      throw new UserError("There is no folder " + directory + ".");
    }
    Path file = Files.createTempFile(directory, "tidemark-bench-sync-", ".tmp");
    try {
      List<Row> rows = measure(file);
      streams.print(json ? json(rows) : text(rows));
      return 0;
    } catch (IOException e) {
      throw new UserError("Measuring in " + directory + " failed: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// In each round each figure once, so that what else the machine does meets all alike.
  private List<Row> measure(Path file) throws IOException, InterruptedException {
    List<Allocation> allocations = new ArrayList<>();
    for (Allocation allocation : Allocation.all()) {
      if (allocation.isPossible(file)) {
        allocations.add(allocation);
      } else {
        streams.err().println(allocation.name() + ": not possible here, left out");
      }
    }
    double[][][] rates = new double[allocations.size()][SIZES.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      streams.err().printf("round %d of %d%n", round + 1, rounds);
      for (int size = 0; size < SIZES.size(); size++) {
        for (int a = 0; a < allocations.size(); a++) {
          rates[a][size][round] =
              SyncedWrites.rate(
                  file, allocations.get(a), SIZES.get(size), Duration.ofMillis(millis));
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int a = 0; a < allocations.size(); a++) {
      List<Double> medians = new ArrayList<>();
      for (double[] ofRounds : rates[a]) {
        double[] sorted = ofRounds.clone();
        Arrays.sort(sorted);
        medians.add(sorted[sorted.length / 2]);
      }
      rows.add(new Row(allocations.get(a), medians));
    }
    return rows;
  }

  private static String text(List<Row> rows) {
    List<List<String>> table = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("durable writes a second"));
    for (int size : SIZES) {
      head.add(TextTable.size(size));
      head.add("");
    }
    table.add(head);
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.allocation.name()));
      for (int i = 0; i < SIZES.size(); i++) {
        double rate = row.rates.get(i);
        cells.add(TextTable.count(Math.round(rate)));
        cells.add(String.format(Locale.ROOT, "x%.2f", rate / rows.getFirst().rates.get(i)));
      }
      table.add(cells);
    }
    return TextTable.figures(table) + "x: times the rate of the first row\n";
  }

  private String json(List<Row> rows) {
    List<String> cells = new ArrayList<>();
    for (Row row : rows) {
      for (int i = 0; i < SIZES.size(); i++) {
        cells.add(
            String.format(
                Locale.ROOT,
                "{\"allocation\":%s,\"write_bytes\":%d,\"writes_per_second\":%.1f}",
                Json.quote(row.allocation.name()),
                SIZES.get(i),
                row.rates.get(i)));
      }
    }
    return "{\"directory\":%s,\"millis\":%d,\"rounds\":%d,\"rows\":%s}\n"
        .formatted(
            Json.quote(directory.toString()),
            millis,
            rounds,
            cells.stream().collect(Collectors.joining(",", "[", "]")));
  }
}
