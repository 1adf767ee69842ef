package dev.tidemark.store;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Flushes the key-value side and trims the log below, each time so many bytes were logged, on a
/// thread of its own.
///
/// A failed flush fails the store. A failed trim does not: the log only stays longer, and the next
/// checkpoint tries again.
final class Checkpointer {
  private static final System.Logger LOGGER = System.getLogger(Checkpointer.class.getName());

  private final Log log;
  private final KeyValueSide kv;
  private final Watermarks watermarks;
  private final Intake intake;
  private final long bytesMax;
  private final Thread thread =
      Thread.ofPlatform().name("tidemark-checkpoint").daemon().unstarted(this::run);

  /// One checkpoint at a time.
  private final ReentrantLock atWork = new ReentrantLock();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stirred = lock.newCondition();
  private long bytes;
  private boolean finishing;

  Checkpointer(Log log, KeyValueSide kv, Watermarks watermarks, Intake intake, long bytesMax) {
    this.log = log;
    this.kv = kv;
    this.watermarks = watermarks;
    this.intake = intake;
    this.bytesMax = bytesMax;
  }

  void start() {
    thread.start();
  }

  /// Operations of so many bytes were applied.
  void applied(long more) {
    lock.lock();
    try {
      bytes += more;
      if (bytes >= bytesMax) {
        stirred.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Makes all that is applied at the call durable on the key-value side, and trims the log below.
  ///
  /// @throws StoreFailedException if the flush failed; the store then accepts nothing more
  void checkpoint() {
    atWork.lock();
    try {
      long lsn = watermarks.appliedLsn();
      if (lsn > watermarks.kvLsn()) {
        kv.flush();
        watermarks.kv(lsn);
      }
      trim();
    } catch (StoreFailedException e) {
      intake.refuse(Intake.failure(e));
      throw e;
    } finally {
      atWork.unlock();
    }
  }

  private void trim() {
    try {
      log.trimBefore(watermarks.smallest() + 1);
    } catch (LogException e) {
      LOGGER.log(System.Logger.Level.WARNING, "the log was not trimmed: {0}", e.getMessage());
    }
  }

  /// Ends the thread.
  void finish() {
    lock.lock();
    try {
      finishing = true;
      stirred.signalAll();
    } finally {
      lock.unlock();
    }
    Threads.join(thread);
  }

  private void run() {
    while (awaitDue()) {
      try {
        checkpoint();
      } catch (StoreFailedException e) {
        LOGGER.log(System.Logger.Level.ERROR, "the checkpoint failed", e);
        return;
      }
    }
  }

  /// Waits until a checkpoint is due; false when there will be none.
  private boolean awaitDue() {
    lock.lock();
    try {
      while (bytes < bytesMax && !finishing) {
        stirred.awaitUninterruptibly();
      }
      bytes = 0;
      return !finishing;
    } finally {
      lock.unlock();
    }
  }
}
