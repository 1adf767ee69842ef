package dev.tidemark.log;

/// Another owner, in this process or another, holds the directory. Nothing was changed.
public final class LogLockedException extends LogException {
  private static final long serialVersionUID = 1L;

  LogLockedException(String message) {
    super(message, null);
  }
}
