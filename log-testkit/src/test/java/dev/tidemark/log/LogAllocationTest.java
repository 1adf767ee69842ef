package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the log allocates, counted by thread, on real files.
///
/// Code that the compiler has not seen yet allocates what it will not once it has been compiled, so
/// a measure runs in rounds until one of them stays within its bound. One that never does, fails
/// after a minute.
class LogAllocationTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /// What the measure itself and the JVM may take from a round, be it of however many records.
  private static final long ROUND_BYTES = 1000;

  /// A group's list of waiters, and the slice of memory that is written.
  private static final long GROUP_BYTES = 128;

  private static final LogOptions OPTIONS = LogOptions.defaults();

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final byte[] payload = payload(1);

  @TempDir private Path folder;

  private interface Step {
    void run(Log log);
  }

  @Test
  void appendAllocatesNothing() {
    assertAllocates(0, 1000, log -> log.append(payload), Log::sync);
  }

  @Test
  void appendOfABufferAllocatesNothing() {
    ByteBuffer heap = ByteBuffer.wrap(payload);
    assertAllocates(0, 1000, log -> log.append(heap), Log::sync);
  }

  @Test
  void appendOfADirectBufferAllocatesNothing() {
    ByteBuffer direct = ByteBuffer.allocateDirect(64);
    assertAllocates(0, 1000, log -> log.append(direct), Log::sync);
  }

  @Test
  void aWriteAllocatesOnlyWhatItsGroupTakes() {
    assertAllocates(GROUP_BYTES, 200, log -> log.write(payload), log -> {});
  }

  /// Runs rounds of so many steps until one round's steps allocate at most so many bytes each.
  private void assertAllocates(long bytesPerStep, int steps, Step step, Step afterRound) {
    long thread = Thread.currentThread().threadId();
    long least = Long.MAX_VALUE;
    try (Log log = Log.open(folder, OPTIONS)) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (least > bytesPerStep * steps + ROUND_BYTES && System.nanoTime() < end) {
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < steps; i++) {
          step.run(log);
        }
        least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        afterRound.run(log);
        log.trimBefore(log.durableLsn());
      }
    }
    assertTrue(
        least <= bytesPerStep * steps + ROUND_BYTES,
        "%d bytes for %d calls".formatted(least, steps));
  }

  /// The caller commits here; what it allocates for a group is the same for any number of records.
  @Test
  void aCommitAllocatesNothingForItsRecords() {
    for (int records : new int[] {10, 1000}) {
      List<byte[]> batch = payloads(1, records);
      // Besides the group's: the records' CRCs, an int each, and the range of LSNs.
      long batchBytes = 4L * records + 128;
      assertAllocates(GROUP_BYTES + batchBytes, 20, log -> log.writeBatch(batch), log -> {});
    }
  }

  /// The opposite would show if the measure were blind.
  @Test
  void aStageIsSeenToBeAllocated() {
    long thread = Thread.currentThread().threadId();
    try (Log log = Log.open(folder, OPTIONS)) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < 1000; i++) {
        log.writeAsync(payload);
      }
      assertTrue(threads.getThreadAllocatedBytes(thread) - before > 16_000);
    }
  }
}
