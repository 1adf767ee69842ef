package dev.tidemark.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Keeps the libraries' start-up notes out of the command's output; warnings and errors stay.
final class QuietLogging {
  /// Held here because the log manager itself holds loggers only weakly.
  private static final List<Logger> QUIET = List.of(Logger.getLogger("io.helidon"));

  private QuietLogging() {}

  static void apply() {
    QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
  }
}
