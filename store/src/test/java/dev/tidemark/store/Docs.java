package dev.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.tidemark.store.Operation.CreateCollection;
import dev.tidemark.store.Operation.Delete;
import dev.tidemark.store.Operation.NoopDetection;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Operation.Update;
import dev.tidemark.store.Outcome.Applied;
import dev.tidemark.store.Outcome.Conflict;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Short ways to say what tests say often: operations on the collection `films`.
final class Docs {
  static final String FILMS = "films";

  private Docs() {}

  static JsonText json(String text) {
    return JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  static Put put(String id, String source) {
    return put(id, source, Precondition.NONE);
  }

  static Put put(String id, String source, Precondition precondition) {
    return new Put(FILMS, id, null, json(source), precondition);
  }

  static Delete delete(String id) {
    return delete(id, Precondition.NONE);
  }

  static Delete delete(String id, Precondition precondition) {
    return new Delete(FILMS, id, null, precondition);
  }

  static Update update(String id, String partial) {
    return update(id, partial, null, NoopDetection.ON, Precondition.NONE);
  }

  static Update update(
      String id,
      String partial,
      @Nullable String upsert,
      NoopDetection noop,
      Precondition precondition) {
    JsonText upsertJson = upsert == null ? null : json(upsert);
    return new Update(FILMS, id, null, json(partial), upsertJson, noop, precondition);
  }

  static CreateCollection newCollection(String name) {
    return new CreateCollection(
        name, JsonText.EMPTY_OBJECT, JsonText.EMPTY_OBJECT, JsonText.EMPTY_OBJECT);
  }

  static Applied applied(DocumentStore store, Operation operation) {
    return assertInstanceOf(Applied.class, store.execute(operation));
  }

  static Conflict conflict(DocumentStore store, Operation operation) {
    return assertInstanceOf(Conflict.class, store.execute(operation));
  }

  static Document document(DocumentStore store, String id) {
    return document(store, FILMS, id);
  }

  static Document document(DocumentStore store, String collection, String id) {
    Document document = store.get(collection, id);
    assertNotNull(document, id);
    return document;
  }

  static String source(DocumentStore store, String id) {
    return document(store, id).source().toString();
  }

  static CollectionInfo films(DocumentStore store) {
    CollectionInfo info = store.collection(FILMS);
    assertNotNull(info);
    return info;
  }
}
