package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
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
    step(2, this::truncate);
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
    try {
      history.opened(opened);
    } catch (LogIoException e) {
      // A read failed: trying again is safe.
      history.opened(opened);
    }
    return opened;
  }

  Log log() {
    return log;
  }

  /// Closes the log after an error, whatever it says, and opens it again.
  void restart() {
    try {
      log.close();
    } catch (LogFailedException e) {
      // It tells of records that nobody waited for: they were not promised.
      history.acknowledged(e.durableLsn());
    }
    history.closed();
    assertEquals(0, storage.openHandles(), "files are left open");
    log = open();
  }

  /// Closes the log, which then holds all that it was given.
  void close() {
    try {
      log.close();
      history.acknowledged(log.appendedLsn());
    } finally {
      history.closed();
    }
    assertEquals(0, storage.openHandles(), "files are left open");
  }

  void reopen() {
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

  /// Writes a record as soon as the log takes one: it goes on by itself when there is space again.
  void writeWhenAccepted() throws InterruptedException {
    ThreadKind.await(
        () -> {
          try {
            write(record());
            return true;
          } catch (LogFailedException e) {
            throw e;
          } catch (LogException e) {
            return false;
          }
        });
  }

  private void write(byte[] payload) {
    acknowledged(give(List.of(payload), () -> log.write(payload)));
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
    long last =
        give(
            payloads,
            () -> {
              LsnRange range = log.writeBatch(payloads);
              assertEquals(records, range.last() - range.first() + 1);
              return range.last();
            });
    if (records > 0) {
      acknowledged(last);
    }
  }

  /// Notes a batch before the log gets it; answers its last LSN.
  private long give(List<byte[]> payloads, LongSupplier call) {
    long last = history.submit(payloads);
    try {
      assertEquals(last, call.getAsLong());
      return last;
    } catch (LogFailedException e) {
      throw e;
    } catch (LogException e) {
      // Rejected: nothing of it may be written.
      history.refused(payloads);
      throw e;
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
    give(List.of(payload), () -> log.append(payload));
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
    long before = log.firstLsn();
    long first = log.trimBefore(lsn).firstLsn();
    assertTrue(first <= Math.max(before, lsn), "more was trimmed than asked for");
    history.trimmed(first);
  }

  private void truncate() {
    int most = (int) (log.appendedLsn() - log.firstLsn() + 2);
    long lsn = log.appendedLsn() - random.nextInt(random.nextBoolean() ? most : Math.min(most, 12));
    history.truncateAsked(lsn);
    try {
      log.truncateAfter(lsn);
    } catch (LogFailedException e) {
      throw e;
    } catch (LogException e) {
      history.truncateRefused();
      throw e;
    }
    history.truncated(lsn);
    stagedBytes = 0;
    assertEquals(lsn, log.durableLsn());
    assertEquals(lsn, log.appendedLsn());
  }
}
