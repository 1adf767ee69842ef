package dev.tidemark.store;

import static dev.tidemark.store.Docs.FILMS;
import static dev.tidemark.store.Docs.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.LogOptions;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The power fails while threads write: what was not synced is there in part, or not at all. The
/// key-value side, never flushed, loses everything, so that the log alone must bring it back.
class StorePowerFailureTest {
  private static final int ROUNDS = 25;
  private static final int WRITERS = 8;
  private static final Pattern NUMBER = Pattern.compile("\\{\"n\":(\\d+),.*");

  @TempDir Path temp;
  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// Each writer sets its two documents to 1, 2, 3, ... in batches; so they are equal at any time.
  private static final class Writers {
    private final DocumentStore store;
    private final AtomicIntegerArray begun = new AtomicIntegerArray(WRITERS);
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    Writers(DocumentStore store, int padding) {
      this.store = store;
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        threads.add(Thread.ofVirtual().start(() -> write(writer, padding)));
      }
    }

    private void write(int writer, int padding) {
      while (!ended) {
        int n = begun.incrementAndGet(writer);
        String body = "{\"n\":" + n + ",\"p\":\"" + "x".repeat(padding * (n % 3)) + "\"}";
        store.executeAll(List.of(put("left" + writer, body), put("right" + writer, body)));
        acknowledged.set(writer, n);
      }
    }

    void end() throws InterruptedException {
      ended = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void everyAcknowledgedBatchSurvivesWholeAndNoneByHalf() throws Exception {
    StoreOptions options =
        StoreOptions.builder()
            .log(LogOptions.builder().segmentBytesMax(64 << 10).windowBytes(8 << 10).build())
            .build();
    for (int round = 0; round < ROUNDS; round++) {
      String context = seed + ", round " + round;
      CrashStorage log = new CrashStorage();
      CrashStorage left;
      int[] acknowledged = new int[WRITERS];
      int[] begun = new int[WRITERS];
      try (DocumentStore store = DocumentStore.open(temp.resolve("a" + round), options, log)) {
        Writers writers = new Writers(store, random.nextInt(1000));
        long writes = random.nextInt(1, 300);
        while (store.status().appliedLsn() < writes) {
          Thread.onSpinWait();
        }
        // What is acknowledged before the failure must survive it; what begins after it cannot.
        for (int i = 0; i < WRITERS; i++) {
          acknowledged[i] = writers.acknowledged.get(i);
        }
        left = log.crash(random);
        for (int i = 0; i < WRITERS; i++) {
          begun[i] = writers.begun.get(i);
        }
        writers.end();
      }
      try (DocumentStore store = DocumentStore.open(temp.resolve("b" + round), options, left)) {
        long changes = 0;
        for (int i = 0; i < WRITERS; i++) {
          int n = number(store.get(FILMS, "left" + i));
          assertEquals(n, number(store.get(FILMS, "right" + i)), context);
          assertTrue(n >= acknowledged[i] && n <= begun[i], context);
          changes += 2L * n;
        }
        CollectionInfo info = store.collection(FILMS);
        assertEquals(changes, info == null ? 0 : info.nextSeqNo(), context);
      }
    }
  }

  private static int number(@Nullable Document document) {
    if (document == null) {
      return 0;
    }
    Matcher matcher = NUMBER.matcher(document.source().toString());
    assertTrue(matcher.matches());
    assertEquals(Long.parseLong(matcher.group(1)), document.version());
    return Integer.parseInt(matcher.group(1));
  }
}
