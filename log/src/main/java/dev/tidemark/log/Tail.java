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

  /// In which the records that it has given are the log's.
  private Era era;

  /// Whether the log was truncated since it came to the cursor's segment, so that the next record
  /// may be in a file that has taken that one's place.
  private boolean uprooted;

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
    this.era = durable.era();
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
  /// @throws LogTruncatedException if the log was truncated below what this tail has given
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
        if (era.ended()) {
          enterEra();
        }
        if (cursor.step()) {
          return cursor;
        }
        if (durable.lsn() >= cursor.nextLsn()) {
          if (nextFrameOfEra()) {
            return cursor;
          }
          continue;
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

  /// After a truncation: goes on behind what was given, if that is still there.
  private void enterEra() {
    long given = cursor.nextLsn() - 1;
    Era now = durable.era();
    if (era.hasLost(given)) {
      appender.throwIfFailed();
      era.throwIfLost(given);
    }
    era = now;
    letGo();
    cursor.standBehind(given);
    uprooted = true;
  }

  /// Steps to the first record of the next frame.
  ///
  /// @return false if the log was truncated meanwhile: whether the record came before or after that
  ///   is not known, so it is to be read again
  private boolean nextFrameOfEra() {
    long given = cursor.nextLsn() - 1;
    try {
      nextFrame();
    } catch (CorruptLogException | RecordNotFoundException e) {
      if (!era.ended()) {
        throw e;
      }
    }
    if (era.ended()) {
      cursor.standBehind(given);
      return false;
    }
    return true;
  }

  /// Steps to the first record of the next frame, which is durable.
  private void nextFrame() {
    if (!holding) {
      if (uprooted || !cursor.segment().retain()) {
        // It was trimmed, so that the next record is in another one, or was trimmed as well; or
        // another one has taken its place.
        cursor.moveTo(directory.retainHolding(cursor.nextLsn()));
        uprooted = false;
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
    // Below the frame's last only if a truncation fails right now.
    cursor.endAt(durable.lsn());
    letGoOfWhatIsRead();
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
      return durable.awaitAbove(cursor.nextLsn() - 1, nanos, () -> closed || era.ended());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogInterruptedException(cursor.nextLsn());
    }
  }

  /// Takes hold of the files that it still has to read: the log is about to let go of them.
  void holdRest() {
    using.lock();
    try {
      long from = era.ended() ? cursor.nextLsn() : cursor.frameLastLsn() + 1;
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
