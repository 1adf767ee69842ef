package dev.tidemark.log;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The tails that follow the log: while there are any, its last frames are kept in memory for them,
/// and when the log is closed they keep what they still have to read. Any thread may use it.
final class Followers {
  private final RecentFrames recent = new RecentFrames();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Tail> tails = new HashSet<>();
  private boolean closed;

  /// The last frames, if there are tails.
  RecentFrames recent() {
    return recent;
  }

  /// Takes a tail in, and answers it.
  ///
  /// @throws LogClosedException if the log was closed; the tail is closed then
  Tail add(Tail tail) {
    lock.lock();
    try {
      if (!closed) {
        if (tails.isEmpty()) {
          recent.start();
        }
        tails.add(tail);
        return tail;
      }
    } finally {
      lock.unlock();
    }
    tail.close();
    throw new LogClosedException("the log was closed: open it again");
  }

  void remove(Tail tail) {
    lock.lock();
    try {
      if (tails.remove(tail) && tails.isEmpty()) {
        recent.stop();
      }
    } finally {
      lock.unlock();
    }
  }

  /// The log is about to let go of its files: lets each tail keep its own.
  void close() {
    List<Tail> all;
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(tails);
    } finally {
      lock.unlock();
    }
    all.forEach(Tail::holdRest);
  }
}
