package dev.tidemark.store;

/// The text is not JSON, or JSON that is not kept. Nothing was logged.
public final class InvalidJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final long offset;

  InvalidJsonException(String message, long offset) {
    super(message);
    this.offset = offset;
  }

  /// Where, in bytes from the start of the text.
  public long offset() {
    return offset;
  }
}
