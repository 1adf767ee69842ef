package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// The store cannot do what was asked: it is closed, has failed, or its files are damaged. The
/// message says which, and what to do.
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
