package dev.tidemark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Shows how far each part of a server is.
@Command(
    name = "status",
    description = "Shows a server's watermarks and lags, its sizes, and its indices.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark status",
      "  tidemark status --url http://127.0.0.1:9201",
      "  tidemark status --json | jq .lags"
    })
final class Status implements Callable<Integer> {
  @Option(names = "--json", description = "Print the server's own JSON.")
  private boolean json;

  @Mixin private ServerOption server = new ServerOption();

  private final Streams streams;

  Status(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Api api = server.open()) {
      byte[] body = body(api);
      streams.print(
          json ? new String(body, StandardCharsets.UTF_8) + "\n" : StatusText.of(api.base(), body));
      return 0;
    }
  }

  private static byte[] body(Api api) throws InterruptedException {
    try {
      HttpResponse<InputStream> response = api.get("/_tidemark/status");
      if (response.statusCode() != 200) {
        throw api.refusal(response);
      }
      try (InputStream in = response.body()) {
        return in.readAllBytes();
      }
    } catch (IOException e) {
      throw api.failure(e);
    }
  }
}
