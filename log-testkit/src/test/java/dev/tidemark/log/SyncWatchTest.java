package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.StorageOp;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyncWatchTest {
  private static final long BOUND = Duration.ofMinutes(1).toNanos();

  /// Any call may take that long on a busy machine, so that there may be more stalls than those
  /// that a test makes.
  private static final LogOptions QUICK = options().stallAfter(Duration.ofMillis(1)).build();

  private final Logger logger = Logger.getLogger(SyncWatch.class.getName());
  private final Warnings warnings = new Warnings();
  private final CrashStorage storage = new CrashStorage();

  /// What was logged, by any log.
  private static final class Warnings extends Handler {
    private final List<String> texts = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord told) {
      texts.add(new MessageFormat(told.getMessage()).format(told.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    /// How many hold the text.
    long with(String text) {
      return texts.stream().filter(t -> t.contains(text)).count();
    }
  }

  @BeforeEach
  void listen() {
    logger.addHandler(warnings);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(warnings);
    logger.setUseParentHandlers(true);
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOp.class,
      names = {"WRITE", "SYNC"})
  void aStallIsReportedWhileItLasts(StorageOp op) throws Exception {
    String what = op == StorageOp.SYNC ? "the sync of " : "the write of ";
    String where = what + SegmentImage.fileName(1) + " in memory";
    try (Log log = Log.open(storage, QUICK);
        Gate gate = storage.faults().pause(op)) {
      var first = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      log.append(payload(2));
      ThreadKind.await(() -> warnings.with(where) >= 1);
      ThreadKind.await(() -> warnings.with(" 2 records wait for it") >= 1);
      assertFalse(first.isDone(), "the report does not wait for the call");
      LogStats.Stalls stalls = log.stats().stalls();
      assertTrue(stalls.count() >= 1);
      assertTrue(stalls.runningNanos() >= 1_000_000);

      gate.release();
      first.join();
      ThreadKind.await(() -> warnings.with("has ended") >= 1);
    }
  }

  @Test
  void aStallThatEndsInAFailureHasEnded() throws Exception {
    Log log = Log.open(storage, QUICK);
    storage.faults().failOnce(StorageOp.SYNC, 1);
    try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      var first = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      ThreadKind.await(() -> warnings.with("the sync of") >= 1);
      gate.release();
      assertThrows(CompletionException.class, first::join);
    }
    ThreadKind.await(() -> warnings.with("has ended") >= 1);
    assertEquals(0, log.stats().stalls().runningNanos());
    log.close();
  }

  @Test
  void aStallIsReportedOnceAndAgainWheneverItsTimeHasDoubled() {
    SyncWatch watch = new SyncWatch("here", Duration.ofNanos(BOUND), () -> 7);
    watch.begin(SyncWatch.Call.SYNC, "file");
    long now = System.nanoTime();
    assertTrue(watch.look(now) > 0);
    assertEquals(0, warnings.with("in here"), "not yet");

    now += BOUND;
    assertTrue(watch.look(now) >= BOUND);
    assertEquals(1, warnings.with("in here"));
    assertTrue(watch.look(now + BOUND / 2) > 0);
    assertEquals(1, warnings.with("in here"), "its time has not doubled");
    for (int times = 2; times <= 8; times *= 2) {
      now += BOUND * times;
      watch.look(now);
    }
    assertEquals(4, warnings.with("the sync of file in here"));
    assertEquals(4, warnings.with("7 records"));
    assertEquals(1, watch.stalls().count());

    watch.end();
    assertEquals(BOUND, watch.look(now));
    assertEquals(1, warnings.with("in here that stalled has ended"));
    assertEquals(BOUND, watch.look(now + BOUND));
    assertEquals(5, warnings.with("in here"), "the end is said once");
  }

  /// A call that begins right after a look is looked at when its bound is reached, and not a whole
  /// bound later.
  @Test
  void aLookSaysWhenTheNextOneIsDue() {
    SyncWatch watch = new SyncWatch("here", Duration.ofNanos(BOUND), () -> 0);
    assertEquals(BOUND, watch.look(System.nanoTime()), "nothing runs");
    long before = System.nanoTime();
    watch.begin(SyncWatch.Call.WRITE, "file");
    long after = System.nanoTime() + 1;
    long again = watch.look(before + BOUND / 2);
    assertTrue(again >= BOUND / 2 && again <= BOUND / 2 + (after - before));
  }

  @Test
  void callsWithinTheBoundAreNoStalls() {
    try (Log log = Log.open(storage, options().stallAfter(Duration.ofHours(1)).build())) {
      write(log, 1, 100);
      assertEquals(new LogStats.Stalls(0, 0), log.stats().stalls());
    }
  }

  @Test
  void withoutABoundNothingIsWatched() throws Exception {
    try (Log log = Log.open(storage, options().stallAfter(Duration.ZERO).build());
        Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      var first = log.writeAsync(payload(1)).toCompletableFuture();
      gate.awaitEntered();
      assertEquals(new LogStats.Stalls(0, 0), log.stats().stalls());
      gate.release();
      first.join();
    }
  }
}
