package dev.tidemark.log.spi;

import java.io.IOException;

/// The directory has another owner.
public final class StorageLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /// @param message names the directory and what is known of its owner
  public StorageLockedException(String message) {
    super(message);
  }
}
