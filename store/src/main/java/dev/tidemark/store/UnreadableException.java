package dev.tidemark.store;

/// Stored bytes that this version cannot read: damaged, or written by a newer one. Who reads adds
/// where they lie.
final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableException(String message) {
    super(message);
  }
}
