package dev.tidemark.store;

import static dev.tidemark.store.Docs.FILMS;
import static dev.tidemark.store.Docs.applied;
import static dev.tidemark.store.Docs.conflict;
import static dev.tidemark.store.Docs.delete;
import static dev.tidemark.store.Docs.document;
import static dev.tidemark.store.Docs.films;
import static dev.tidemark.store.Docs.json;
import static dev.tidemark.store.Docs.newCollection;
import static dev.tidemark.store.Docs.put;
import static dev.tidemark.store.Docs.source;
import static dev.tidemark.store.Docs.update;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.Operation.CreateCollection;
import dev.tidemark.store.Operation.Delete;
import dev.tidemark.store.Operation.DeleteCollection;
import dev.tidemark.store.Operation.NoopDetection;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Operation.Update;
import dev.tidemark.store.Outcome.Applied;
import dev.tidemark.store.Outcome.CollectionChanged;
import dev.tidemark.store.Outcome.CollectionExists;
import dev.tidemark.store.Outcome.CollectionMissing;
import dev.tidemark.store.Outcome.Conflict;
import dev.tidemark.store.Outcome.DocumentMissing;
import dev.tidemark.store.Outcome.Rejected;
import dev.tidemark.store.Outcome.Result;
import dev.tidemark.store.Precondition.Absent;
import dev.tidemark.store.Precondition.External;
import dev.tidemark.store.Precondition.ExternalOrEqual;
import dev.tidemark.store.Precondition.Matches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What each operation does, and what it answers.
class DocumentStoreTest {
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

  @Test
  void theFirstWriteCreatesWithVersionOneAndSequenceNumberZero() {
    Applied created = applied(store, put("1", "{\"a\": 1}"));
    assertEquals(Result.CREATED, created.result());
    assertEquals(1, created.version());
    assertEquals(0, created.seqNo());
    assertEquals(1, created.primaryTerm());
    assertEquals(
        new Document("1", 1, 0, 1, null, document(store, "1").source()), document(store, "1"));
    assertEquals("{\"a\":1}", source(store, "1"));
  }

  @Test
  void aSecondWriteUpdatesAndTakesTheNextVersionAndSequenceNumber() {
    applied(store, put("1", "{}"));
    applied(store, put("2", "{}"));
    Applied updated = applied(store, put("1", "{\"b\":2}"));
    assertEquals(Result.UPDATED, updated.result());
    assertEquals(2, updated.version());
    assertEquals(2, updated.seqNo());
    assertEquals("{\"b\":2}", source(store, "1"));
  }

  @Test
  void theRoutingIsKept() {
    store.execute(new Put(FILMS, "1", "north", json("{}"), Precondition.NONE));
    assertEquals("north", document(store, "1").routing());
    store.execute(update("1", "{\"a\":1}"));
    assertEquals("north", document(store, "1").routing());
    store.execute(
        new Update(
            FILMS, "1", "south", json("{\"a\":2}"), null, NoopDetection.ON, Precondition.NONE));
    assertEquals("south", document(store, "1").routing());
    assertEquals("{\"a\":2}", source(store, "1"));
    assertEquals("{\"a\":2}".length(), films(store).sourceBytes());
  }

  @Test
  void aMissingDocumentOrCollectionIsNull() {
    assertNull(store.get(FILMS, "1"));
    applied(store, put("1", "{}"));
    assertNull(store.get(FILMS, "2"));
  }

  @Test
  void deleteTakesAVersionAndHidesTheDocument() {
    applied(store, put("1", "{}"));
    Applied deleted = applied(store, delete("1"));
    assertEquals(Result.DELETED, deleted.result());
    assertEquals(2, deleted.version());
    assertEquals(1, deleted.seqNo());
    assertNull(store.get(FILMS, "1"));
  }

  @Test
  void deleteOfAMissingDocumentIsNotFoundAndTakesAVersionAndASequenceNumber() {
    applied(store, put("1", "{}"));
    Applied first = applied(store, delete("2"));
    assertEquals(Result.NOT_FOUND, first.result());
    assertEquals(1, first.version());
    assertEquals(1, first.seqNo());
    Applied second = applied(store, delete("2"));
    assertEquals(Result.NOT_FOUND, second.result());
    assertEquals(2, second.version());
    assertEquals(2, second.seqNo());
  }

