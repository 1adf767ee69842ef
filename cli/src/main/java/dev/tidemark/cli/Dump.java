package dev.tidemark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Writes an index to standard output as the server streams it. Memory does not grow with the
/// index.
@Command(
    name = "dump",
    description = {
      "Writes every document of an index to standard output, one JSON object a line:",
      "  {\"_id\":...,\"_version\":...,\"_seq_no\":...,\"_source\":{...}}   and _routing where given",
      "It is the index as it was at one moment. 'tidemark load' takes these lines."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark dump --index movies > movies.ndjson",
      "  tidemark dump --index movies | gzip > movies.ndjson.gz",
      "  tidemark dump --index movies | jq -c ._source",
      "  tidemark dump --index movies | tidemark load - --index copy --url http://other:9200"
    })
final class Dump implements Callable<Integer> {
  private static final int BUFFER_BYTES = 64 << 10;

  @Option(
      names = "--index",
      paramLabel = "NAME",
      required = true,
      description = "The index to write.")
  private String index = "";

  @Mixin private ServerOption server = new ServerOption();

  private final Streams streams;

  Dump(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Api api = server.open()) {
      HttpResponse<InputStream> response;
      try {
        response = api.get("/_tidemark/dump/" + Api.segment(index));
      } catch (IOException e) {
        throw api.failure(e);
      }
      if (response.statusCode() != 200) {
        throw api.refusal(response);
      }
      copy(response.body());
      return 0;
    }
  }

  private void copy(InputStream from) {
    try (from) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        streams.write(buffer, read);
      }
    } catch (IOException e) {
      throw new UserError(
          "The dump ended early, and what was written is not the whole index: "
              + String.valueOf(e.getMessage()),
          e);
    }
  }
}
