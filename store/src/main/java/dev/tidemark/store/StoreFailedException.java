package dev.tidemark.store;

/// The log or the key-value side failed, so the store accepts no more writes until it is opened
/// again; reads go on where they can. Whether a write that was waiting is kept is known only then.
/// The cause is the first failure's.
public final class StoreFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  StoreFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The same for another caller, so that its trace is the caller's.
  StoreFailedException again(String more) {
    Throwable cause = getCause();
    return new StoreFailedException(getMessage() + more, cause == null ? this : cause);
  }
}
