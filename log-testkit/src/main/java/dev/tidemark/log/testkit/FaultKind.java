package dev.tidemark.log.testkit;

/// What the system says when an operation fails, in the words of Linux.
public enum FaultKind {
  /// EIO: the device could not do it.
  IO_ERROR("Input/output error"),
  /// ENOSPC: there is no room.
  NO_SPACE("No space left on device");

  private final String text;

  FaultKind(String text) {
    this.text = text;
  }

  /// As `strerror` has it.
  public String text() {
    return text;
  }
}
