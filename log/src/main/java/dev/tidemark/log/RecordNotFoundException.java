package dev.tidemark.log;

/// No record is kept at that position or LSN: it was trimmed, or it is not durable yet.
public final class RecordNotFoundException extends LogException {
  private static final long serialVersionUID = 1L;

  RecordNotFoundException(String message) {
    super(message, null);
  }
}