  @Test
  void aDocumentWrittenAgainAfterItsDeleteGoesOnWithItsVersion() {
    applied(store, put("1", "{}"));
    applied(store, delete("1"));
    Applied again = applied(store, put("1", "{}"));
    assertEquals(Result.CREATED, again.result());
    assertEquals(3, again.version());
    assertEquals(2, again.seqNo());
  }

  @Test
  void createConflictsOnlyWithALiveDocument() {
    Applied created = applied(store, put("1", "{\"n\":1}", new Absent()));
    assertEquals(Result.CREATED, created.result());
    Conflict conflict = conflict(store, put("1", "{\"n\":2}", new Absent()));
    assertEquals("1", conflict.id());
    assertEquals(new Absent(), conflict.precondition());
    assertEquals(1, conflict.currentVersion());
    assertEquals(0, conflict.currentSeqNo());
    assertEquals(1, conflict.currentPrimaryTerm());
    assertEquals("{\"n\":1}", source(store, "1"));
    applied(store, delete("1"));
    assertEquals(3, applied(store, put("1", "{\"n\":3}", new Absent())).version());
  }

  @Test
  void matchesComparesSequenceNumberAndTermOfTheLiveDocument() {
    applied(store, put("1", "{}"));
    assertEquals(0, conflict(store, put("1", "{}", new Matches(1, 1))).currentSeqNo());
    conflict(store, put("1", "{}", new Matches(0, 2)));
    Applied updated = applied(store, put("1", "{}", new Matches(0, 1)));
    assertEquals(1, updated.seqNo());
    conflict(store, put("1", "{}", new Matches(0, 1)));
    conflict(store, delete("1", new Matches(0, 1)));
    assertEquals(Result.DELETED, applied(store, delete("1", new Matches(1, 1))).result());
  }

  @Test
  void matchesConflictsWithAMissingAndWithADeletedDocument() {
    applied(store, put("1", "{}"));
    Conflict missing = conflict(store, put("2", "{}", new Matches(0, 1)));
    assertEquals(
        List.of(0L, -2L, 0L),
        List.of(missing.currentVersion(), missing.currentSeqNo(), missing.currentPrimaryTerm()));
    applied(store, delete("1"));
    Conflict deleted = conflict(store, put("1", "{}", new Matches(1, 1)));
    assertEquals(
        List.of(0L, -2L, 0L),
        List.of(deleted.currentVersion(), deleted.currentSeqNo(), deleted.currentPrimaryTerm()));
    conflict(store, delete("1", new Matches(1, 1)));
  }

  @Test
  void anOldSequenceNumberNeverSucceedsAfterADelete() {
    long old = applied(store, put("1", "{}")).seqNo();
    applied(store, delete("1"));
    applied(store, put("1", "{}"));
    conflict(store, put("1", "{}", new Matches(old, 1)));
  }

  @Test
  void anExternalVersionMustExceedTheDocuments() {
    assertEquals(5, applied(store, put("1", "{}", new External(5))).version());
    Conflict equal = conflict(store, put("1", "{}", new External(5)));
    assertEquals(5, equal.currentVersion());
    conflict(store, put("1", "{}", new External(4)));
    assertEquals(10, applied(store, put("1", "{}", new External(10))).version());
    assertEquals(11, applied(store, put("1", "{}")).version());
    conflict(store, delete("1", new External(11)));
    assertEquals(12, applied(store, delete("1", new External(12))).version());
  }

  @Test
  void anExternalVersionMustExceedTheOneOfADelete() {
    applied(store, put("1", "{}", new External(5)));
    applied(store, delete("1", new External(8)));
    Conflict conflict = conflict(store, put("1", "{}", new External(8)));
    assertEquals(8, conflict.currentVersion());
    assertEquals(-2, conflict.currentSeqNo());
    Applied created = applied(store, put("1", "{}", new External(9)));
    assertEquals(Result.CREATED, created.result());
    assertEquals(9, created.version());
  }

  @Test
  void externalOrEqualTakesTheSameVersionAgain() {
    applied(store, put("1", "{}", new External(5)));
    assertEquals(5, applied(store, put("1", "{\"a\":1}", new ExternalOrEqual(5))).version());
    conflict(store, put("1", "{}", new ExternalOrEqual(4)));
    assertEquals(5, applied(store, delete("1", new ExternalOrEqual(5))).version());
    assertEquals(5, applied(store, put("1", "{}", new ExternalOrEqual(5))).version());
  }

