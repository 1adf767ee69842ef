package dev.tidemark.log;

/// A segment, or the cursors' file, has a format version this code does not know. Nothing was
/// changed.
public final class UnsupportedFormatException extends LogException {
  private static final long serialVersionUID = 1L;

  UnsupportedFormatException(String message) {
    super(message, null);
  }
}
