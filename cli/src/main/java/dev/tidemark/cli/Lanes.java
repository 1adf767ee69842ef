package dev.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Several bulk requests under way at once, without two changes of one document ever overtaking
/// each other: each lane has one request under way, and a document's changes all go to one lane.
/// Memory is bounded by bytes, not by lanes: large documents fill it with fewer of them. One thread
/// adds; each request runs on a virtual thread.
final class Lanes implements AutoCloseable {
  /// Changes held in memory, in bytes; more than the largest change.
  private static final int HELD_BYTES_MAX = 32 << 20;

  /// Tiny documents weigh more as objects than as bytes.
  private static final int CHANGES_MAX = 5_000;

  private final Sender sender;
  private final int requestBytes;
  private final List<Lane> lanes = new ArrayList<>();
  private final Semaphore heldBytes = new Semaphore(HELD_BYTES_MAX);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int turn;

  /// Whether the first request has its answer. It goes alone, in the file's order, and makes the
  /// index that the others find.
  private boolean begun;

  /// @param count how many requests may be under way
  /// @param requestBytes the size at which a request is sent
  Lanes(Sender sender, int count, int requestBytes) {
    this.sender = sender;
    this.requestBytes = requestBytes;
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane());
    }
  }

  /// Adds a change to the next request of its lane; waits while too much is under way.
  ///
  /// @throws UserError what an earlier request failed with
  void add(Entry.Change change) throws InterruptedException {
    int bytes = change.bytes();
    if (!heldBytes.tryAcquire(bytes)) {
      // What waits to be sent holds memory too: send it, or nothing would ever be given back.
      for (Lane lane : lanes) {
        lane.send();
      }
      heldBytes.acquire(bytes);
    }
    Lane lane = laneOf(change.id());
    if (lane.bytes + bytes > requestBytes || lane.waiting.size() == CHANGES_MAX) {
      lane.send();
      if (!begun) {
        lane.await();
        begun = true;
        lane = laneOf(change.id());
      }
    }
    lane.waiting.add(change);
    lane.bytes += bytes;
  }

  /// Sends what waits, and returns when every request has its answer.
  void finish() throws InterruptedException {
    for (Lane lane : lanes) {
      lane.send();
    }
    for (Lane lane : lanes) {
      lane.await();
    }
  }

  /// Gives up what is under way.
  @Override
  public void close() {
    threads.shutdownNow();
  }

  private Lane laneOf(@Nullable String id) {
    if (!begun) {
      return lanes.getFirst();
    }
    turn = (turn + 1) % lanes.size();
    return lanes.get(id == null ? turn : Math.floorMod(id.hashCode(), lanes.size()));
  }

  private final class Lane {
    private List<Entry.Change> waiting = new ArrayList<>();
    private int bytes;
    private @Nullable Future<?> underWay;

    void send() throws InterruptedException {
      await();
      if (waiting.isEmpty()) {
        return;
      }
      List<Entry.Change> changes = waiting;
      int held = bytes;
      waiting = new ArrayList<>();
      bytes = 0;
      underWay =
          threads.submit(
              () -> {
                try {
                  sender.send(changes);
                } finally {
                  heldBytes.release(held);
                }
                return null;
              });
    }

    void await() throws InterruptedException {
      if (underWay == null) {
        return;
      }
      try {
        underWay.get();
        underWay = null;
      } catch (ExecutionException e) {
        throw e.getCause() instanceof UserError error ? error : new IllegalStateException(e);
      }
    }
  }
}
