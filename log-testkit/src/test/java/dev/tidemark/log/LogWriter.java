package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.log.testkit.CrashStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// One writer that uses a log in every way there is, by a seed, and notes what it is promised. The
/// same seed makes the same storage calls: the writer waits for whatever the log's own thread does.
final class LogWriter {
  private final RandomGenerator random;
  private final LogHistory history;
  private final CrashStorage storage;
  private final List<Step> steps = new ArrayList<>();
  private int weights;
  private int stagedBytes;
  private Log log;

  private interface Action {
    void run();
  }

  private record Step(int weight, Action action) {}

  /// Opens the log, in which all must be that the history says.
  LogWriter(RandomGenerator random, LogHistory history, CrashStorage storage) {
    this.random = random;
    this.history = history;
    this.storage = storage;
    this.log = open();
    step(6, () -> write(record()));
    step(1, () -> write(new byte[0]));
    step(4, () -> writeBatch(2 + random.nextInt(5), 300));
    step(1, () -> writeBatch(0, 1));
    step(1, () -> writeBatch(3 + random.nextInt(4), 3000));
    step(5, this::append);
    step(2, this::sync);
    step(2, this::trim);
    step(1, () -> trimTo(log.appendedLsn() + 1));
    step(2, this::reopen);
  }

  private void step(int weight, Action action) {
    weights += weight;
    steps.add(new Step(weight, action));
  }

  /// Does something.
  void step() {
    next().action.run();
  }

  private Step next() {
    int left = random.nextInt(weights);
    int i = 0;
    while (left >= steps.get(i).weight) {
      left -= steps.get(i).weight;
      i++;
    }
    return steps.get(i);
  }

  private Log open() {
    stagedBytes = 0;
    Log opened = Log.open(storage, history.options());
    history.opened(opened);
    return opened;
  }

  /// Closes the log, which then holds all that it was given.
  void close() {
    log.close();
    history.acknowledged(log.appendedLsn());
    history.closed();
    assertEquals(0, storage.openHandles(), "files are left open");
  }

  private void reopen() {
    close();
    log = open();
  }

  private byte[] record() {
    return record(random.nextInt(8) == 0 ? 1500 : 200);
  }

  private byte[] record(int sizeMax) {
    byte[] payload = new byte[random.nextInt(sizeMax)];
    random.nextBytes(payload);
    return payload;
  }

  private void write(byte[] payload) {
    long lsn = history.submit(List.of(payload));
    assertEquals(lsn, log.write(payload));
    acknowledged(lsn);
  }

  private void writeBatch(int records, int sizeMax) {
    if (sizeMax > LogHistory.STAGING_BYTES / 2) {
      // Taken alone: the writer would else be woken while what came before it is written.
      sync();
    }
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      payloads.add(record(sizeMax));
    }
    long last = history.submit(payloads);
    assertEquals(new LsnRange(last - records + 1, last), log.writeBatch(payloads));
    if (records > 0) {
      acknowledged(last);
    }
  }

  /// Accepts a record, so that the next sync has more than one group's worth.
  private void append() {
    byte[] payload = record();
    stagedBytes += payload.length + Frame.RECORD_HEADER_BYTES;
    if (stagedBytes > LogHistory.STAGING_BYTES) {
      sync();
      stagedBytes = payload.length + Frame.RECORD_HEADER_BYTES;
    }
    long lsn = history.submit(List.of(payload));
    assertEquals(lsn, log.append(payload));
  }

  private void sync() {
    acknowledged(log.sync());
  }

  private void acknowledged(long lsn) {
    history.acknowledged(lsn);
    stagedBytes = 0;
  }

  private void trim() {
    trimTo(log.durableLsn() - random.nextInt(30));
  }

  private void trimTo(long lsn) {
    history.trimAsked(lsn);
    history.trimmed(log.trimBefore(lsn).firstLsn());
  }
}
