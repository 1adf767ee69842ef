package dev.tidemark.cli;

import java.io.IOException;

/// The program that reads standard output has ended, as `head` does: the command ends too, quietly,
/// with the status that the system's own tools have then.
final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// 128 and the number of SIGPIPE.
  static final int STATUS = 141;

  OutputClosedException(IOException cause) {
    super(cause);
  }

  /// Java has no type for EPIPE: its text is all there is.
  static boolean isCause(IOException e) {
    String message = e.getMessage();
    return message != null && (message.contains("Broken pipe") || message.contains("Pipe closed"));
  }
}
