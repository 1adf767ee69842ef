package dev.tidemark.store;

import dev.tidemark.log.InvalidRecordException;
import dev.tidemark.log.Log;
import dev.tidemark.log.LogException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Where callers hand operations over: appends them to the log, and queues them for the [Applier]
/// in the order of their LSNs.
///
/// Two locks. `turn` is held by the caller whose operations are being accepted; it may wait there
/// until there is room, and nobody overtakes it. `lock` guards the queue and is held for moments
/// only, so that the applier never waits for a caller.
final class Intake {
  private final Log log;
  private final LogClock clock;
  private final long bytesMax;
  private final ReentrantLock turn = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomMade = lock.newCondition();
  private final Condition arrived = lock.newCondition();
  private final Queue<Pending> queue = new ArrayDeque<>();

  /// The bytes of all operations accepted and not yet applied.
  private long bytes;

  /// How long the queue must be for the applier to be woken.
  private int awaited = 1;

  /// Why nothing more is accepted.
  private volatile @Nullable StoreException refusal;

  Intake(Log log, LogClock clock, long bytesMax) {
    this.log = log;
    this.clock = clock;
    this.bytesMax = bytesMax;
  }

  /// Accepts the operations; they are durable together or not at all. Not interruptible.
  ///
  /// @param records what the operations are in the log
  /// @throws IllegalArgumentException if they are larger than the log takes; nothing was written
  void accept(Pending pending, List<byte[]> records) {
    turn.lock();
    try {
      awaitRoom(pending.bytes());
      throwIfRefusing();
      long timeMs = clock.now();
      for (byte[] encoded : records) {
        OperationCodec.stamp(encoded, timeMs);
      }
      pending.accepted(append(records), timeMs);
      enqueue(pending);
    } finally {
      turn.unlock();
    }
  }

  private long append(List<byte[]> records) {
    try {
      return records.size() == 1
          ? log.append(records.getFirst())
          : log.appendBatch(records).first();
    } catch (InvalidRecordException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (LogException e) {
      refuse(failure(e));
      throw failure(e).again("; this write was not accepted");
    }
  }

  static StoreFailedException failure(Throwable cause) {
    return new StoreFailedException(
        "the store accepts no more writes: %s; close it and open it again"
            .formatted(cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
  }

  private void throwIfRefusing() {
    StoreException refused = refusal;
    if (refused instanceof StoreFailedException failed) {
      throw failed.again("; this write was not accepted");
    }
    if (refused != null) {
      throw new StoreClosedException(String.valueOf(refused.getMessage()));
    }
  }

  private void awaitRoom(long more) {
    lock.lock();
    try {
      while (bytes > 0 && bytes + more > bytesMax && refusal == null) {
        roomMade.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void enqueue(Pending pending) {
    lock.lock();
    try {
      bytes += pending.bytes();
      queue.add(pending);
      if (queue.size() >= awaited) {
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// By the applier: waits for operations and takes them, up to so many bytes; empty if there are
  /// none and [#refuse] was called.
  ///
  /// @param callers how many are worth waiting for, once the first has come
  /// @param patienceNanos how long to wait for them
  List<Pending> take(long groupBytesMax, int callers, long patienceNanos) {
    List<Pending> group = new ArrayList<>();
    lock.lock();
    try {
      while (queue.isEmpty() && refusal == null) {
        arrived.awaitUninterruptibly();
      }
      gather(callers, patienceNanos);
      long taken = 0;
      for (Pending next = queue.peek();
          next != null && (group.isEmpty() || taken + next.bytes() <= groupBytesMax);
          next = queue.peek()) {
        taken += next.bytes();
        group.add(queue.remove());
      }
    } finally {
      lock.unlock();
    }
    return group;
  }

  private void gather(int callers, long patienceNanos) {
    awaited = callers;
    try {
      long left = patienceNanos;
      while (queue.size() < callers && refusal == null && left > 0) {
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt the applier; what came so far will do.
    } finally {
      awaited = 1;
    }
  }

  /// How many callers have operations queued.
  int callers() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// By the applier: operations of so many bytes were applied.
  void release(long appliedBytes) {
    lock.lock();
    try {
      bytes -= appliedBytes;
      roomMade.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Accepts nothing from now on; the first reason counts. What was accepted stays queued.
  void refuse(StoreException reason) {
    lock.lock();
    try {
      if (refusal == null) {
        refusal = reason;
      }
      roomMade.signalAll();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// By the applier, after [#refuse]: whether nothing is queued, nor on its way into the queue.
  boolean isDrained() {
    turn.lock();
    try {
      lock.lock();
      try {
        return queue.isEmpty();
      } finally {
        lock.unlock();
      }
    } finally {
      turn.unlock();
    }
  }

  /// Why nothing is accepted, if that is a failure.
  @Nullable StoreFailedException failure() {
    return refusal instanceof StoreFailedException failed ? failed : null;
  }
}
