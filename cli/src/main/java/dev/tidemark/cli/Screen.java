package dev.tidemark.cli;

/// What reads a stream the command writes: a person before a terminal, or a file or program.
enum Screen {
  /// Lines may be redrawn and coloured.
  TERMINAL,
  /// Each line is written once, without control characters.
  PLAIN;

  /// As the launcher found it; without a launcher, [#PLAIN].
  static Screen of(String stream) {
    return Boolean.getBoolean("tidemark.terminal." + stream) ? TERMINAL : PLAIN;
  }
}
