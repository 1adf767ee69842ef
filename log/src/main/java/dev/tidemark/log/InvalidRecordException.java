package dev.tidemark.log;

/// A record, batch or argument breaks a limit. Nothing was written and no LSN was assigned.
public final class InvalidRecordException extends LogException {
  private static final long serialVersionUID = 1L;

  InvalidRecordException(String message) {
    super(message, null);
  }
}
