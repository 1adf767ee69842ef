package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.FaultKind;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/// Power failures, errors and damage while cursors are made, moved and removed.
class LogCursorsFaultTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final int BLOCK_BYTES = 32 << 10;

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// What cursors must stand at if the log ended now.
  ///
  /// @param acked what was acknowledged
  /// @param asked what a call that has not returned was to make of it, or the same
  record CursorPromise(SortedMap<String, Long> acked, SortedMap<String, Long> asked)
      implements CrashExplorer.Promise {
    @Override
    public CursorPromise check(CrashStorage left) {
      SortedMap<String, Long> shown = new TreeMap<>();
      try (Log log = Log.open(left, SMALL)) {
        for (CursorStatus status : log.cursors()) {
          shown.put(status.name(), status.lsn());
          assertEquals(0, status.lostRecords(), "a trim went by a mark that was not durable");
        }
        assertTrue(
            shown.equals(acked) || shown.equals(asked),
            () -> "found " + shown + ", acknowledged " + acked + ", asked for " + asked);
        // The trims of this life go by what it shows.
        log.trimBefore(Long.MAX_VALUE);
      }
      assertEquals(0, left.openHandles(), "files are left open");
      return new CursorPromise(shown, shown);
    }
  }

  /// Cursors, made, moved and removed by chance, on a log that grows and is trimmed to them.
  private static final class Work implements CrashExplorer.Subject {
    private static final int STEPS = 14;

    private final RandomGenerator random;
    private SortedMap<String, Long> acked = new TreeMap<>();
    private CursorPromise promise = new CursorPromise(acked, acked);

    Work(RandomGenerator random) {
      this.random = random;
    }

    private void change(SortedMap<String, Long> next, Runnable call) {
      promised(new CursorPromise(acked, next));
      call.run();
      acked = next;
      promised(new CursorPromise(next, next));
    }

    private synchronized void promised(CursorPromise next) {
      promise = next;
    }

    @Override
    public synchronized CursorPromise promise() {
      return promise;
    }

    @Override
    public void work(CrashStorage storage) {
      Log log = Log.open(storage, SMALL);
      write(log, 1, 40);
      for (int i = 0; i < STEPS; i++) {
        if (random.nextInt(6) == 0) {
          log.close();
          log = Log.open(storage, SMALL);
        }
        step(log);
      }
      log.close();
    }

    private void step(Log log) {
      String name = "cursor " + random.nextInt(3);
      SortedMap<String, Long> next = new TreeMap<>(acked);
      Long mark = acked.get(name);
      switch (random.nextInt(4)) {
        case 0 -> {
          next.putIfAbsent(name, log.firstLsn());
          change(next, () -> log.cursor(name));
        }
        case 1 -> {
          if (random.nextInt(3) == 0) {
            next.remove(name);
            change(next, () -> log.removeCursor(name));
          }
        }
        default -> {
          if (mark != null) {
            long to = mark + random.nextLong(log.durableLsn() + 2 - mark);
            next.put(name, to);
            change(next, () -> log.cursor(name).advance(to));
          }
        }
      }
      if (random.nextInt(3) == 0) {
        write(log, log.durableLsn() + 1, log.durableLsn() + 15);
        log.trimBefore(Long.MAX_VALUE);
      }
    }
  }

  @Test
  void noPowerFailurePutsACursorAheadOrLosesOne() throws Exception {
    CrashExplorer.Explored explored =
        new CrashExplorer(seed).secondCrashEvery(8).exploreUntil(4000, Work::new);
    assertTrue(explored.secondImages() > 0, explored::toString);
  }

  /// Each call that may fail, at its n-th time, until one n is never reached.
  private void eachFault(StorageOp op, FaultKind kind, FaultCheck check) {
    boolean met = true;
    for (int nth = 1; met; nth++) {
      CrashStorage storage = new CrashStorage();
      SortedMap<String, Long> acked = new TreeMap<>();
      SortedMap<String, Long> asked = new TreeMap<>();
      boolean failed = false;
      try (Log log = Log.open(storage, SMALL)) {
        write(log, 1, 80);
        storage.counts().reset();
        storage.faults().failOnce(op, nth, kind);
        try {
          asked.put("a", 1L);
          Cursor a = log.cursor("a");
          acked.putAll(asked);
          asked.put("a", 50L);
          a.advance(50);
          acked.putAll(asked);
          asked.put("b", 1L);
          log.cursor("b");
          acked.putAll(asked);
          asked.remove("a");
          log.removeCursor("a");
          acked.remove("a");
        } catch (LogFailedException | LogIoException e) {
          assertInstanceOf(InjectedFaultException.class, e.getCause());
          failed = true;
          check.after(log, acked, e);
        }
        met = storage.counts().of(op) >= nth;
        assertEquals(met, failed, "a fault is told, " + op + " " + nth);
        storage.faults().clear();
        CursorPromise promise = new CursorPromise(acked, asked);
        promise.check(storage.crash());
        promise.check(storage.crash(random));
        promise.check(storage.copy());
      }
      assertEquals(0, storage.openHandles());
    }
  }

  private interface FaultCheck {
    void after(Log log, Map<String, Long> acked, LogException e);
  }

  @Test
  void aFailedWriteOrSyncStopsTheCursorsAndNotTheLog() {
    for (StorageOp op : List.of(StorageOp.WRITE, StorageOp.SYNC, StorageOp.SYNC_DIRECTORY)) {
      eachFault(
          op,
          FaultKind.IO_ERROR,
          (log, acked, e) -> {
            SortedMap<String, Long> now = new TreeMap<>();
            log.cursors().forEach(c -> now.put(c.name(), c.lsn()));
            assertEquals(acked, now, "what was acknowledged holds");
            if (e instanceof LogFailedException) {
              assertThrows(LogFailedException.class, () -> log.cursor("c"));
              assertThrows(
                  LogFailedException.class,
                  () -> {
                    for (CursorStatus status : log.cursors()) {
                      log.cursor(status.name()).advance(80);
                    }
                    throw e;
                  });
            } else {
              log.cursor("c");
              assertTrue(log.removeCursor("c"));
            }
            write(log, 81, 120);
            assertTrue(
                log.trimBefore(Long.MAX_VALUE).firstLsn()
                    <= acked.values().stream().min(Long::compare).orElse(Long.MAX_VALUE),
                "trims go by what is durable");
          });
    }
  }

  @Test
  void aFileThatCannotBeMadeIsTriedAgain() {
    for (StorageOp op : List.of(StorageOp.CREATE, StorageOp.WRITE, StorageOp.SYNC)) {
      CrashStorage storage = new CrashStorage();
      try (Log log = Log.open(storage, SMALL)) {
        write(log, 1, 5);
        storage.faults().failOnce(op, 1, FaultKind.NO_SPACE);
        assertThrows(LogIoException.class, () -> log.cursor("a"));
        assertEquals(List.of(), log.cursors());
        log.cursor("a").advance(4);
      }
      try (Log log = Log.open(storage, SMALL)) {
        assertEquals(4, log.cursor("a").lsn());
      }
      assertEquals(0, storage.openHandles());
    }
  }

  @Test
  void anOpenThatFailsOnTheCursorsLeavesNothingOpen() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 5);
      log.cursor("a").advance(4);
    }
    for (StorageOp op : List.of(StorageOp.LIST, StorageOp.OPEN, StorageOp.READ, StorageOp.SYNC)) {
      boolean opened = false;
      for (int nth = 1; !opened; nth++) {
        storage.faults().failOnce(op, nth);
        try {
          Log.open(storage, SMALL).close();
          opened = true;
        } catch (LogIoException e) {
          assertEquals(0, storage.openHandles(), op + " " + nth);
        }
        storage.faults().clear();
      }
    }
    try (Log log = Log.open(storage, SMALL)) {
      assertEquals(4, log.cursor("a").lsn());
    }
  }

  private static CrashStorage withTwoCursors() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 60);
      log.cursor("a").advance(20);
      log.cursor("b");
      log.cursor("gone");
      log.removeCursor("gone");
      log.cursor("b").advance(30);
      log.cursor("b").advance(31);
    }
    return storage;
  }

  @Test
  void damageToOneBlockMovesNoCursorAheadAndLosesNone() {
    CrashStorage whole = withTwoCursors();
    int block = random.nextInt(2);
    for (int at = 0; at < 120; at++) {
      CrashStorage storage = whole.copy();
      storage.flipBit("CURSORS", block * BLOCK_BYTES + at, random.nextInt(8));
      try (Log log = Log.open(storage, SMALL)) {
        assertEquals(20, log.cursors().getFirst().lsn());
        long b = log.cursors().getLast().lsn();
        assertTrue(b == 30 || b == 31, () -> "b stands at " + b);
        assertEquals(2, log.cursors().size());
      }
    }
  }

  @Test
  void damageToBothBlocksIsAnErrorThatChangesNothing() {
    CrashStorage whole = withTwoCursors();
    List<CrashStorage> damaged = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      damaged.add(whole.copy());
    }
    damaged.get(0).flipBit("CURSORS", 33, 0);
    damaged.get(0).flipBit("CURSORS", BLOCK_BYTES + 16, 7);
    damaged.get(1).cut("CURSORS", 20);
    damaged.get(2).put("CURSORS", new byte[2 * BLOCK_BYTES]);
    for (CrashStorage storage : damaged) {
      var before = storage.image();
      for (int tries = 0; tries < 2; tries++) {
        CorruptLogException e =
            assertThrows(CorruptLogException.class, () -> Log.open(storage, SMALL));
        assertEquals("CURSORS", e.segment());
        assertThrows(CorruptLogException.class, () -> LogInspection.dryRun(storage));
      }
      List<LogDamage> damages = LogInspection.of(storage).damages();
      assertEquals(List.of("CURSORS"), damages.stream().map(LogDamage::segment).toList());
      assertEquals(before, storage.image());
      assertEquals(0, storage.openHandles());
      storage.remove("CURSORS");
      try (Log log = Log.open(storage, SMALL)) {
        assertHolds(log, 1, 60);
      }
    }
  }

  @Test
  void aNewerVersionIsRefusedBeforeAnythingIsChanged() {
    CrashStorage storage = withTwoCursors();
    ByteBuffer file = ByteBuffer.wrap(storage.bytes("CURSORS")).order(ByteOrder.LITTLE_ENDIAN);
    for (int at : new int[] {0, BLOCK_BYTES}) {
      file.putInt(at + 8, 2);
      int length = file.getInt(at + 12);
      CRC32C crc = new CRC32C();
      crc.update(file.slice(at, length - 4));
      file.putInt(at + length - 4, (int) crc.getValue());
    }
    storage.put("CURSORS", file.array());
    var before = storage.image();
    assertThrows(UnsupportedFormatException.class, () -> Log.open(storage, SMALL));
    assertEquals(before, storage.image());
    assertEquals(0, storage.openHandles());
  }
}
