package dev.tidemark.cli;

import picocli.CommandLine.Option;

/// `--payload`, which each command that writes records has.
final class PayloadOption {
  @Option(
      names = "--payload",
      paramLabel = "FORM",
      defaultValue = "text",
      description =
          "${COMPLETION-CANDIDATES}. Text is UTF-8, in which other bytes are lost. Default: ${DEFAULT-VALUE}")
  private Payload payload = Payload.text;

  /// Lines of records to standard output.
  RecordLines linesTo(Streams streams) {
    return RecordLines.to(streams, payload);
  }
}
