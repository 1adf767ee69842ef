package dev.tidemark.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A finite run of durable records, in LSN order: it ends at the LSN that was durable when it was
/// made. It holds its files, so that no trim takes them away, and lets each go as it leaves it.
/// Used by one thread at a time.
///
/// ```
/// try (Replay replay = log.replay(1)) {
///   for (RecordView r = replay.next(); r != null; r = replay.next()) { ... }
/// }
/// ```
public final class Replay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final List<Segment> segments;
  private final long lastLsn;
  private final RecordCursor cursor;
  private int index;
  private boolean closed;

  /// @param segments retained; this replay releases them
  Replay(List<Segment> segments, long fromLsn, long lastLsn) {
    this.segments = segments;
    this.lastLsn = lastLsn;
    this.cursor = new RecordCursor(segments.getFirst(), fromLsn, BUFFER_BYTES);
  }

  /// The next record, borrowed until the next call; null at the end, or once closed.
  ///
  /// @throws CorruptLogException if it is damaged
  /// @throws LogIoException if it could not be read
  public @Nullable RecordView next() {
    while (!closed && cursor.nextLsn() <= lastLsn) {
      if (cursor.advance()) {
        return cursor;
      }
      segments.get(index).release();
      index++;
      if (index == segments.size()) {
        throw new CorruptLogException(
            cursor.segment().name(),
            cursor.segment().durableEnd(),
            cursor.nextLsn(),
            lastLsn,
            "the segment ends before the records that it should hold");
      }
      cursor.moveTo(segments.get(index));
    }
    close();
    return null;
  }

  /// Gives its files free; done by itself at the end.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      cursor.close();
      while (index < segments.size()) {
        segments.get(index).release();
        index++;
      }
    }
  }
}
