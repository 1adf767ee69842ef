package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.InjectedFaultException;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A read that fails is tried again, and nothing is passed over.
class LogReadersFaultTest {
  /// Some frames are larger than a reader's buffer, which are read in two calls; some are small.
  private static final int[] SIZES = {10, 100_000, 2_500_000, 20, 1_100_000, 30};

  private final CrashStorage storage = new CrashStorage();

  private static byte[] payload(int lsn) {
    byte[] bytes = new byte[SIZES[lsn - 1]];
    Arrays.fill(bytes, (byte) lsn);
    return bytes;
  }

  private static Log filled(CrashStorage storage) {
    LogOptions options =
        LogOptions.builder().segmentBytesMax(2 << 20).witnessDelay(Duration.ZERO).build();
    Log log = Log.open(storage, options);
    for (int lsn = 1; lsn <= SIZES.length; lsn++) {
      log.write(payload(lsn));
    }
    assertTrue(log.stats().segments() > 1);
    return log;
  }

  /// Fails each read in turn, and asks again after the error.
  private void assertEachReadMayFailOnce(Log log, Supplier<Supplier<@Nullable RecordView>> begin) {
    int failures = 0;
    boolean failed = true;
    for (int nth = 1; failed; nth++) {
      Supplier<@Nullable RecordView> reader = begin.get();
      failed = false;
      storage.faults().failOnce(StorageOp.READ, nth);
      List<byte[]> read = new ArrayList<>();
      while (read.size() < SIZES.length) {
        try {
          RecordView record = reader.get();
          assertTrue(record != null, "it ends before the records do");
          assertEquals(read.size() + 1, record.lsn());
          read.add(record.toBytes());
        } catch (LogIoException e) {
          assertInstanceOf(InjectedFaultException.class, e.getCause());
          failed = true;
          failures++;
        }
      }
      for (int lsn = 1; lsn <= SIZES.length; lsn++) {
        assertArrayEquals(payload(lsn), read.get(lsn - 1));
      }
      storage.faults().clear();
    }
    // More than one for each segment: also the second call for a large frame was failed.
    assertTrue(failures > log.stats().segments(), "only " + failures + " reads were failed");
  }

  @Test
  void aReplayGoesOnAtTheSameRecordAfterAFailedRead() {
    try (Log log = filled(storage)) {
      List<Replay> replays = new ArrayList<>();
      assertEachReadMayFailOnce(
          log,
          () -> {
            Replay replay = log.replay(1);
            replays.add(replay);
            return replay::next;
          });
      replays.forEach(Replay::close);
    }
    assertEquals(0, storage.openHandles());
  }

  @Test
  void aTailGoesOnAtTheSameRecordAfterAFailedRead() {
    try (Log log = filled(storage)) {
      List<Tail> tails = new ArrayList<>();
      assertEachReadMayFailOnce(
          log,
          () -> {
            Tail tail = log.tail(1);
            tails.add(tail);
            return tail::next;
          });
      tails.forEach(Tail::close);
    }
    assertEquals(0, storage.openHandles());
  }
}
