package dev.tidemark.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Operations that one caller has handed in together, on their way through the log, and the caller
/// who waits for what becomes of them.
///
/// Made and awaited by the caller; filled by [Intake], then by the [Applier]'s thread, which
/// publishes it all with `done`.
final class Pending {
  private final List<? extends Operation> operations;
  private final long bytes;
  private final Thread caller = Thread.currentThread();
  private final List<Outcome> outcomes;
  private long firstLsn;
  private long timeMs;
  private @Nullable StoreFailedException failure;
  private volatile boolean done;

  /// @param bytes the size of their records
  Pending(List<? extends Operation> operations, long bytes) {
    this.operations = operations;
    this.bytes = bytes;
    this.outcomes = new ArrayList<>(operations.size());
  }

  List<? extends Operation> operations() {
    return operations;
  }

  long bytes() {
    return bytes;
  }

  /// The operations are in the log's hands.
  void accepted(long firstLsn, long timeMs) {
    this.firstLsn = firstLsn;
    this.timeMs = timeMs;
  }

  long firstLsn() {
    return firstLsn;
  }

  long lastLsn() {
    return firstLsn + operations.size() - 1;
  }

  long timeMs() {
    return timeMs;
  }

  /// The next operation was applied.
  void add(Outcome outcome) {
    outcomes.add(outcome);
  }

  /// All were applied and are visible.
  void complete() {
    done = true;
    LockSupport.unpark(caller);
  }

  /// What became of them is not known.
  void fail(StoreFailedException cause) {
    failure = cause;
    complete();
  }

  /// Waits for the outcomes. An interrupt does not end the wait, since the operations go on anyway;
  /// the thread's interrupt status is kept.
  List<Outcome> await() {
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    StoreFailedException failed = failure;
    if (failed != null) {
      throw failed.again("; whether this write is kept is not known");
    }
    return outcomes;
  }
}
