package dev.tidemark.log;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.FaultKind;
import dev.tidemark.log.testkit.FaultPlan;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Each thing that can go wrong with a storage call, at the first such call of a workload, the
/// second, and so on to the last. A run that hangs is found as well.
final class FaultSweep {
  private static final long CALLS_MAX = 10_000;

  private final Seed seed;

  /// @param op the call it happens to
  /// @param fault plans it for the n-th of them
  private record Kind(String name, StorageOp op, Fault fault) {}

  private interface Fault {
    void plan(FaultPlan plan, long nth);
  }

  FaultSweep(Seed seed) {
    this.seed = seed;
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (StorageOp op : StorageOp.values()) {
      kinds.add(new Kind("an I/O error", op, (plan, nth) -> plan.failOnce(op, nth)));
    }
    for (StorageOp op :
        List.of(
            StorageOp.CREATE,
            StorageOp.RENAME,
            StorageOp.WRITE,
            StorageOp.SYNC,
            StorageOp.SYNC_DIRECTORY)) {
      kinds.add(
          new Kind("no space once", op, (plan, nth) -> plan.failOnce(op, nth, FaultKind.NO_SPACE)));
    }
    for (FaultKind kind : FaultKind.values()) {
      kinds.add(
          new Kind(
              "a write cut short by " + kind,
              StorageOp.WRITE,
              (plan, nth) -> plan.tearOnce(nth, 1 + 97 * nth % 1500, kind)));
    }
    kinds.add(
        new Kind(
            "a full disk",
            StorageOp.WRITE,
            (plan, nth) -> plan.failFrom(StorageOp.WRITE, nth, FaultKind.NO_SPACE)));
    kinds.add(
        new Kind(
            "a slow sync",
            StorageOp.SYNC,
            (plan, nth) -> plan.slowOnce(StorageOp.SYNC, nth, Duration.ofMillis(2))));
    return kinds;
  }

  /// Goes through all of them; answers how many runs that were.
  ///
  /// @throws AssertionError if a promise is broken
  long run() throws Exception {
    long runs = 0;
    for (Kind kind : kinds()) {
      boolean met = true;
      for (long nth = 1; met; nth++) {
        met = isMet(kind, nth);
        runs++;
        if (nth > CALLS_MAX) {
          throw new AssertionError("the work never ends");
        }
      }
    }
    return runs;
  }

  /// Whether the work has that many calls.
  private boolean isMet(Kind kind, long nth) {
    CrashStorage storage = nth % 4 == 0 ? CrashStorage.interruptible() : new CrashStorage();
    kind.fault.plan(storage.faults(), nth);
    try {
      Call<Boolean> run =
          ThreadKind.PLATFORM.start(
              () -> {
                new FaultedLog(seed.random(), storage, kind.op, nth).live();
                return true;
              });
      run.join();
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          "%s at %s number %d, %s".formatted(kind.name, kind.op, nth, seed), e);
    }
    return storage.counts().of(kind.op) >= nth;
  }
}
