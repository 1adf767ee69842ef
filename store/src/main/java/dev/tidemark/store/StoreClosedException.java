package dev.tidemark.store;

/// The store was closed before the call. Nothing was written.
public final class StoreClosedException extends StoreException {
  private static final long serialVersionUID = 1L;

  StoreClosedException(String message) {
    super(message, null);
  }
}
