package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageOp;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// What recovery costs, counted.
class LogRecoveryCostTest {
  private static final LogOptions OPTIONS = options().build();

  /// A log of a killed process, of records of 64 bytes in one segment.
  private static CrashStorage killedAfter(int records, int batch) {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, OPTIONS)) {
      for (int lsn = 1; lsn <= records; lsn += batch) {
        log.writeBatch(payloads(lsn, lsn + batch - 1));
      }
      return storage.copy();
    }
  }

  @Test
  void aThousandRecordsAreRecoveredInFiveReads() {
    for (int batch : new int[] {1, 10, 1000}) {
      CrashStorage storage = killedAfter(1000, batch);
      try (Log log = Log.open(storage, OPTIONS)) {
        long reads = storage.counts().of(StorageOp.READ);
        assertTrue(reads <= 5, reads + " reads with batches of " + batch);
        assertEquals(1000, log.durableLsn());
      }
    }
  }

  @Test
  void whatRecoveryAllocatesDoesNotGrowWithTheRecords() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int batch : new int[] {1, 1000}) {
      // Everything is loaded and linked after a few, and what the counts take is there.
      long few = 0;
      for (int i = 0; i < 5; i++) {
        few = allocatedByOpening(killedAfter(1000, batch), threads);
      }
      long many = allocatedByOpening(killedAfter(20_000, batch), threads);
      assertTrue(
          many - few < 16 << 10,
          "batches of %d: %d bytes for 1,000 records, %d for 20,000".formatted(batch, few, many));
    }
  }

  private static long allocatedByOpening(CrashStorage storage, ThreadMXBean threads) {
    long thread = Thread.currentThread().threadId();
    long before = threads.getThreadAllocatedBytes(thread);
    Log log = Log.open(storage, OPTIONS);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    log.close();
    return allocated;
  }

  /// The opposite would show if the measure were blind.
  @Test
  void whatAReplayOfOwnedRecordsAllocatesGrowsWithThem() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Log log = Log.open(new CrashStorage(), OPTIONS)) {
      write(log, 1, 1000);
      long thread = Thread.currentThread().threadId();
      long before = threads.getThreadAllocatedBytes(thread);
      assertEquals(1000, TestRecords.records(log).size());
      assertTrue(threads.getThreadAllocatedBytes(thread) - before > 64_000);
    }
  }
}
