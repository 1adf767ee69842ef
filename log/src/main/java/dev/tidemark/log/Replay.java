package dev.tidemark.log;

import org.jspecify.annotations.Nullable;

/// A finite run of durable records, in LSN order. Used by one thread at a time.
public final class Replay implements AutoCloseable {
  Replay() {}

  /// The next record, borrowed until the next call; null at the end.
  public @Nullable RecordView next() {
    return null;
  }

  /// Gives its files free; done by itself at the end.
  @Override
  public void close() {}
}
