package dev.tidemark.log;

import java.io.IOException;

/// The file system refused an open or a read. Nothing on disk was changed; trying again is safe.
public final class LogIoException extends LogException {
  private static final long serialVersionUID = 1L;

  LogIoException(String message, IOException cause) {
    super(message + ": " + (cause.getMessage() == null ? cause : cause.getMessage()), cause);
  }
}
