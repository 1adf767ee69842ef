package dev.tidemark.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the requests under way, so that a stop can let them finish. Any number of threads.
final class Gate {
  /// The count's sign bit says that the gate is shut.
  private static final int SHUT = Integer.MIN_VALUE;

  private final AtomicInteger inside = new AtomicInteger();
  private final CountDownLatch empty = new CountDownLatch(1);

  /// Whether the request may go on; if so, [#leave()] must follow.
  boolean enter() {
    if (inside.incrementAndGet() > 0) {
      return true;
    }
    leave();
    return false;
  }

  void leave() {
    if (inside.decrementAndGet() == SHUT) {
      empty.countDown();
    }
  }

  boolean isShut() {
    return inside.get() < 0;
  }

  /// Lets no request in from now on, and waits until those inside have left, or `patience` is over.
  void shut(Duration patience) throws InterruptedException {
    int before = inside.getAndUpdate(count -> count | SHUT);
    if (before > 0) {
      empty.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
