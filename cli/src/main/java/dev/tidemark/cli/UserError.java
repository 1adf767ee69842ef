package dev.tidemark.cli;

import org.jspecify.annotations.Nullable;

/// What a command ends with when it can't do what was asked. The message is all that the person
/// sees: what happened, to what, and what to do.
final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UserError(String message) {
    this(message, null);
  }

  UserError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