  @Test
  void noVersionFollowsTheLargest() {
    applied(store, put("1", "{}", new External(Long.MAX_VALUE)));
    assertInstanceOf(Rejected.class, store.execute(put("1", "{}")));
    assertInstanceOf(Rejected.class, store.execute(delete("1")));
    assertEquals(1, films(store).nextSeqNo());
  }

  @Test
  void aConflictTakesNoSequenceNumber() {
    applied(store, put("1", "{}"));
    conflict(store, put("1", "{}", new Absent()));
    assertEquals(1, applied(store, put("2", "{}")).seqNo());
  }

  @Test
  void updateMergesIntoTheDocument() {
    applied(store, put("1", "{\"a\":1,\"o\":{\"x\":1.50,\"y\":2}}"));
    Applied updated = applied(store, update("1", "{\"o\":{\"y\":3},\"b\":null}"));
    assertEquals(Result.UPDATED, updated.result());
    assertEquals(2, updated.version());
    assertEquals("{\"a\":1,\"o\":{\"x\":1.50,\"y\":3},\"b\":null}", source(store, "1"));
    assertEquals(source(store, "1").length(), films(store).sourceBytes());
  }

  @Test
  void anUpdateThatChangesNothingIsANoopAndTakesNothing() {
    applied(store, put("1", "{\"a\":1,\"b\":{\"c\":[1,2]}}"));
    Applied noop = applied(store, update("1", "{\"b\":{\"c\":[1,2]},\"a\":1}"));
    assertEquals(Result.NOOP, noop.result());
    assertEquals(1, noop.version());
    assertEquals(0, noop.seqNo());
    assertEquals(1, films(store).nextSeqNo());
    Applied forced =
        applied(store, update("1", "{\"a\":1}", null, NoopDetection.OFF, Precondition.NONE));
    assertEquals(Result.UPDATED, forced.result());
    assertEquals(2, forced.version());
  }

  @Test
  void updateOfAMissingDocumentIsMissingUnlessThereIsAnUpsert() {
    DocumentMissing missing =
        assertInstanceOf(DocumentMissing.class, store.execute(update("1", "{}")));
    assertEquals(FILMS, missing.collection().name());
    Applied created =
        applied(store, update("1", "{\"a\":1}", "{\"n\":0}", NoopDetection.ON, Precondition.NONE));
    assertEquals(Result.CREATED, created.result());
    assertEquals("{\"n\":0}", source(store, "1"));
    applied(store, delete("1"));
    assertInstanceOf(DocumentMissing.class, store.execute(update("1", "{}")));
    assertInstanceOf(
        DocumentMissing.class,
        store.execute(update("1", "{}", null, NoopDetection.ON, new Matches(1, 1))));
  }

  @Test
  void updateKeepsItsPrecondition() {
    applied(store, put("1", "{\"a\":1}"));
    Conflict conflict =
        conflict(store, update("1", "{\"a\":2}", null, NoopDetection.ON, new Matches(7, 1)));
    assertEquals(0, conflict.currentSeqNo());
    applied(store, update("1", "{\"a\":2}", null, NoopDetection.ON, new Matches(0, 1)));
    assertEquals("{\"a\":2}", source(store, "1"));
  }

  @Test
  void anUpdateBeyondTheSizeLimitIsRejectedAndChangesNothing() {
    String half = "x".repeat(StoreLimits.SOURCE_BYTES_MAX / 2);
    applied(store, put("1", "{\"a\":\"" + half + "\"}"));
    Rejected rejected =
        assertInstanceOf(Rejected.class, store.execute(update("1", "{\"b\":\"" + half + "\"}")));
    assertTrue(rejected.reason().contains("16777216"), rejected.reason());
    assertEquals(1, document(store, "1").version());
    assertEquals(1, films(store).nextSeqNo());
  }

  @Test
  void aPutCreatesItsCollectionEvenIfItThenConflicts() {
    conflict(store, put("1", "{}", new Matches(0, 1)));
    assertEquals(0, films(store).documents());
    assertEquals("{}", films(store).settings().toString());
  }

