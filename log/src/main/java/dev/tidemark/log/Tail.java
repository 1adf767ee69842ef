package dev.tidemark.log;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Durable records as they come, in LSN order. Used by one thread at a time; [#close] by any.
public final class Tail implements AutoCloseable {
  Tail() {}

  /// The next record, borrowed until the next call; waits for it. Null once the tail or the log is
  /// closed.
  public @Nullable RecordView next() {
    return null;
  }

  /// As [#next], but null also when `timeout` has passed.
  public @Nullable RecordView poll(Duration timeout) {
    return null;
  }

  /// Ends the tail; a waiting [#next] answers null.
  @Override
  public void close() {}
}
