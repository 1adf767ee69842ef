package dev.tidemark.log.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What shall go wrong, and when: operations are counted from the call that asks for the fault, 1
/// being the next. Any thread may ask or run into it.
///
/// A failed operation changes nothing, with two exceptions, both as on real disks: a torn write
/// leaves its first bytes in the file, and after a failed sync the bytes that it should have made
/// durable stay in doubt for ever, whatever later syncs answer, until they are written again.
public final class FaultPlan {
  private static final long NOTHING = 0;

  private final List<Fault> faults = new ArrayList<>();
  private final List<Delay> delays = new ArrayList<>();
  private final List<Gate> gates = new ArrayList<>();

  FaultPlan() {}

  /// Fails the `nth` operation from now with [FaultKind#IO_ERROR], and no other.
  public void failOnce(StorageOp op, long nth) {
    failOnce(op, nth, FaultKind.IO_ERROR);
  }

  /// Fails the `nth` operation from now, and no other.
  public synchronized void failOnce(StorageOp op, long nth, FaultKind kind) {
    faults.add(new Fault(op, nth, nth, kind, NOTHING));
  }

  /// Fails the `nth` operation from now and all later ones with [FaultKind#IO_ERROR], until
  /// [#clear].
  public void failFrom(StorageOp op, long nth) {
    failFrom(op, nth, FaultKind.IO_ERROR);
  }

  /// Fails the `nth` operation from now and all later ones, until [#clear].
  public synchronized void failFrom(StorageOp op, long nth, FaultKind kind) {
    faults.add(new Fault(op, nth, Long.MAX_VALUE, kind, NOTHING));
  }

  /// Fails the `nth` write from now with [FaultKind#IO_ERROR] after its first `bytes` bytes (all,
  /// if it has fewer) have gone into the file; no other write fails.
  public void tearOnce(long nth, long bytes) {
    tearOnce(nth, bytes, FaultKind.IO_ERROR);
  }

  /// As [#tearOnce(long, long)], with another error: a disk may be full in the middle of a write.
  public synchronized void tearOnce(long nth, long bytes, FaultKind kind) {
    faults.add(new Fault(StorageOp.WRITE, nth, nth, kind, bytes));
  }

  /// Makes the `nth` operation from now, and no other, take so long before it takes effect.
  public synchronized void slowOnce(StorageOp op, long nth, Duration time) {
    delays.add(new Delay(new Turn(op, nth, nth), time));
  }

  /// Holds every such operation until the gate is released. An operation is held after it has been
  /// entered and before it takes effect: a paused sync covers what was written before it came.
  public synchronized Gate pause(StorageOp op) {
    Gate gate = new Gate(op);
    gates.add(gate);
    return gate;
  }

  /// Nothing goes wrong any more, and all gates are open.
  public synchronized void clear() {
    faults.clear();
    delays.clear();
    gates.forEach(Gate::release);
    gates.clear();
  }

  /// Draws the fate of one operation: null for success.
  synchronized @Nullable InjectedFaultException draw(StorageOp op, String file) {
    InjectedFaultException drawn = null;
    for (Fault fault : faults) {
      if (fault.turn.comes(op) && drawn == null) {
        drawn = new InjectedFaultException(op, file, fault.kind, fault.bytesDone);
      }
    }
    return drawn;
  }

  /// How long the operation has to take; called once for each, as [#draw].
  synchronized Duration delay(StorageOp op) {
    Duration longest = Duration.ZERO;
    for (Delay delay : delays) {
      if (delay.turn.comes(op) && delay.time.compareTo(longest) > 0) {
        longest = delay.time;
      }
    }
    return longest;
  }

  /// The gates that an operation has to pass.
  synchronized List<Gate> gates(StorageOp op) {
    return gates.stream().filter(gate -> gate.op() == op).toList();
  }

  private record Fault(Turn turn, FaultKind kind, long bytesDone) {
    Fault(StorageOp op, long first, long last, FaultKind kind, long bytesDone) {
      this(new Turn(op, first, last), kind, bytesDone);
      if (bytesDone < 0) {
        throw new IllegalArgumentException("bytes is " + bytesDone);
      }
    }
  }

  private record Delay(Turn turn, Duration time) {}

  /// Counts operations of one kind from the first to come; guarded by the plan.
  private static final class Turn {
    private final StorageOp op;
    private final long first;
    private final long last;
    private long seen;

    Turn(StorageOp op, long first, long last) {
      if (first < 1) {
        throw new IllegalArgumentException("nth is " + first);
      }
      this.op = op;
      this.first = first;
      this.last = last;
    }

    /// Counts an operation; whether it is among those wished for.
    boolean comes(StorageOp other) {
      if (other != op) {
        return false;
      }
      seen++;
      return seen >= first && seen <= last;
    }
  }
}
