package dev.tidemark.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A finite run of durable records, in LSN order: it ends at the LSN that was durable when it was
/// made. It holds its files, so that no trim takes them away, and lets each go as soon as it has
/// read the last of it: when the last record of a segment is given, its file is free already. Used
/// by one thread at a time.
///
/// A frame is read and verified as a whole, through a buffer of 512 KiB, or of the largest frame's
/// size where one is larger.
///
/// ```
/// try (Replay replay = log.replay(1)) {
///   for (RecordView r = replay.next(); r != null; r = replay.next()) { ... }
/// }
/// ```
public final class Replay implements AutoCloseable {
  /// What fits into the cache of a processor's core together with what else is in use.
  private static final int CHUNK_BYTES = 512 << 10;

  /// Those that are still held, oldest first.
  private final Deque<Segment> held;

  private final long lastLsn;
  private final RecordCursor cursor;
  private boolean closed;

  /// @param segments retained; this replay releases them
  Replay(List<Segment> segments, long fromLsn, long lastLsn) {
    this.held = new ArrayDeque<>(segments);
    this.lastLsn = lastLsn;
    this.cursor = new RecordCursor(segments.getFirst(), fromLsn, CHUNK_BYTES);
  }

  /// The next record, borrowed until the next call; null at the end, or once closed.
  ///
  /// @throws CorruptLogException if it is damaged
  /// @throws LogIoException if it could not be read; calling again is safe
  public @Nullable RecordView next() {
    return cursor.step() || nextFrame() ? cursor : null;
  }

  private boolean nextFrame() {
    if (closed) {
      return false;
    }
    if (cursor.nextLsn() > lastLsn) {
      close();
      return false;
    }
    Segment next = held.getFirst();
    if (next != cursor.segment()) {
      cursor.moveTo(next);
    }
    if (!cursor.nextFrame()) {
      throw new CorruptLogException(
          next.name(),
          next.durableEnd(),
          cursor.nextLsn(),
          lastLsn,
          "the segment ends before the records that it should hold");
    }
    cursor.endAt(lastLsn);
    releaseUpTo(cursor.frameLastLsn());
    return true;
  }

  /// Lets go of the files from which nothing more is to be read.
  private void releaseUpTo(long readLsn) {
    if (readLsn >= lastLsn) {
      releaseAll();
    } else if (readLsn >= held.getFirst().lastLsn()) {
      // Not the active segment, which holds the last record or comes behind the one that does.
      held.removeFirst().release();
    }
  }

  private void releaseAll() {
    held.forEach(Segment::release);
    held.clear();
  }

  /// Gives its files free; done by itself at the end.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      cursor.close();
      releaseAll();
    }
  }
}
