package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.PAYLOAD_BYTES;
import static dev.tidemark.log.TestRecords.open;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.StorageOp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class LogStatsTest {
  private final CrashStorage storage = new CrashStorage();

  @Test
  void groupSizesAreCounted() {
    try (Log log = open(storage)) {
      write(log, 1, 3);
      log.writeBatch(payloads(4, 9));
      LogHistogram sizes = log.stats().groupSizes();
      assertEquals(
          List.of(new LogHistogram.Bucket(1, 3), new LogHistogram.Bucket(6, 1)), sizes.buckets());
      assertEquals(9, sizes.sum());
      assertEquals(6, sizes.max());
    }
  }

  @Test
  void everyWriteAndEverySyncOfAFrameIsTimed() {
    Duration slow = Duration.ofMillis(20);
    try (Log log = open(storage)) {
      write(log, 1, 3);
      assertEquals(3, log.stats().writeNanos().count());
      assertEquals(3, log.stats().syncNanos().count());
      storage.faults().slowOnce(StorageOp.SYNC, 1, slow);
      write(log, 4, 4);
      assertTrue(log.stats().syncNanos().max() >= slow.toNanos());
      storage.faults().slowOnce(StorageOp.WRITE, 1, slow);
      write(log, 5, 5);
      assertTrue(log.stats().writeNanos().max() >= slow.toNanos());
      assertEquals(5, log.stats().writes());
      assertEquals(5, log.stats().syncs());
    }
  }

  @Test
  void theQueueIsWhatIsAcceptedAndNotDurable() throws Exception {
    try (Log log = open(storage)) {
      write(log, 1, 3);
      assertEquals(new LogStats.Queue(0, 0), log.stats().queue());
      try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
        var first = log.writeAsync(payload(4)).toCompletableFuture();
        gate.awaitEntered();
        assertEquals(new LogStats.Queue(1, PAYLOAD_BYTES), log.stats().queue());
        log.append(payload(5));
        log.append(payload(6));
        assertEquals(new LogStats.Queue(3, 3 * PAYLOAD_BYTES), log.stats().queue());
        gate.release();
        first.join();
      }
      log.sync();
      assertEquals(new LogStats.Queue(0, 0), log.stats().queue());
    }
  }

  @Test
  void afterAFailureTheQueueIsWhatIsInDoubtAndThoseWhoWereToldAreCounted() {
    Log log = open(storage);
    write(log, 1, 3);
    assertEquals(0, log.stats().failuresTold());
    storage.faults().failOnce(StorageOp.SYNC, 1);
    var stage = log.writeAsync(payload(4)).toCompletableFuture();
    assertThrows(CompletionException.class, stage::join);
    assertEquals(1, log.stats().failuresTold());
    assertThrows(LogFailedException.class, () -> log.append(payload(5)));
    assertThrows(LogFailedException.class, log::sync);
    assertEquals(3, log.stats().failuresTold());
    assertEquals(new LogStats.Queue(1, PAYLOAD_BYTES), log.stats().queue());
    assertEquals(4, log.stats().writes());
    assertEquals(3, log.stats().syncs(), "the failed sync made nothing durable");
    log.close();
  }
}
