package dev.tidemark.log.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Holds every operation of one kind from [FaultPlan#pause] until [#release]. Any thread.
///
/// ```java
/// try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
///   var pending = log.writeAsync(payload);
///   gate.awaitEntered();
///   assertEquals(0, log.durableLsn()); // written, not durable
/// }
/// ```
public final class Gate implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final StorageOp op;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();

  Gate(StorageOp op) {
    this.op = op;
  }

  StorageOp op() {
    return op;
  }

  /// Waits until an operation stands at the gate.
  ///
  /// @throws IllegalStateException if none came within a minute: a test that hangs says why
  public void awaitEntered() throws InterruptedException {
    if (!entered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no " + op + " came within a minute");
    }
  }

  /// How many operations stand at the gate.
  public int waiting() {
    return waiting.get();
  }

  /// Lets all operations go on, those that come later too.
  public void release() {
    released.countDown();
  }

  /// As [#release].
  @Override
  public void close() {
    release();
  }

  /// Waits for the release.
  void pass() throws InterruptedException {
    waiting.incrementAndGet();
    entered.countDown();
    try {
      released.await();
    } finally {
      waiting.decrementAndGet();
    }
  }
}
