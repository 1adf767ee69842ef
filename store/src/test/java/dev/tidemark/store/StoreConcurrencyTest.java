package dev.tidemark.store;

import static dev.tidemark.store.Docs.FILMS;
import static dev.tidemark.store.Docs.applied;
import static dev.tidemark.store.Docs.document;
import static dev.tidemark.store.Docs.films;
import static dev.tidemark.store.Docs.put;
import static dev.tidemark.store.Docs.source;
import static dev.tidemark.store.Docs.update;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.Operation.DeleteCollection;
import dev.tidemark.store.Outcome.Applied;
import dev.tidemark.store.Precondition.Matches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many callers at once.
class StoreConcurrencyTest {
  private static final Pattern COUNT = Pattern.compile("\\{\"n\":(\\d+)\\}");

  @TempDir Path directory;
  private DocumentStore store;

  @BeforeEach
  void open() {
    store = DocumentStore.open(directory, StoreOptions.defaults());
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// What each of `count` virtual threads does, given its number.
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inParallel(int count, Work work) throws Exception {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int thread = i;
      FutureTask<Boolean> task =
          new FutureTask<>(
              () -> {
                work.run(thread);
                return true;
              });
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }
    for (Future<Boolean> task : tasks) {
      task.get();
    }
  }

  private static int count(Document document) {
    Matcher matcher = COUNT.matcher(document.source().toString());
    assertTrue(matcher.matches());
    return Integer.parseInt(matcher.group(1));
  }

  @Test
  void incrementsGuardedBySequenceNumbersLoseNothing() throws Exception {
    applied(store, put("left", "{\"n\":0}"));
    applied(store, put("right", "{\"n\":0}"));
    AtomicInteger successes = new AtomicInteger();
    inParallel(
        16,
        thread -> {
          for (int i = 0; i < 100; i++) {
            String id = (thread + i) % 2 == 0 ? "left" : "right";
            Document seen = document(store, id);
            Outcome outcome =
                store.execute(
                    put(
                        id,
                        "{\"n\":" + (count(seen) + 1) + "}",
                        new Matches(seen.seqNo(), seen.primaryTerm())));
            if (outcome instanceof Applied) {
              successes.incrementAndGet();
            }
          }
        });
    assertTrue(successes.get() > 0);
    int left = count(document(store, "left"));
    int right = count(document(store, "right"));
    assertEquals(successes.get(), left + right);
    assertEquals(left + 1, document(store, "left").version());
    assertEquals(right + 1, document(store, "right").version());
    assertEquals(successes.get() + 2, films(store).nextSeqNo());
  }

  @Test
  void updatesOfOneDocumentLoseNoField() throws Exception {
    inParallel(
        16,
        thread -> {
          for (int i = 0; i < 20; i++) {
            String field = "{\"t" + thread + "_" + i + "\":1}";
            store.execute(
                Docs.update("1", field, field, Operation.NoopDetection.ON, Precondition.NONE));
          }
        });
    assertEquals(320, document(store, "1").version());
    for (int thread = 0; thread < 16; thread++) {
      for (int i = 0; i < 20; i++) {
        assertTrue(source(store, "1").contains("\"t" + thread + "_" + i + "\":1"));
      }
    }
  }

  @Test
  void everySequenceNumberIsTakenOnce() throws Exception {
    Set<Long> seqNos = ConcurrentHashMap.newKeySet();
    inParallel(
        32,
        thread -> {
          for (int i = 0; i < 50; i++) {
            List<Operation> operations = new ArrayList<>();
            for (int n = 0; n <= i % 4; n++) {
              operations.add(put(thread + "-" + i % 7 + "-" + n, "{}"));
            }
            for (Outcome outcome : store.executeAll(operations)) {
              assertTrue(seqNos.add(assertInstanceOf(Applied.class, outcome).seqNo()));
            }
          }
        });
    assertEquals(films(store).nextSeqNo(), seqNos.size());
    assertEquals(films(store).nextSeqNo(), store.status().appliedLsn());
  }

