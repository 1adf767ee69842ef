package dev.tidemark.log.testkit;

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
  private final List<Gate> gates = new ArrayList<>();

  FaultPlan() {}

  /// Fails the `nth` operation from now, and no other.
  public synchronized void failOnce(StorageOp op, long nth) {
    faults.add(new Fault(op, nth, nth, NOTHING));
  }

  /// Fails the `nth` operation from now and all later ones, until [#clear].
  public synchronized void failFrom(StorageOp op, long nth) {
    faults.add(new Fault(op, nth, Long.MAX_VALUE, NOTHING));
  }

  /// Fails the `nth` write from now after its first `bytes` bytes (all, if it has fewer) have gone
  /// into the file; no other write fails.
  public synchronized void tearOnce(long nth, long bytes) {
    faults.add(new Fault(StorageOp.WRITE, nth, nth, bytes));
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
    gates.forEach(Gate::release);
    gates.clear();
  }

  /// Draws the fate of one operation: null for success.
  synchronized @Nullable InjectedFaultException draw(StorageOp op, String file) {
    InjectedFaultException drawn = null;
    for (Fault fault : faults) {
      if (fault.op == op && fault.hits() && drawn == null) {
        drawn = new InjectedFaultException(op, file, fault.bytesDone);
      }
    }
    return drawn;
  }

  /// The gates that an operation has to pass.
  synchronized List<Gate> gates(StorageOp op) {
    return gates.stream().filter(gate -> gate.op() == op).toList();
  }

  /// One wish; guarded by the plan.
  private static final class Fault {
    private final StorageOp op;
    private final long first;
    private final long last;
    private final long bytesDone;
    private long seen;

    Fault(StorageOp op, long first, long last, long bytesDone) {
      if (first < 1 || bytesDone < 0) {
        throw new IllegalArgumentException("nth is " + first + ", bytes " + bytesDone);
      }
      this.op = op;
      this.first = first;
      this.last = last;
      this.bytesDone = bytesDone;
    }

    boolean hits() {
      seen++;
      return seen >= first && seen <= last;
    }
  }
}
