package dev.tidemark.log;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// The durable LSN, and the readers that wait for it to rise. Set by the holder of the commit role
/// after its sync returned; read by anyone. A truncation lowers it, and begins another [Era]: who
/// sees an LSN that was published after that sees the earlier era ended.
final class DurablePoint {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition risen = lock.newCondition();
  private volatile long lsn;
  private final AtomicInteger readersWaiting = new AtomicInteger();
  private volatile boolean ended;
  private volatile Era era = new Era();

  DurablePoint(long lsn) {
    this.lsn = lsn;
  }

  long lsn() {
    return lsn;
  }

  void publish(long newLsn) {
    lsn = newLsn;
    // A reader counts itself before it looks at the LSN a last time, so that one of the two sees
    // the other.
    if (readersWaiting.get() > 0) {
      wake();
    }
  }

  /// Goes back to `keptLsn`: whatever lies above is not durable any more, or soon will not be.
  void fallTo(long keptLsn) {
    era = era.endAfter(keptLsn);
    lsn = keptLsn;
    wake();
  }

  /// The time since the last truncation.
  Era era() {
    return era;
  }

  /// Lets every waiting reader go: the log is closed or has failed.
  void end() {
    ended = true;
    wake();
  }

  /// Lets every waiting reader look again.
  void wake() {
    lock.lock();
    try {
      risen.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether the log was closed or has failed.
  boolean ended() {
    return ended;
  }

  /// Waits until the durable LSN is above `seen`, the log has ended, the time is over, or the
  /// reader is to leave.
  ///
  /// @param nanos how long at most
  /// @param leave set before [#wake] by who wants this reader to go
  /// @return what is left of the time
  long awaitAbove(long seen, long nanos, BooleanSupplier leave) throws InterruptedException {
    lock.lock();
    try {
      readersWaiting.incrementAndGet();
      try {
        long left = nanos;
        while (left > 0 && lsn <= seen && !ended && !leave.getAsBoolean()) {
          left = risen.awaitNanos(left);
        }
        return left;
      } finally {
        readersWaiting.decrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }
}
