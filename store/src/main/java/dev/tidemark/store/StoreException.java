package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// The base of every error of the store but [InvalidJsonException] and [IllegalArgumentException],
/// which speak of a single request. The subtype says what to do:
///
/// | subtype | what happened | what to do |
/// |---|---|---|
/// | [StoreClosedException] | the store was closed; nothing was written | open it again |
/// | [StoreFailedException] | a write or sync failed; waiting writes may or may not be kept | reopen |
/// | [StoreUnusableException] | the directory cannot be opened as it is; nothing was changed | see the message |
public abstract sealed class StoreException extends RuntimeException
    permits StoreClosedException, StoreFailedException, StoreUnusableException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
