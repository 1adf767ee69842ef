package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.StorageOp;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A [LogWriter] on a storage where something goes wrong: each error must be of the kind that its
/// caller can act on, and what was promised before and after it must hold. Of [FaultSweep].
final class FaultedLog {
  private static final int STEPS = 16;
  private static final int OPENS_MAX = 5;
  private static final byte[] REFUSED = {1};

  private final RandomGenerator random;
  private final CrashStorage storage;
  private final StorageOp op;
  private final long nth;
  private final LogHistory history;
  private boolean met;

  /// @param op the call that something happens to, or to the `nth` of them
  FaultedLog(RandomGenerator random, CrashStorage storage, StorageOp op, long nth) {
    this.random = random;
    this.storage = storage;
    this.op = op;
    this.nth = nth;
    this.history = LogHistory.of(random);
  }

  /// Goes through the steps whatever happens, then through a power failure.
  void live() throws Exception {
    LogWriter writer = begin();
    checkOnceMet();
    for (int i = 0; i < STEPS; i++) {
      survive(writer, writer::step);
    }
    survive(writer, writer::reopen);
    storage.faults().clear();
    // The log may have failed since the last step, and tells it now.
    survive(writer, writer::writeWhenAccepted);
    writer.writeWhenAccepted();
    writer.close();
    history.promise().check(storage.crash());
    history.promise().check(storage.crash(random));
    history.promise().check(storage);
  }

  private LogWriter begin() {
    for (int tries = 1; ; tries++) {
      try {
        return new LogWriter(random, history, storage);
      } catch (LogIoException e) {
        refused(e, tries);
      }
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private void survive(LogWriter writer, Step step) throws Exception {
    try {
      step.run();
    } catch (LogIoException e) {
      injected(e);
      if (!history.isOpen()) {
        restart(writer);
      }
    } catch (LogFailedException e) {
      injected(e);
      history.acknowledged(e.durableLsn());
      if (history.isOpen()) {
        assertFailed(writer.log(), e);
      }
      restart(writer);
    } catch (LogException e) {
      injected(e);
      assertReads(writer.log());
    }
    checkOnceMet();
  }

  /// Right after the step with the fault: later ones may cover up what it did.
  private void checkOnceMet() {
    if (!met && storage.counts().of(op) >= nth) {
      met = true;
      history.promise().check(storage.crash());
    }
  }

  private void restart(LogWriter writer) {
    // The power may fail before anybody acts.
    history.promise().check(storage.crash(random));
    history.promise().check(storage.copy());
    storage.faults().clear();
    writer.restart();
  }

  private void refused(LogIoException e, int tries) {
    injected(e);
    assertEquals(0, storage.openHandles(), "files are left open");
    assertTrue(tries < OPENS_MAX, "it opens once the fault is past");
    if (tries > 1) {
      storage.faults().clear();
    }
  }

  /// Nothing is accepted any more, what is durable stays readable.
  private static void assertFailed(Log log, LogFailedException e) {
    long appended = log.appendedLsn();
    for (int i = 0; i < 2; i++) {
      assertThrows(LogFailedException.class, () -> log.append(REFUSED));
      assertThrows(LogFailedException.class, () -> log.write(REFUSED));
      assertThrows(LogFailedException.class, () -> log.writeBatch(List.of(REFUSED, REFUSED)));
    }
    assertEquals(appended, log.appendedLsn());
    assertEquals(e.durableLsn(), log.durableLsn(), "a failed log makes nothing durable");
    assertReads(log);
  }

  private static void assertReads(Log log) {
    assertEquals(log.durableLsn() - log.firstLsn() + 1, TestRecords.records(log).size());
  }

  /// That the error came from the storage, and from nowhere else.
  private static void injected(LogException e) {
    @Nullable Throwable cause = e;
    while (cause != null && !(cause instanceof InjectedFaultException)) {
      cause = cause.getCause();
    }
    if (cause == null) {
      throw e;
    }
  }
}
