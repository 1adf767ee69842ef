package dev.tidemark.cli;

import picocli.CommandLine.Option;

/// `--url`, which each command that speaks to a server has.
final class ServerOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:9200",
      description = "The server's address. Default: ${DEFAULT-VALUE}")
  private String url = "http://127.0.0.1:9200";

  /// Opens a client for it; nothing is sent yet.
  Api open() {
    return new Api(url);
  }
}
