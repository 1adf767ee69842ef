package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// The directory cannot be opened as it is: another process has it, a newer version wrote it, parts
/// of it are missing or damaged, or the file system refuses. The message says which and what to do;
/// documents on disk are as they were.
public final class StoreUnusableException extends StoreException {
  private static final long serialVersionUID = 1L;

  StoreUnusableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
