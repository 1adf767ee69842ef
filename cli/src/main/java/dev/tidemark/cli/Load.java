package dev.tidemark.cli;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Loads a file of any size with bounded memory. Exit status: 0 if every document was taken, 3 if
/// some were rejected and the rest taken, 1 if it stopped.
@Command(
    name = "load",
    description = {
      "Loads documents from a file into an index, which is made if there is none.",
      "The file holds one document a line (NDJSON), one JSON array, lines that 'tidemark dump' wrote,",
      "or OpenSearch's bulk format; plain, gzip or zstd. All of that is detected.",
      "What is counted as loaded is on the server's disk."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every document was taken",
      "1:it stopped; the message says what was taken until then",
      "2:called in a way that makes no sense",
      "3:it went to the end, but some documents were rejected: they are in the file of rejects"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark load places.ndjson --index places",
      "  tidemark load places.json.gz --index places --id-field geonameid",
      "  zcat logs-*.gz | tidemark load - --index logs",
      "  tidemark dump --index movies | tidemark load - --index copy"
    })
final class Load implements Callable<Integer> {
  /// How long a server may answer that it is too busy before the load stops.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int SOME_REJECTED = 3;

  @Parameters(index = "0", paramLabel = "FILE", description = "The file; - is standard input.")
  private String file = "-";

  @Option(
      names = "--index",
      paramLabel = "NAME",
      required = true,
      description = "The index to load into.")
  private String index = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Do not detect the format: ${COMPLETION-CANDIDATES}.")
  private @Nullable Format format;

  @Option(
      names = "--id-field",
      paramLabel = "FIELD",
      description =
          "Take each document's id from this field, a string or number. Without it the server chooses ids, and loading a file twice keeps its documents twice.")
  private @Nullable String idField;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Where to write what was not taken, with line, reason and text. Default: NAME.rejects.ndjson")
  private @Nullable Path rejectsFile;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "4",
      description = "Requests under way at once, 1 to 64. Default: ${DEFAULT-VALUE}")
  private int inFlight = 4;

  @Option(
      names = "--bulk-bytes",
      paramLabel = "BYTES",
      defaultValue = "1048576",
      description = "The size of a request, 1 to 16777216. Default: ${DEFAULT-VALUE}")
  private int bulkBytes = 1 << 20;

  @Option(names = "--json", description = "Print the outcome as one line of JSON.")
  private boolean json;

  @Mixin private ServerOption server = new ServerOption();

  private final Streams streams;

  Load(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (inFlight < 1 || inFlight > 64 || bulkBytes < 1 || bulkBytes > 16 << 20) {
      throw new UserError("--in-flight goes from 1 to 64, --bulk-bytes from 1 to 16777216.");
    }
    long since = System.nanoTime();
    try (Input input = Input.open(file, streams.in());
        Api api = server.open();
        var rejects =
            new Rejects(rejectsFile != null ? rejectsFile : Path.of(index + ".rejects.ndjson"))) {
      var sender = new Sender(api, index, rejects, PATIENCE);
      try (var lanes = new Lanes(sender, inFlight, bulkBytes);
          var _ = new Progress(streams, input, sender, rejects)) {
        read(input, lanes, rejects, sender);
      }
      report(sender.taken(), rejects, input, (System.nanoTime() - since) / 1e9);
      return rejects.count() == 0 ? 0 : SOME_REJECTED;
    } catch (IOException e) {
      throw new UserError("The file " + file + " can't be closed: " + e.getMessage(), e);
    }
  }

  private void read(Input input, Lanes lanes, Rejects rejects, Sender sender)
      throws InterruptedException {
    try {
      Format shape = format != null ? format : Format.detect(input.text());
      Entries entries = Entries.of(shape, input.text(), idField);
      for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
        switch (entry) {
          case Entry.Change change -> lanes.add(change);
          case Entry.Unreadable unreadable -> rejects.add(unreadable, unreadable.reason());
        }
      }
      lanes.finish();
    } catch (BrokenFileException e) {
      lanes.finish();
      throw stopped(e, String.valueOf(e.getMessage()), sender);
    } catch (EOFException e) {
      lanes.finish();
      throw stopped(e, "The file's compressed data ends early.", sender);
    } catch (IOException e) {
      lanes.finish();
      throw stopped(e, "The file can't be read to its end: " + e.getMessage() + ".", sender);
    }
  }

  private static UserError stopped(IOException e, String what, Sender sender) {
    return new UserError(
        "%s What stands before that was sent: %,d documents are acknowledged."
            .formatted(what, sender.taken()),
        e);
  }

  private void report(long taken, Rejects rejects, Input input, double seconds) {
    if (json) {
      streams.print(
          "{\"index\":%s,\"taken\":%d,\"rejected\":%d,\"rejects\":%s,\"bytes\":%d,\"seconds\":%s}\n"
              .formatted(
                  Json.quote(index),
                  taken,
                  rejects.count(),
                  rejects.count() > 0 ? Json.quote(rejects.file().toString()) : "null",
                  input.position(),
                  String.format(Locale.ROOT, "%.3f", seconds)));
      return;
    }
    streams.print(
        String.format(
            Locale.ROOT,
            "%,d documents into %s in %.1f s (%,.0f/s)\n",
            taken,
            index,
            seconds,
            taken / Math.max(seconds, 1e-3)));
    if (rejects.count() > 0) {
      streams.print(
          String.format(Locale.ROOT, "%,d rejected: see %s\n", rejects.count(), rejects.file()));
    }
  }
}
