package dev.tidemark.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Durable records as they come, in LSN order. Used by one thread at a time; [#close] may be called
/// by any.
///
/// A tail that keeps up finds its records in memory, one that lags reads the files. It needs a
/// buffer of 64 KiB, or more after a frame that is larger: 4 MiB, and within a frame larger still,
/// that one's size. All tails of a log together keep its last 1 MiB in memory.
///
/// It holds the file of the segment in which it has records still to read, and no other: a trim
/// beyond that segment ends it with [RecordNotFoundException]. Where it waits for the next record
/// it holds none. When the log is closed it takes hold of all that it still has to read.
public final class Tail implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;

  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final Appender appender;
  private final Followers followers;

  /// Guards the fields below; never held while waiting for a record.
  private final ReentrantLock using = new ReentrantLock();

  private final RecordCursor cursor;

  /// Whether the cursor's segment is held.
  private boolean holding = true;

  /// Held besides, from the log's close on.
  private List<Segment> rest = List.of();

  private volatile boolean closed;

  Tail(
      SegmentDirectory directory,
      DurablePoint durable,
      Appender appender,
      Followers followers,
      long fromLsn) {
    this.directory = directory;
    this.durable = durable;
    this.appender = appender;
    this.followers = followers;
    this.cursor =
        new RecordCursor(
            directory.retainHolding(fromLsn), fromLsn, followers.recent()::bytesOf, CHUNK_BYTES);
    letGoOfWhatIsRead();
  }

  /// The next record, borrowed until the next call; waits for it. Null once the tail or the log is
  /// closed.
  ///
  /// @throws LogFailedException once all durable records were given, if the log has failed
  /// @throws LogInterruptedException if the thread is interrupted while it waits
  /// @throws RecordNotFoundException if the record was trimmed before the tail came to it
  /// @throws LogIoException if it could not be read; calling again is safe
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
        if (cursor.step() || (durable.lsn() >= cursor.nextLsn() && nextFrame())) {
          return cursor;
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

  /// Steps to the first record of the next frame, which is durable.
  private boolean nextFrame() {
    if (!holding) {
      if (!cursor.segment().retain()) {
        // It was trimmed, so that the next record is in another one, or was trimmed as well.
        cursor.moveTo(directory.retainHolding(cursor.nextLsn()));
      }
      holding = true;
    }
    if (cursor.nextLsn() > cursor.segment().lastLsn()) {
      // What is durable and not in this segment is in the next one.
      Segment following = directory.retainHolding(cursor.nextLsn());
      cursor.segment().release();
      cursor.moveTo(following);
    }
    if (!cursor.nextFrame()) {
      throw new CorruptLogException(
          cursor.segment().name(),
          cursor.segment().durableEnd(),
          cursor.nextLsn(),
          cursor.segment().lastLsn(),
          "the segment ends before the records that it should hold");
    }
    letGoOfWhatIsRead();
    return true;
  }

  private void letGoOfWhatIsRead() {
    if (cursor.frameLastLsn() >= cursor.segment().lastLsn()) {
      letGo();
    }
  }

  private void letGo() {
    if (holding) {
      holding = false;
      cursor.segment().release();
    }
  }

  private long await(long nanos) {
    try {
      return durable.awaitAbove(cursor.nextLsn() - 1, nanos, () -> closed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogInterruptedException(cursor.nextLsn());
    }
  }

  /// Takes hold of the files that it still has to read: the log is about to let go of them.
  void holdRest() {
    using.lock();
    try {
      long from = cursor.frameLastLsn() + 1;
      if (!closed && from <= durable.lsn()) {
        rest = directory.retainFrom(from);
      }
    } catch (RecordNotFoundException e) {
      // Trimmed: the next call says so.
    } finally {
      using.unlock();
    }
  }

  /// Ends the tail and gives its files free; a waiting [#next] answers null, and a borrowed record
  /// is not to be touched any more.
  @Override
  public void close() {
    using.lock();
    try {
      if (!closed) {
        closed = true;
        followers.remove(this);
        cursor.close();
        letGo();
        rest.forEach(Segment::release);
      }
    } finally {
      using.unlock();
    }
    durable.wake();
  }
}
