package dev.tidemark.store;

/// Waiting for threads of our own to end.
final class Threads {
  private Threads() {}

  /// Waits for the thread's end, whatever interrupts the wait; the interrupt status is kept.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
