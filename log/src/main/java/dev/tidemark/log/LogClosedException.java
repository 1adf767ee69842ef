package dev.tidemark.log;

/// The log was closed before the call, or while it waited.
public final class LogClosedException extends LogException {
  private static final long serialVersionUID = 1L;

  LogClosedException(String message) {
    super(message, null);
  }
}
