package dev.tidemark.log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads and stages that wait for one turn of a commit group. Enlisted under the [Appender]'s
/// lock until the group is committed; then completed once, by who committed it.
final class Waiters {
  private @Nullable Node threads;

  /// Written under the lock; read without it by who gathers.
  private final AtomicInteger count = new AtomicInteger();

  private @Nullable List<Stage> stages;

  private record Node(Thread thread, @Nullable Node next) {}

  private record Stage(long lsn, CompletableFuture<Long> future) {}

  void enlist(Thread thread) {
    threads = new Node(thread, threads);
    count.lazySet(count.getPlain() + 1);
  }

  void enlist(long lsn, CompletableFuture<Long> future) {
    if (stages == null) {
      stages = new ArrayList<>();
    }
    stages.add(new Stage(lsn, future));
    count.lazySet(count.getPlain() + 1);
  }

  /// How many stages there are among them. Not while any may be enlisted.
  int stages() {
    return stages == null ? 0 : stages.size();
  }

  int count() {
    return count.get();
  }

  /// Wakes them, after the durable LSN or the failure that they look at has been published.
  void complete(@Nullable LogFailedException failure) {
    for (Node n = threads; n != null; n = n.next) {
      LockSupport.unpark(n.thread);
    }
    if (stages != null) {
      for (Stage s : stages) {
        if (failure == null) {
          s.future.complete(s.lsn);
        } else {
          s.future.completeExceptionally(failure);
        }
      }
    }
  }
}
