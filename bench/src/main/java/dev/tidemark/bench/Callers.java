package dev.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Threads that do the same thing at the same time.
final class Callers {
  private Callers() {}

  /// Starts so many threads, lets them go together, and waits until all are done.
  ///
  /// @return nanoseconds from when they were let go until the last was done
  /// @throws IllegalStateException if one failed
  static long run(int count, Thread.Builder kind, Step step) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      threads.add(
          kind.start(
              () -> {
                try {
                  go.await();
                  step.once();
                } catch (Exception e) {
                  failure.compareAndSet(null, e);
                }
              }));
    }
    long start = System.nanoTime();
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    long elapsed = System.nanoTime() - start;
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a caller failed", cause);
    }
    return elapsed;
  }

  @FunctionalInterface
  interface Step {
    void once() throws Exception;
  }
}
