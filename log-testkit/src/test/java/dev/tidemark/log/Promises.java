package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// What a log was told and what it has promised, over all its lives: the oracle of
/// [LogCrashSimulationTest]. Any thread.
final class Promises {
  /// Before its random bytes a payload names its batch, its place in it, and the batch's size.
  private static final int NAME_BYTES = 16;

  /// The batches that the log may hold, by number.
  private final Map<Long, List<byte[]>> submitted = new ConcurrentHashMap<>();

  /// What must be found, by LSN.
  private final Map<Long, byte[]> acknowledged = new ConcurrentHashMap<>();

  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong trimmed = new AtomicLong(1);
  private final AtomicLong trimAsked = new AtomicLong(1);

  /// What holds at one moment.
  ///
  /// @param acknowledged records that must be there, unless trimmed
  /// @param trimmed the first LSN is this or a later one
  record Kept(Map<Long, byte[]> acknowledged, long trimmed) {}

  Kept now() {
    return new Kept(new HashMap<>(acknowledged), trimmed.get());
  }

  /// Makes a batch of random records and remembers it.
  List<byte[]> submit(RandomGenerator random, int records) {
    long batch = batches.incrementAndGet();
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      int size = random.nextInt(20) == 0 ? random.nextInt(6000) : random.nextInt(200);
      byte[] payload = new byte[NAME_BYTES + size];
      random.nextBytes(payload);
      ByteBuffer.wrap(payload).putLong(batch).putInt(i).putInt(records);
      payloads.add(payload);
    }
    submitted.put(batch, payloads);
    return payloads;
  }

  /// Notes that the log has acknowledged a batch.
  void acknowledge(long firstLsn, List<byte[]> payloads) {
    for (int i = 0; i < payloads.size(); i++) {
      acknowledged.put(firstLsn + i, payloads.get(i));
    }
  }

  /// Notes that records below `lsn` may be trimmed from now on.
  void askTrim(long lsn) {
    trimAsked.accumulateAndGet(lsn, Math::max);
  }

  /// Notes that a trim has returned.
  void acknowledgeTrim(long firstLsn) {
    trimmed.accumulateAndGet(firstLsn, Math::max);
  }

  /// Holds a recovered log against what was promised before it ended, and takes all that it shows
  /// for promised from now on: whoever reads a record relies on it. What it does not show must
  /// never come back.
  void check(Log log, Kept kept) {
    long firstLsn = log.firstLsn();
    assertTrue(firstLsn >= kept.trimmed, "a trim was undone");
    assertTrue(firstLsn <= trimAsked.get(), "records vanished that nobody trimmed");
    List<LogRecord> records = TestRecords.records(log);
    Map<Long, byte[]> found = new HashMap<>();
    long expected = firstLsn;
    long time = 0;
    for (LogRecord record : records) {
      assertEquals(expected++, record.lsn(), "LSNs are dense");
      assertTrue(record.timeMs() >= time, "log time never falls");
      time = record.timeMs();
      found.put(record.lsn(), record.payload());
      assertArrayEquals(record.payload(), log.read(record.position()));
    }
    assertEquals(expected - 1, log.durableLsn());
    kept.acknowledged.forEach(
        (lsn, payload) -> {
          if (lsn >= firstLsn) {
            assertArrayEquals(payload, found.get(lsn), () -> "acknowledged LSN " + lsn);
          }
        });
    submitted.keySet().retainAll(wholeBatches(records));
    acknowledged.clear();
    acknowledged.putAll(found);
    trimmed.set(firstLsn);
    trimAsked.set(firstLsn);
  }

  /// The batches that these records are, each whole. A trim cuts none: it takes segments, and a
  /// segment holds whole batches.
  private Set<Long> wholeBatches(List<LogRecord> records) {
    Set<Long> seen = new HashSet<>();
    int i = 0;
    while (i < records.size()) {
      long batch = ByteBuffer.wrap(records.get(i).payload()).getLong();
      assertTrue(submitted.containsKey(batch), "a record that nobody wrote, or that was dropped");
      assertTrue(seen.add(batch), "a batch stands there twice");
      for (byte[] payload : Objects.requireNonNull(submitted.get(batch))) {
        assertTrue(i < records.size(), "half a batch");
        assertArrayEquals(payload, records.get(i).payload(), "half a batch");
        i++;
      }
    }
    return seen;
  }
}