  @Test
  void anUpdateCreatesItsCollectionThenMissesItsDocument() {
    assertInstanceOf(DocumentMissing.class, store.execute(update("1", "{}")));
    assertEquals(FILMS, films(store).name());
  }

  @Test
  void aDeleteCreatesItsCollectionOnlyWithAnExternalVersion() {
    CollectionMissing missing =
        assertInstanceOf(CollectionMissing.class, store.execute(delete("1")));
    assertEquals(FILMS, missing.collection());
    assertNull(store.collection(FILMS));
    Applied notFound = applied(store, delete("1", new External(7)));
    assertEquals(Result.NOT_FOUND, notFound.result());
    assertEquals(7, notFound.version());
    assertEquals(1, films(store).deleted());
  }

  @Test
  void collectionsAreCreatedOnceAndKeepWhatTheyWereGiven() {
    CreateCollection operation =
        new CreateCollection(
            FILMS, json("{\"index\":{\"n\":1.0}}"), json("{\"p\":{}}"), json("{\"a\":{}}"));
    CollectionInfo created =
        assertInstanceOf(CollectionChanged.class, store.execute(operation)).collection();
    assertEquals("{\"index\":{\"n\":1.0}}", created.settings().toString());
    assertEquals("{\"p\":{}}", created.mappings().toString());
    assertEquals("{\"a\":{}}", created.aliases().toString());
    assertEquals(22, created.uuid().length());
    assertEquals(created, films(store));
    CollectionExists exists =
        assertInstanceOf(CollectionExists.class, store.execute(newCollection(FILMS)));
    assertEquals(created, exists.collection());
  }

  @Test
  void aDeletedCollectionTakesItsDocumentsAndVersionsWithIt() {
    applied(store, put("1", "{}"));
    applied(store, put("1", "{}"));
    CollectionInfo before = films(store);
    assertInstanceOf(CollectionChanged.class, store.execute(new DeleteCollection(FILMS)));
    assertNull(store.collection(FILMS));
    assertNull(store.get(FILMS, "1"));
    assertInstanceOf(CollectionMissing.class, store.execute(new DeleteCollection(FILMS)));
    Applied again = applied(store, put("1", "{}"));
    assertEquals(1, again.version());
    assertEquals(0, again.seqNo());
    assertNotEquals(before.uuid(), films(store).uuid());
    assertNotEquals(before.number(), films(store).number());
  }

  @Test
  void collectionsDoNotSeeEachOther() {
    store.execute(new Put("a", "1", null, json("{\"in\":\"a\"}"), Precondition.NONE));
    store.execute(new Put("b", "1", null, json("{\"in\":\"b\"}"), Precondition.NONE));
    store.execute(new Delete("a", "1", null, Precondition.NONE));
    assertNull(store.get("a", "1"));
    assertEquals("{\"in\":\"b\"}", document(store, "b", "1").source().toString());
    assertEquals(
        List.of("a", "b"), store.collections().stream().map(CollectionInfo::name).toList());
  }

  @Test
  void aCollectionCountsItsDocumentsDeletesAndBytes() {
    applied(store, put("1", "{\"a\":1}"));
    applied(store, put("2", "{\"a\":22}"));
    applied(store, put("2", "{}"));
    applied(store, delete("1"));
    applied(store, delete("3"));
    CollectionInfo info = applied(store, put("4", "{\"b\":0}")).collection();
    assertEquals(info, films(store));
    assertEquals(2, info.documents());
    assertEquals(2, info.deleted());
    assertEquals(6, info.nextSeqNo());
    assertEquals("{}{\"b\":0}".length(), info.sourceBytes());
  }