  @Test
  void aWriteIsVisibleToItsWriterWhenItReturns() throws Exception {
    inParallel(
        16,
        thread -> {
          for (int i = 0; i < 100; i++) {
            String body = "{\"n\":" + i + "}";
            applied(store, put("t" + thread, body));
            assertEquals(body, source(store, "t" + thread));
          }
        });
  }

  @Test
  void readersMeetCollectionsThatComeAndGo() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    FutureTask<Integer> reading =
        new FutureTask<>(
            () -> {
              int seen = 0;
              while (!ended.get()) {
                Document document = store.get(FILMS, "1");
                seen += document == null ? 0 : 1;
                store.forEach(FILMS, each -> assertNotNull(each.source()));
                store.collections();
              }
              return seen;
            });
    Thread.ofVirtual().start(reading);
    for (int i = 0; i < 200; i++) {
      applied(store, put("1", "{}"));
      store.execute(new DeleteCollection(FILMS));
    }
    ended.set(true);
    reading.get();
  }

  @Test
  void checkpointsBesideWritesLoseNothing() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    FutureTask<Boolean> checkpoints =
        new FutureTask<>(
            () -> {
              while (!ended.get()) {
                store.checkpoint();
              }
              return true;
            });
    Thread.ofPlatform().start(checkpoints);
    inParallel(
        8,
        thread -> {
          for (int i = 0; i < 100; i++) {
            applied(store, put(thread + "-" + i, "{}"));
          }
        });
    ended.set(true);
    checkpoints.get();
    store.close();
    store = DocumentStore.open(directory, StoreOptions.defaults());
    assertEquals(800, films(store).documents());
    assertEquals(800, films(store).nextSeqNo());
    inParallel(8, thread -> assertEquals("{}", source(store, thread + "-99")));
  }

  @Test
  void aCloseEndsARunOverDocumentsWithoutHarm() throws Exception {
    for (int i = 0; i < 100; i++) {
      applied(store, put("id" + i, "{}"));
    }
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    FutureTask<Boolean> run =
        new FutureTask<>(
            () -> {
              store.forEach(
                  FILMS,
                  document -> {
                    seen.incrementAndGet();
                    inside.countDown();
                    try {
                      go.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
              return true;
            });
    Thread.ofPlatform().start(run);
    inside.await();
    Thread closing = Thread.ofPlatform().start(store::close);
    // The close waits for the run: only once it has begun do the consumers go on.
    while (!refusesReads()) {
      Thread.onSpinWait();
    }
    go.countDown();
    ExecutionException e = assertThrows(ExecutionException.class, run::get);
    assertInstanceOf(StoreClosedException.class, e.getCause());
    assertEquals(1, seen.get());
    closing.join();
  }

  private boolean refusesReads() {
    try {
      store.get(FILMS, "id1");
      return false;
    } catch (StoreClosedException e) {
      return true;
    }
  }

  @Test
  void usesThatRaceWithACloseEndOrAreRefused() throws Exception {
    for (int round = 0; round < 20; round++) {
      CountDownLatch started = new CountDownLatch(4);
      List<FutureTask<Boolean>> uses = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        FutureTask<Boolean> use =
            new FutureTask<>(
                () -> {
                  started.countDown();
                  while (true) {
                    try {
                      store.execute(update("1", "{}"));
                      store.get(FILMS, "1");
                      store.forEach(FILMS, document -> {});
                      store.status();
                    } catch (StoreClosedException e) {
                      return true;
                    }
                  }
                });
        uses.add(use);
        Thread.ofVirtual().start(use);
      }
      started.await();
      store.execute(put("1", "{}"));
      store.close();
      for (FutureTask<Boolean> use : uses) {
        assertTrue(use.get());
      }
      store = DocumentStore.open(directory, StoreOptions.defaults());
    }
  }
}
