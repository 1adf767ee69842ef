package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// The threads that a test's writers run on.
enum ThreadKind {
  PLATFORM {
    @Override
    Thread.Builder builder() {
      return Thread.ofPlatform().daemon();
    }
  },
  VIRTUAL {
    @Override
    Thread.Builder builder() {
      return Thread.ofVirtual();
    }
  };

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  abstract Thread.Builder builder();

  /// A call that runs on a thread of its own.
  record Call<T>(Thread thread, CompletableFuture<T> result) {
    /// Its result, or its exception as the thread threw it.
    T join() throws Exception {
      try {
        return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw new AssertionError(e.getCause());
      } catch (TimeoutException e) {
        AssertionError hangs = new AssertionError("the call hangs here");
        hangs.setStackTrace(thread.getStackTrace());
        throw hangs;
      }
    }
  }

  <T> Call<T> start(Callable<T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        builder()
            .start(
                () -> {
                  try {
                    result.complete(action.call());
                  } catch (Exception | Error e) {
                    result.completeExceptionally(e);
                  }
                });
    return new Call<>(thread, result);
  }

  /// Starts `count` threads that each do the same.
  <T> List<Call<T>> start(int count, Callable<T> action) {
    List<Call<T>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(start(action));
    }
    return calls;
  }

  /// Waits until something that is bound to happen has.
  static void await(BooleanSupplier what) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!what.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it has not happened within a minute");
      Thread.sleep(1);
    }
  }

  /// Waits until the thread is parked.
  static void awaitParked(Thread thread) throws InterruptedException {
    await(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
