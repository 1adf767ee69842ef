package dev.tidemark.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Rounds of writes and then reads over HTTP, and what they cost the server's process. Used by one
/// thread.
final class HttpRounds {
  private final LoadGenerator generator;
  private final Documents documents;
  private final Duration each;
  private final @Nullable Long server;
  private final FileSystemFacts disk;
  private final List<LoadGenerator.Load> puts = new ArrayList<>();
  private final List<LoadGenerator.Load> gets = new ArrayList<>();
  private final List<Double> resident = new ArrayList<>();
  private final List<Double> written = new ArrayList<>();
  private double peak;

  /// @param each the length of the writes, and of the reads
  /// @param server the process to ask the kernel about; null for none
  /// @param disk where its data lie
  HttpRounds(
      LoadGenerator generator,
      Documents documents,
      Duration each,
      @Nullable Long server,
      FileSystemFacts disk) {
    this.generator = generator;
    this.documents = documents;
    this.each = each;
    this.server = server;
    this.disk = disk;
  }

  /// Lets both sides compile what they need; no figure counts.
  void warmUp() throws IOException {
    generator.run(documents.puts(), each);
    generator.run(documents.gets(), each);
  }

  /// One round. What the server writes behind its answers, while it is read from, is the round's.
  void round() throws IOException {
    long documentsBefore = documents.written();
    OptionalLong bytesBefore = disk.bytesTaken();
    puts.add(generator.run(documents.puts(), each));
    gets.add(generator.run(documents.gets(), each));
    if (server == null) {
      return;
    }
    ServerProcess.Usage usage = ServerProcess.Usage.of(server);
    resident.add(usage.residentMib());
    peak = usage.peakMib();
    OptionalLong bytes = disk.bytesTaken();
    if (bytes.isPresent() && bytesBefore.isPresent()) {
      double thousands = (documents.written() - documentsBefore) / 1e3;
      written.add((bytes.getAsLong() - bytesBefore.getAsLong()) / 1e6 / thousands);
    }
  }

  /// The figures of the rounds so far, of which there must be one.
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    add(rows, "put", puts);
    add(rows, "get", gets);
    if (server != null) {
      rows.add(
          Row.alone("memory/rss", "MiB", new Series(resident), Row.Target.atMost(Double.NaN, 256)));
      rows.add(Row.alone("memory/peak", "MiB", new Series(List.of(peak)), null));
      rows.add(
          Row.alone("written/1000", "MB", new Series(written), Row.Target.atMost(Double.NaN, 1.4)));
    }
    return rows;
  }

  private static void add(List<Row> rows, String name, List<LoadGenerator.Load> loads) {
    rows.add(
        Row.alone(
            name, "1/s", new Series(loads.stream().map(LoadGenerator.Load::rate).toList()), null));
    for (int percentile : new int[] {50, 99}) {
      rows.add(
          Row.alone(
              name + "/p" + percentile,
              "us",
              new Series(loads.stream().map(load -> load.micros(percentile)).toList()),
              null));
    }
  }
}
