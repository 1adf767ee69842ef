package dev.tidemark.log;

import dev.tidemark.log.Appender.RoleAction;
import dev.tidemark.log.Appender.Unfinished;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/// The log's own thread. It holds the commit role when a caller has handed it over, and commits
/// until nobody waits; it runs what must not run on a caller's thread; and it looks after an idle
/// log: commits records that nobody waits for, and then proves the last group with a witness.
///
/// Nothing interrupts it, so that it may use files that an interrupt would close.
final class CommitThread {
  /// How long a look for returning writers may take, before a sync: less than half of a fast disk's
  /// sync, so that a look in vain costs less than a second sync would.
  private static final long GATHER_NANOS = 40_000;

  /// With more writers than this the next group fills during the sync, and a look only costs.
  private static final int GATHER_WRITERS_MAX = 16;

  /// The look-around of a log that writes no witnesses.
  private static final Duration LOOK = Duration.ofMillis(10);

  private final Appender appender;
  private final Thread thread;
  private final boolean witnessing;
  private final long lookNanos;
  private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean roleHanded;
  private volatile boolean dozing;
  private volatile boolean finishing;

  /// The log is closed on disk, or has failed and is to be closed.
  private volatile boolean ended;

  private record Task(RoleAction action, CompletableFuture<Void> done) {}

  CommitThread(Appender appender, Duration witnessDelay) {
    this.appender = appender;
    this.witnessing = !witnessDelay.isZero();
    this.lookNanos = (witnessing ? witnessDelay : LOOK).toNanos();
    this.thread = Thread.ofPlatform().name("tidemark-log").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// The role is this thread's from now on. Called under the appender's lock.
  void takeRole() {
    roleHanded = true;
    LockSupport.unpark(thread);
  }

  /// The role is nobody's; something may be waiting for it.
  void roleFreed() {
    if (finishing || !tasks.isEmpty()) {
      LockSupport.unpark(thread);
    }
  }

  /// There is something to look after: wakes the thread if it sleeps for good.
  void stir() {
    if (dozing) {
      dozing = false;
      LockSupport.unpark(thread);
    }
  }

  /// Runs the action in the role and returns when it has run, or the log has failed or ended.
  void submit(RoleAction action) {
    Task task = new Task(action, new CompletableFuture<>());
    tasks.add(task);
    LockSupport.unpark(thread);
    if (ended) {
      task.done.complete(null);
    }
    task.done.join();
  }

  /// Commits what is left, closes the log on disk, and ends the thread.
  void finish() {
    finishing = true;
    LockSupport.unpark(thread);
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

  private void run() {
    try {
      lookAround();
    } catch (RuntimeException | Error e) {
      // Out of memory, say: nobody may wait for this thread for ever.
      appender.failAndFreeRole(e);
    }
    ended = true;
    tasks.forEach(task -> task.done.complete(null));
  }

  private void lookAround() {
    Unfinished before = Unfinished.NOTHING;
    long seenLsn = -1;
    while (!ended) {
      if (roleHanded) {
        roleHanded = false;
        commitAll();
      } else if (!runTask() && !(finishing && runLast())) {
        Unfinished now = appender.unfinished();
        long lsn = appender.appendedLsn();
        if (now == before && lsn == seenLsn) {
          lookAfter(now);
        }
        before = now;
        seenLsn = lsn;
        sleep(now);
      }
    }
  }

  private boolean runLast() {
    ended =
        appender.inRoleIfFree(
            committer -> {
              appender.commitRest();
              if (!appender.hasFailed()) {
                committer.closeFrame();
              }
            });
    return ended;
  }

  private boolean runTask() {
    Task task = tasks.peek();
    if (task == null || !appender.inRoleIfFree(task.action)) {
      return false;
    }
    tasks.remove();
    task.done.complete(null);
    return true;
  }

  /// Does what has been left undone for one look's time.
  private void lookAfter(Unfinished what) {
    switch (what) {
      case WITNESS -> {
        if (witnessing) {
          appender.inRoleIfFree(Committer::witness);
        }
      }
      case RECORDS -> appender.inRoleIfFree(committer -> appender.commitRest());
      case NOTHING, BUSY -> {}
    }
  }

  private void sleep(Unfinished what) {
    if (what == Unfinished.NOTHING || (what == Unfinished.WITNESS && !witnessing)) {
      dozing = true;
      Unfinished now = appender.unfinished();
      if (now == what && !roleHanded && !finishing && tasks.isEmpty()) {
        LockSupport.park(this);
      }
      dozing = false;
    } else if (!roleHanded && (what == Unfinished.BUSY || (!finishing && tasks.isEmpty()))) {
      // Looked at again, as above: the lock taken since may have used up an unpark.
      LockSupport.parkNanos(this, lookNanos);
    }
  }

  /// In the role: commits group after group until there is none.
  private void commitAll() {
    int expected = 0;
    while (true) {
      gather(expected);
      CommitGroup group = appender.take();
      if (group == null) {
        return;
      }
      Waiters waiters = appender.commitOnly(group);
      // Those of this group, who come back if they write in a loop, and those who came meanwhile.
      expected = waiters.count() + appender.gathered();
      appender.complete(waiters);
    }
  }

  /// Gives the writers that were just woken a moment to come back, so that all share one sync
  /// instead of taking turns in two halves.
  private void gather(int expected) {
    if (expected > 1 && expected <= GATHER_WRITERS_MAX) {
      long end = System.nanoTime() + GATHER_NANOS;
      while (appender.gathered() < expected && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
  }
}