  @Test
  void aBatchAnswersEachOperationInOrderAndEachSeesThoseBefore() {
    List<Outcome> outcomes =
        store.executeAll(
            List.of(
                put("1", "{\"n\":1}"),
                put("1", "{\"n\":2}", new Absent()),
                update("1", "{\"m\":3}"),
                delete("1"),
                put("1", "{\"n\":4}", new Absent()),
                new DeleteCollection(FILMS),
                put("1", "{\"n\":5}")));
    assertEquals(7, outcomes.size());
    assertEquals(1, assertInstanceOf(Applied.class, outcomes.get(0)).version());
    assertInstanceOf(Conflict.class, outcomes.get(1));
    assertEquals(2, assertInstanceOf(Applied.class, outcomes.get(2)).version());
    assertEquals(Result.DELETED, assertInstanceOf(Applied.class, outcomes.get(3)).result());
    assertEquals(4, assertInstanceOf(Applied.class, outcomes.get(4)).version());
    assertInstanceOf(CollectionChanged.class, outcomes.get(5));
    assertEquals(1, assertInstanceOf(Applied.class, outcomes.get(6)).version());
    assertEquals("{\"n\":5}", source(store, "1"));
    assertEquals(1, films(store).documents());
  }

  @Test
  void anEmptyBatchIsNothing() {
    assertEquals(List.of(), store.executeAll(List.of()));
    assertEquals(0, store.status().appendedLsn());
  }

  @Test
  void aBatchLargerThanAGroupIsAppliedWhole() {
    String body = "{\"s\":\"" + "x".repeat(100_000) + "\"}";
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      operations.add(put("id" + i, body));
    }
    assertEquals(100, store.executeAll(operations).size());
    assertEquals(100, films(store).documents());
    assertEquals(body, source(store, "id99"));
  }

  @Test
  void forEachGivesEveryLiveDocumentInTheOrderOfIds() {
    for (String id : List.of("b", "a", "c", "ä", "B")) {
      applied(store, put(id, "{\"id\":\"" + id + "\"}"));
    }
    applied(store, delete("c"));
    store.execute(new Put("other", "z", null, json("{}"), Precondition.NONE));
    List<String> ids = new ArrayList<>();
    store.forEach(FILMS, document -> ids.add(document.id()));
    assertEquals(List.of("B", "a", "b", "ä"), ids);
    store.forEach("nothing", document -> ids.add("never"));
    assertEquals(4, ids.size());
  }

  @Test
  void forEachShowsTheCollectionAsItWasAtTheCall() {
    applied(store, put("1", "{}"));
    applied(store, put("2", "{}"));
    List<String> ids = new ArrayList<>();
    store.forEach(
        FILMS,
        document -> {
          if (ids.isEmpty()) {
            store.execute(put("3", "{}"));
            store.execute(delete("2"));
          }
          ids.add(document.id());
        });
    assertEquals(List.of("1", "2"), ids);
  }

  @Test
  void theIdHasItsByteLimit() {
    String largest = "ä".repeat(256);
    assertEquals(Result.CREATED, applied(store, put(largest, "{}")).result());
    assertEquals(largest, document(store, largest).id());
    assertThrows(IllegalArgumentException.class, () -> store.execute(put(largest + "x", "{}")));
    assertThrows(IllegalArgumentException.class, () -> store.execute(put("", "{}")));
    assertThrows(IllegalArgumentException.class, () -> store.execute(put("\ud800", "{}")));
    assertEquals(1, store.status().appendedLsn());
  }

  @Test
  void aDocumentMustBeAnObjectWithinItsSize() {
    assertThrows(IllegalArgumentException.class, () -> store.execute(put("1", "[1]")));
    String large = "{\"a\":\"" + "x".repeat(StoreLimits.SOURCE_BYTES_MAX - 8) + "\"}";
    assertEquals(StoreLimits.SOURCE_BYTES_MAX, large.length());
    assertEquals(Result.CREATED, applied(store, put("1", large)).result());
    assertEquals(large, source(store, "1"));
    assertThrows(
        IllegalArgumentException.class,
        () -> store.execute(put("2", large.replace("\"}", "y\"}"))));
    assertEquals(1, store.status().appendedLsn());
  }

  @Test
  void theWatermarksFollowEachOther() {
    applied(store, put("1", "{}"));
    applied(store, put("2", "{}"));
    StoreStatus before = store.status();
    assertEquals(2, before.appendedLsn());
    assertEquals(2, before.durableLsn());
    assertEquals(2, before.appliedLsn());
    assertEquals(0, before.kvLsn());
    assertEquals(1, before.firstLsn());
    store.checkpoint();
    StoreStatus after = store.status();
    assertEquals(2, after.kvLsn());
    assertEquals(3, after.firstLsn());
    assertTrue(after.kvBytes() > 0);
    assertEquals(List.of(films(store)), after.collections());
  }
}
