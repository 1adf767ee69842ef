package dev.tidemark.store;

import static dev.tidemark.store.Docs.FILMS;
import static dev.tidemark.store.Docs.applied;
import static dev.tidemark.store.Docs.conflict;
import static dev.tidemark.store.Docs.delete;
import static dev.tidemark.store.Docs.document;
import static dev.tidemark.store.Docs.films;
import static dev.tidemark.store.Docs.json;
import static dev.tidemark.store.Docs.put;
import static dev.tidemark.store.Docs.source;
import static dev.tidemark.store.Docs.update;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.LogOptions;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.store.Operation.DeleteCollection;
import dev.tidemark.store.Operation.NoopDetection;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Precondition.Absent;
import dev.tidemark.store.Precondition.External;
import dev.tidemark.store.Precondition.Matches;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Opening a store again: what is found, what is replayed, what is refused.
class StoreRecoveryTest {
  @TempDir Path temp;

  private static DocumentStore open(Path directory) {
    return DocumentStore.open(directory, StoreOptions.defaults());
  }

  /// Everything the key-value side holds.
  private static SortedMap<String, String> content(DocumentStore store) {
    SortedMap<String, String> content = new TreeMap<>();
    HexFormat hex = HexFormat.of();
    store
        .keyValueSide()
        .forEachEntry((key, value) -> content.put(hex.formatHex(key), hex.formatHex(value)));
    return content;
  }

