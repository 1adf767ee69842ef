package dev.tidemark.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Durable records as they come, in LSN order, through a buffer of a bounded size. Used by one
/// thread at a time; [#close] may be called by any.
///
/// It holds the segment it reads, and no other: a trim beyond the next one ends it with
/// [RecordNotFoundException].
public final class Tail implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final Appender appender;
  private final RecordCursor cursor;
  private final ReentrantLock using = new ReentrantLock();
  private volatile boolean closed;

  Tail(SegmentDirectory directory, DurablePoint durable, Appender appender, long fromLsn) {
    this.directory = directory;
    this.durable = durable;
    this.appender = appender;
    List<Segment> held = directory.retainFrom(fromLsn);
    held.stream().skip(1).forEach(Segment::release);
    this.cursor = new RecordCursor(held.getFirst(), fromLsn, BUFFER_BYTES);
  }

  /// The next record, borrowed until the next call; waits for it. Null once the tail or the log is
  /// closed.
  ///
  /// @throws LogFailedException once all durable records were given, if the log has failed
  /// @throws LogInterruptedException if the thread is interrupted while it waits
  /// @throws RecordNotFoundException if the record was trimmed before the tail came to it
  public @Nullable RecordView next() {
    return poll(Duration.ofNanos(Long.MAX_VALUE));
  }

  /// As [#next], but null also when `timeout` has passed.
  public @Nullable RecordView poll(Duration timeout) {
    long nanos = timeout.toNanos();
    while (true) {
      using.lock();
      try {
        boolean ended = durable.ended();
        if (closed) {
          return null;
        }
        if (durable.lsn() >= cursor.nextLsn()) {
          return step();
        }
        if (ended) {
          appender.throwIfFailed();
          return null;
        }
      } finally {
        using.unlock();
      }
      if (nanos <= 0) {
        return null;
      }
      nanos = await(nanos);
    }
  }

  private RecordView step() {
    while (!cursor.advance()) {
      // What is durable and not here is in the next segment.
      Segment here = cursor.segment();
      Segment following = directory.retain(here.lastLsn() + 1);
      cursor.moveTo(following);
      here.release();
    }
    return cursor;
  }

  private long await(long nanos) {
    try {
      return durable.awaitAbove(cursor.nextLsn() - 1, nanos, () -> closed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogInterruptedException(cursor.nextLsn());
    }
  }

  /// Ends the tail and gives its file free; a waiting [#next] answers null, and a borrowed record
  /// is not to be touched any more.
  @Override
  public void close() {
    using.lock();
    try {
      if (!closed) {
        closed = true;
        cursor.close();
        cursor.segment().release();
      }
    } finally {
      using.unlock();
    }
    durable.wake();
  }
}
