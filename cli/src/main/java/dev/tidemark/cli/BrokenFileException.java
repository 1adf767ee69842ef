package dev.tidemark.cli;

import java.io.IOException;

/// The file to load breaks its format in a way that leaves nothing behind that place to be told
/// apart.
final class BrokenFileException extends IOException {
  private static final long serialVersionUID = 1L;

  BrokenFileException(long line, String what) {
    super("Line " + line + " is broken: " + what + ".");
  }
}