  private static void deleteTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Test
  void aClosedStoreOpensWithEverythingItHeld() {
    CollectionInfo before;
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{\"n\":1.00}"));
      applied(store, put("2", "{}"));
      applied(store, delete("2"));
      before = films(store);
    }
    try (DocumentStore store = open(temp)) {
      assertEquals(before, films(store));
      assertEquals("{\"n\":1.00}", source(store, "1"));
      assertNull(store.get(FILMS, "2"));
      assertEquals(3, store.status().kvLsn());
      assertEquals(3, store.status().appliedLsn());
      assertEquals(3, applied(store, put("2", "{}")).version());
      assertEquals(4, store.status().appendedLsn());
    }
  }

  @Test
  void anOldSequenceNumberDoesNotSucceedAfterARestartEither() {
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      applied(store, delete("1"));
    }
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      conflict(store, put("1", "{}", new Matches(0, 1)));
    }
  }

  @Test
  void whatTheKeyValueSideLacksIsReplayedFromTheLog() {
    CrashStorage log = new CrashStorage();
    try (DocumentStore store =
        DocumentStore.open(temp.resolve("a"), StoreOptions.defaults(), log)) {
      applied(store, put("1", "{\"n\":1}"));
      store.executeAll(List.of(put("2", "{}"), put("1", "{\"n\":2}"), delete("2")));
      // Another directory with the same log: its key-value side has nothing at all.
      try (DocumentStore other =
          DocumentStore.open(temp.resolve("b"), StoreOptions.defaults(), log.crash())) {
        assertEquals("{\"n\":2}", source(other, "1"));
        assertEquals(2, document(other, "1").version());
        assertEquals(films(store), films(other));
        assertEquals(0, other.status().kvLsn());
        assertEquals(4, other.status().appliedLsn());
      }
    }
  }

  @Test
  void replayFromTheBeginningGivesTheSameStateByteForByte() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    CrashStorage log = new CrashStorage();
    LogOptions smallSegments = LogOptions.builder().segmentBytesMax(64 << 10).build();
    StoreOptions options = StoreOptions.builder().log(smallSegments).build();
    try (DocumentStore store = DocumentStore.open(temp.resolve("a"), options, log)) {
      for (int i = 0; i < 2_000; i++) {
        List<Operation> batch = new ArrayList<>();
        for (int n = random.nextInt(5); n >= 0; n--) {
          batch.add(randomOperation(random));
        }
        store.executeAll(batch);
      }
      try (DocumentStore replayed =
          DocumentStore.open(temp.resolve("b"), options, log.crash(random))) {
        assertEquals(content(store), content(replayed), seed::toString);
        assertEquals(store.collections(), replayed.collections(), seed::toString);
      }
    }
  }

  private static Operation randomOperation(RandomGenerator random) {
    String collection = "c" + random.nextInt(3);
    String id = "id" + random.nextInt(30);
    String routing = random.nextInt(5) == 0 ? "r" + random.nextInt(9) : null;
    JsonText source =
        json("{\"k" + random.nextInt(5) + "\":{\"n\":" + random.nextInt(4) + "},\"m\":1.0}");
    Precondition precondition =
        switch (random.nextInt(8)) {
          case 0 -> new Absent();
          case 1 -> new Matches(random.nextInt(50), 1);
          case 2 -> new External(random.nextInt(20));
          case 3 -> new Precondition.ExternalOrEqual(random.nextInt(20));
          default -> Precondition.NONE;
        };
    return switch (random.nextInt(100)) {
      case 0 -> new DeleteCollection(collection);
      case 1, 2 -> new Operation.CreateCollection(collection, source, source, source);
      case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 ->
          new Operation.Delete(collection, id, routing, precondition);
      case 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35 ->
          new Operation.Update(
              collection,
              id,
              routing,
              source,
              random.nextBoolean() ? source : null,
              random.nextBoolean() ? NoopDetection.ON : NoopDetection.OFF,
              Precondition.NONE);
      default -> new Put(collection, id, routing, source, precondition);
    };
  }

  @Test
  void aCheckpointLetsTheLogGoAndNothingIsLost() {
    LogOptions smallSegments = LogOptions.builder().segmentBytesMax(64 << 10).build();
    StoreOptions options =
        StoreOptions.builder().log(smallSegments).checkpointBytes(200_000).build();
    String body = "{\"s\":\"" + "x".repeat(1000) + "\"}";
    try (DocumentStore store = DocumentStore.open(temp, options)) {
      long trimmedTo = 1;
      for (int i = 0; trimmedTo < 1000; i++) {
        applied(store, put("id" + i, body));
        trimmedTo = store.status().firstLsn();
      }
      StoreStatus status = store.status();
      assertTrue(status.kvLsn() >= status.firstLsn() - 1);
      assertTrue(status.kvLsn() <= status.appliedLsn());
    }
    try (DocumentStore store = DocumentStore.open(temp, options)) {
      CollectionInfo info = films(store);
      assertEquals(info.documents(), info.nextSeqNo());
      for (int i = 0; i < info.documents(); i++) {
        assertEquals(body, source(store, "id" + i));
      }
    }
  }

  @Test
  void theTimeInRecordsNeverRunsBackwards() {
    long[] wall = {1_000_000};
    StoreOptions options = StoreOptions.builder().clock(() -> wall[0]).build();
    try (DocumentStore store = DocumentStore.open(temp, options)) {
      store.execute(Docs.newCollection("a"));
      wall[0] = 5;
      store.execute(Docs.newCollection("b"));
      assertEquals(1_000_000, created(store, "b"));
    }
    try (DocumentStore store = DocumentStore.open(temp, options)) {
      store.execute(Docs.newCollection("c"));
      assertEquals(1_000_000, created(store, "c"));
      wall[0] = 2_000_000;
      store.execute(Docs.newCollection("d"));
      assertEquals(2_000_000, created(store, "d"));
    }
  }

  private static long created(DocumentStore store, String name) {
    CollectionInfo info = store.collection(name);
    return info == null ? -1 : info.createdAtMs();
  }

  @Test
  void aLogThatIsGoneIsNamedAndNotMadeAnew() throws IOException {
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      applied(store, put("2", "{}"));
    }
    deleteTree(temp.resolve("log"));
    String message = refusal();
    assertTrue(message.contains("LSN 2"), message);
    assertTrue(message.contains("LSN 0"), message);
    assertFalse(Files.exists(temp.resolve("log")));
  }

  @Test
  void aKeyValueSideAheadOfTheLogIsRefused() throws IOException {
    Path older = temp.resolve("older");
    open(older).close();
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
    }
    deleteTree(temp.resolve("log"));
    Files.move(older.resolve("log"), temp.resolve("log"));
    String message = refusal();
    assertTrue(message.contains("LSN 1, but the log ends at LSN 0"), message);
  }

  @Test
  void aKeyValueSideThatLacksWhatTheLogHasNoMoreIsRefused() throws IOException {
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      applied(store, put("2", "{}"));
      store.checkpoint();
      applied(store, put("3", "{}"));
    }
    deleteTree(temp.resolve("kv"));
    String message = refusal();
    assertTrue(message.contains("ends at LSN 0, but the log begins at LSN 4"), message);
    assertFalse(Files.exists(temp.resolve("kv")));
  }

  @Test
  void aNewerFormatIsRefusedBeforeAnythingIsTouched() throws IOException {
    Files.writeString(temp.resolve("STORE"), "tidemark store, format 2\n");
    String message = refusal();
    assertTrue(message.contains("format 2"), message);
    assertEquals(List.of("STORE"), names());
    Files.writeString(temp.resolve("STORE"), "something else");
    refusal();
    assertEquals(List.of("STORE"), names());
  }

  @Test
  void partsWithoutTheStoreFileAreRefused() throws IOException {
    open(temp).close();
    Files.delete(temp.resolve("STORE"));
    assertTrue(refusal().contains("STORE"));
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(StoreUnusableException.class, () -> open(temp).close()).getMessage());
  }

  private List<String> names() throws IOException {
    try (var entries = Files.list(temp)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aSecondOwnerIsRefusedAndTheFirstGoesOn() {
    try (DocumentStore store = open(temp)) {
      applied(store, put("1", "{}"));
      assertThrows(StoreUnusableException.class, () -> open(temp));
      applied(store, put("2", "{}"));
    }
    try (DocumentStore store = open(temp)) {
      assertEquals(2, films(store).documents());
    }
  }

  @Test
  void aDirectoryThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThrows(StoreUnusableException.class, () -> open(file.resolve("below")));
    assertThrows(StoreUnusableException.class, () -> open(file));
  }

  @Test
  void aRecordThatCannotBeReadIsNamedByItsLsn() {
    CrashStorage storage = new CrashStorage();
    try (var log = dev.tidemark.log.Log.open(storage, LogOptions.defaults())) {
      log.write(OperationCodec.encode(put("1", "{}")));
      log.write(new byte[] {9, 9, 9});
    }
    String message =
        String.valueOf(
            assertThrows(
                    StoreUnusableException.class,
                    () -> DocumentStore.open(temp, StoreOptions.defaults(), storage))
                .getMessage());
    assertTrue(message.contains("LSN 2"), message);
    assertTrue(message.contains("format 9"), message);
  }

  @Test
  void aDamagedTableIsAnErrorAndNeverAnotherDocument() throws IOException {
    String body = "{\"s\":\"" + "x".repeat(500) + "\"}";
    try (DocumentStore store = open(temp)) {
      for (int i = 0; i < 200; i++) {
        applied(store, put("id" + i, body));
      }
    }
    try (var files = Files.list(temp.resolve("kv"))) {
      for (Path table : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
        byte[] bytes = Files.readAllBytes(table);
        if (bytes.length > 50_000) {
          bytes[20_000] ^= 1;
          Files.write(table, bytes);
        }
      }
    }
    int refused = 0;
    try (DocumentStore store = open(temp)) {
      for (int i = 0; i < 200; i++) {
        try {
          assertEquals(body, source(store, "id" + i));
        } catch (StoreFailedException e) {
          refused++;
        }
      }
      assertTrue(refused > 0);
    }
  }

  @Test
  void aClosedStoreSaysSoAndNothingElseHappens() {
    DocumentStore store = open(temp);
    applied(store, put("1", "{}"));
    store.close();
    store.close();
    assertThrows(StoreClosedException.class, () -> store.execute(put("2", "{}")));
    assertThrows(StoreClosedException.class, () -> store.get(FILMS, "1"));
    assertThrows(StoreClosedException.class, () -> store.forEach(FILMS, document -> {}));
    assertThrows(StoreClosedException.class, store::checkpoint);
    assertThrows(StoreClosedException.class, store::status);
  }

  @Test
  void updatesReplayAsMergesInLogOrder() {
    CrashStorage log = new CrashStorage();
    try (DocumentStore store =
        DocumentStore.open(temp.resolve("a"), StoreOptions.defaults(), log)) {
      applied(store, put("1", "{\"n\":0}"));
      applied(store, update("1", "{\"n\":1,\"o\":{\"p\":1.50}}"));
      applied(store, update("1", "{\"o\":{\"q\":2}}"));
      try (DocumentStore other =
          DocumentStore.open(temp.resolve("b"), StoreOptions.defaults(), log.crash())) {
        assertEquals("{\"n\":1,\"o\":{\"p\":1.50,\"q\":2}}", source(other, "1"));
      }
    }
  }
}
