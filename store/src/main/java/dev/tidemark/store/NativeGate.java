package dev.tidemark.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps native memory from being freed while a call is inside: who enters counts, who closes waits
/// until nobody is left, and who comes later is refused. Any thread may use it; one closes.
final class NativeGate {
  /// The lowest number: closed, with so many more inside.
  private static final int CLOSED = Integer.MIN_VALUE;

  private final AtomicInteger inside = new AtomicInteger();
  private volatile @Nullable Thread closing;

  /// @throws StoreClosedException if the gate is closed
  void enter() {
    if (inside.incrementAndGet() < 0) {
      leave();
      throw new StoreClosedException("the store was closed: open it again");
    }
  }

  void leave() {
    if (inside.decrementAndGet() == CLOSED) {
      LockSupport.unpark(closing);
    }
  }

  boolean isClosed() {
    return inside.get() < 0;
  }

  /// Refuses all who come, and waits until all who are inside have left.
  void close() {
    closing = Thread.currentThread();
    inside.addAndGet(CLOSED);
    boolean interrupted = false;
    while (inside.get() != CLOSED) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
