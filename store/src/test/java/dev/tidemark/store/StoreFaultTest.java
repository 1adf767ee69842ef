package dev.tidemark.store;

import static dev.tidemark.store.Docs.FILMS;
import static dev.tidemark.store.Docs.applied;
import static dev.tidemark.store.Docs.films;
import static dev.tidemark.store.Docs.put;
import static dev.tidemark.store.Docs.source;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Gate;
import dev.tidemark.log.testkit.StorageOp;
import dev.tidemark.store.Outcome.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What callers are told, and what is kept, when the disk fails or waits.
class StoreFaultTest {
  @TempDir Path temp;
  private final CrashStorage log = new CrashStorage();

  private DocumentStore open(Path directory) {
    return DocumentStore.open(directory, StoreOptions.defaults(), log);
  }

  /// Runs on a virtual thread, as the server's requests do.
  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  private static List<FutureTask<Outcome>> startPuts(DocumentStore store, int count) {
    List<FutureTask<Outcome>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Operation operation = put("id" + i, "{\"i\":" + i + "}");
      writes.add(start(() -> store.execute(operation)));
    }
    return writes;
  }

  private static void awaitAppended(DocumentStore store, long lsn) {
    while (store.status().appendedLsn() < lsn) {
      Thread.onSpinWait();
    }
  }

  private static StoreFailedException failure(FutureTask<?> task) {
    return assertInstanceOf(
        StoreFailedException.class, assertThrows(ExecutionException.class, task::get).getCause());
  }

  @Test
  void nothingIsVisibleBeforeItsSyncAndEverythingAfter() throws Exception {
    try (DocumentStore store = open(temp)) {
      applied(store, put("before", "{}"));
      List<FutureTask<Outcome>> writes;
      try (Gate gate = log.faults().pause(StorageOp.SYNC)) {
        writes = startPuts(store, 20);
        awaitAppended(store, 21);
        gate.awaitEntered();
        for (int i = 0; i < 20; i++) {
          assertNull(store.get(FILMS, "id" + i));
          assertFalse(writes.get(i).isDone());
        }
        assertEquals(1, store.status().durableLsn());
        assertEquals(1, films(store).documents());
      }
      for (FutureTask<Outcome> write : writes) {
        assertInstanceOf(Applied.class, write.get());
      }
      assertEquals(21, films(store).documents());
    }
  }

  @Test
  void writersThatWaitTogetherShareOneSync() throws Exception {
    try (DocumentStore store = open(temp)) {
      applied(store, put("before", "{}"));
      long syncs;
      List<FutureTask<Outcome>> writes;
      try (Gate gate = log.faults().pause(StorageOp.SYNC)) {
        FutureTask<Outcome> first = start(() -> store.execute(put("first", "{}")));
        gate.awaitEntered();
        writes = startPuts(store, 30);
        writes.add(first);
        awaitAppended(store, 32);
        syncs = log.counts().of(StorageOp.SYNC);
      }
      for (FutureTask<Outcome> write : writes) {
        write.get();
      }
      // The one that was held, then one for all thirty; perhaps the witness of an idle log.
      assertTrue(log.counts().of(StorageOp.SYNC) - syncs <= 2);
    }
  }

  @Test
  void aFailedSyncIsToldToAllWhoWaitAndNothingBecomesVisible() throws Exception {
    CrashStorage left;
    try (DocumentStore store = open(temp.resolve("a"))) {
      applied(store, put("before", "{}"));
      List<FutureTask<Outcome>> writes;
      try (Gate gate = log.faults().pause(StorageOp.SYNC)) {
        log.faults().failOnce(StorageOp.SYNC, 1);
        writes = startPuts(store, 20);
        awaitAppended(store, 21);
        gate.awaitEntered();
      }
      for (FutureTask<Outcome> write : writes) {
        String message = String.valueOf(failure(write).getMessage());
        assertTrue(message.contains("not known"), message);
        assertTrue(message.contains("open it again"), message);
      }
      assertNotNull(store.failure());
      // Syncs would succeed from now on: the store must not try.
      StoreFailedException later =
          assertThrows(StoreFailedException.class, () -> store.execute(put("later", "{}")));
      assertTrue(String.valueOf(later.getMessage()).contains("not accepted"));
      assertEquals("{}", source(store, "before"));
      assertEquals(1, films(store).documents());
      assertEquals(1, store.status().appliedLsn());
      left = log.crash();
    }
    try (DocumentStore store =
        DocumentStore.open(temp.resolve("a"), StoreOptions.defaults(), left)) {
      assertEquals("{}", source(store, "before"));
      assertNull(store.get(FILMS, "later"));
      assertNull(store.failure());
      applied(store, put("later", "{}"));
    }
  }

  @Test
  void afterAFailureTheProcessFindsEveryAcknowledgedWriteAgain() {
    DocumentStore store = open(temp.resolve("a"));
    applied(store, put("1", "{}"));
    log.faults().failFrom(StorageOp.WRITE, 1);
    assertThrows(StoreFailedException.class, () -> store.execute(put("2", "{}")));
    store.close();
    log.faults().clear();
    try (DocumentStore again = open(temp.resolve("a"))) {
      assertEquals("{}", source(again, "1"));
      applied(again, put("2", "{}"));
    }
  }

  @Test
  void aCallerThatIsInterruptedGetsItsOutcomeAndHarmsNobody() throws Exception {
    CrashStorage interruptible = CrashStorage.interruptible();
    try (DocumentStore store = DocumentStore.open(temp, StoreOptions.defaults(), interruptible)) {
      for (boolean virtual : new boolean[] {true, false}) {
        List<Thread> threads = new ArrayList<>();
        List<FutureTask<Boolean>> writes = new ArrayList<>();
        try (Gate gate = interruptible.faults().pause(StorageOp.SYNC)) {
          long before = store.status().appendedLsn();
          for (int i = 0; i < 10; i++) {
            Operation operation = put(virtual + "-" + i, "{}");
            FutureTask<Boolean> write =
                new FutureTask<>(
                    () -> {
                      Outcome outcome = store.execute(operation);
                      return outcome instanceof Applied && Thread.currentThread().isInterrupted();
                    });
            writes.add(write);
            threads.add(
                virtual ? Thread.ofVirtual().start(write) : Thread.ofPlatform().start(write));
          }
          awaitAppended(store, before + 10);
          gate.awaitEntered();
          for (int i = 0; i < 10; i += 2) {
            threads.get(i).interrupt();
          }
        }
        for (int i = 0; i < 10; i++) {
          assertEquals(i % 2 == 0, writes.get(i).get(), "writer " + i);
          assertNotNull(store.get(FILMS, virtual + "-" + i));
        }
      }
    }
  }

  @Test
  void aCallerThatComesInterruptedIsServedAllTheSame() {
    try (DocumentStore store = open(temp)) {
      Thread.currentThread().interrupt();
      applied(store, put("1", "{}"));
      assertEquals("{}", source(store, "1"));
      store.checkpoint();
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void aCloseBehindAnInterruptedThreadLosesNothing() {
    DocumentStore store = DocumentStore.open(temp, StoreOptions.defaults());
    applied(store, put("1", "{}"));
    Thread.currentThread().interrupt();
    store.close();
    assertTrue(Thread.interrupted());
    try (DocumentStore again = DocumentStore.open(temp, StoreOptions.defaults())) {
      assertEquals("{}", source(again, "1"));
      assertEquals(1, again.status().kvLsn());
    }
  }

  @Test
  void aKeyValueSideThatCannotFlushStopsTheStoreAndLosesNothing() throws IOException {
    Path directory = temp.resolve("data");
    DocumentStore store = DocumentStore.open(directory, StoreOptions.defaults());
    applied(store, put("1", "{}"));
    Path away = temp.resolve("away");
    Files.move(directory.resolve("kv"), away);
    assertThrows(StoreFailedException.class, store::checkpoint);
    assertThrows(StoreFailedException.class, () -> store.execute(put("2", "{}")));
    assertEquals("{}", source(store, "1"));
    assertEquals(0, store.status().kvLsn());
    assertEquals(1, store.status().firstLsn());
    store.close();
    Files.move(away, directory.resolve("kv"));
    try (DocumentStore again = DocumentStore.open(directory, StoreOptions.defaults())) {
      assertEquals("{}", source(again, "1"));
      applied(again, put("2", "{}"));
    }
  }

  @Test
  void aTrimThatFailsIsTriedAgainAndFailsNothing() {
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      log.faults().failOnce(StorageOp.DELETE, 1);
      store.checkpoint();
      assertEquals(1, store.status().kvLsn());
      applied(store, put("2", "{}"));
      store.checkpoint();
      assertEquals(3, store.status().firstLsn());
    }
  }

  @Test
  void writersWaitForRoomAndAreAllServed() throws Exception {
    StoreOptions options = StoreOptions.builder().pendingBytesMax(4096).build();
    try (DocumentStore store = DocumentStore.open(temp, options, log)) {
      List<FutureTask<Outcome>> writes;
      try (Gate gate = log.faults().pause(StorageOp.SYNC)) {
        writes = startPuts(store, 300);
        gate.awaitEntered();
        awaitAppended(store, 50);
        // Each record is above 25 bytes: not all of them fit.
        assertTrue(store.status().appendedLsn() < 300);
      }
      for (FutureTask<Outcome> write : writes) {
        assertInstanceOf(Applied.class, write.get());
      }
      assertEquals(300, films(store).documents());
    }
  }

  @Test
  void aCloseServesThoseWhoWereAcceptedAndRefusesThoseWhoWaitForRoom() throws Exception {
    StoreOptions options = StoreOptions.builder().pendingBytesMax(1024).build();
    int served = 0;
    DocumentStore store = DocumentStore.open(temp, options, log);
    List<FutureTask<Outcome>> writes;
    FutureTask<Boolean> closing;
    try (Gate gate = log.faults().pause(StorageOp.SYNC)) {
      writes = startPuts(store, 200);
      gate.awaitEntered();
      closing =
          start(
              () -> {
                store.close();
                return true;
              });
      while (writes.stream().noneMatch(FutureTask::isDone)) {
        Thread.onSpinWait();
      }
    }
    closing.get();
    for (FutureTask<Outcome> write : writes) {
      try {
        assertInstanceOf(Applied.class, write.get());
        served++;
      } catch (ExecutionException e) {
        assertInstanceOf(StoreClosedException.class, e.getCause());
      }
    }
    try (DocumentStore again = open(temp)) {
      assertEquals(served, films(again).documents());
    }
  }

  @Test
  void aBatchTheLogDoesNotTakeIsRefusedWhole() {
    StoreOptions options =
        StoreOptions.builder()
            .log(dev.tidemark.log.LogOptions.builder().batchBytesMax(1000).build())
            .build();
    try (DocumentStore store = DocumentStore.open(temp, options, log)) {
      String body = "{\"s\":\"" + "x".repeat(400) + "\"}";
      assertThrows(
          IllegalArgumentException.class,
          () -> store.executeAll(List.of(put("1", body), put("2", body), put("3", body))));
      assertNull(store.collection(FILMS));
      applied(store, put("1", body));
      assertEquals(1, store.status().appendedLsn());
    }
  }
}
