package dev.tidemark.store;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogInterruptedException;
import java.util.List;

/// The thread that takes what was accepted, waits until it is durable, applies it in log order as
/// one group, and tells the callers.
///
/// While it applies a group the next one gathers. Callers that are answered usually come back at
/// once, and just too late for the sync of those who gathered meanwhile: two halves would take
/// turns for ever. So a sync is held back until as many callers have come as there were when the
/// last group was answered, for half the time that the last sync took at most.
///
/// A failure of the log or of the key-value side ends it: all who wait are told, and nothing more
/// is accepted.
final class Applier {
  /// What one group may hold, so that memory stays bounded; one larger batch is applied in parts.
  static final long GROUP_BYTES_MAX = 4L << 20;

  /// No sync is held back longer than this, however slow the disk.
  private static final long PATIENCE_NANOS_MAX = 1_000_000;

  private final Log log;
  private final Intake intake;
  private final Apply apply;
  private final Watermarks watermarks;
  private final Checkpointer checkpointer;
  private final Thread thread =
      Thread.ofPlatform().name("tidemark-apply").daemon().unstarted(this::run);

  /// How many callers there were when the last group was answered.
  private int callers;

  private long patienceNanos;

  Applier(Log log, Intake intake, Apply apply, Watermarks watermarks, Checkpointer checkpointer) {
    this.log = log;
    this.intake = intake;
    this.apply = apply;
    this.watermarks = watermarks;
    this.checkpointer = checkpointer;
  }

  void start() {
    thread.start();
  }

  /// After [Intake#refuse]: waits until all that was accepted is applied, or has failed.
  void finish() {
    Threads.join(thread);
  }

  private void run() {
    try {
      applyAll();
    } catch (RuntimeException | Error e) {
      // Out of memory, say, outside of any group: nobody may wait for this thread for ever.
      fail(e, List.of());
    }
  }

  private void applyAll() {
    while (true) {
      List<Pending> group = intake.take(GROUP_BYTES_MAX, callers, patienceNanos);
      if (group.isEmpty()) {
        if (intake.isDrained()) {
          return;
        }
        continue;
      }
      try {
        awaitDurable(group.getLast().lastLsn());
        applyGroup(group);
      } catch (RuntimeException | Error e) {
        fail(e, group);
        return;
      }
      callers = group.size() + intake.callers();
      group.forEach(Pending::complete);
    }
  }

  private void awaitDurable(long lsn) {
    long begin = System.nanoTime();
    while (true) {
      try {
        log.awaitDurable(lsn);
        patienceNanos = Math.min((System.nanoTime() - begin) / 2, PATIENCE_NANOS_MAX);
        return;
      } catch (LogInterruptedException e) {
        // Nobody has a reason to interrupt this thread, and the group is not durable yet.
        Thread.interrupted();
      }
    }
  }

  private void applyGroup(List<Pending> group) {
    long bytes = 0;
    for (Pending pending : group) {
      long lsn = pending.firstLsn();
      for (Operation operation : pending.operations()) {
        pending.add(apply.apply(lsn++, pending.timeMs(), operation));
        if (apply.pendingBytes() > GROUP_BYTES_MAX) {
          apply.commit();
        }
      }
      bytes += pending.bytes();
    }
    apply.commit();
    watermarks.applied(apply.progress().lsn());
    intake.release(bytes);
    checkpointer.applied(bytes);
  }

  private void fail(Throwable cause, List<Pending> group) {
    StoreFailedException failure = Intake.failure(cause);
    intake.refuse(failure);
    group.forEach(pending -> pending.fail(failure));
    while (!intake.isDrained()) {
      intake.take(GROUP_BYTES_MAX, 0, 0).forEach(pending -> pending.fail(failure));
    }
  }
}
