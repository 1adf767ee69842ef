package dev.tidemark.store;

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
import dev.tidemark.store.StoredDocument.Head;
import dev.tidemark.store.StoredMeta.Progress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides what each operation does, one after the other in log order. The decision depends on the
/// operations before it and on nothing else (no clock, no chance, no grouping), so that replaying
/// the log gives the same state, byte for byte.
///
/// Changes gather in a [KeyValueBatch] until [#commit]. Owned by one thread at a time: the one that
/// recovers, then the [Applier]'s. After an exception its state is of no use.
final class Apply implements AutoCloseable {
  /// The epoch of all changes so far; another comes with a second machine.
  private static final long PRIMARY_TERM = 1;

  private final KeyValueBatch batch;
  private final Catalog published;
  private final Map<String, CollectionInfo> collections;
  private final Set<String> touched = new HashSet<>();
  private Progress progress;

  /// @param published is kept up to what was committed
  Apply(KeyValueSide kv, Catalog published) {
    this.batch = new KeyValueBatch(kv);
    this.published = published;
    this.progress = kv.progress();
    this.collections = new HashMap<>(kv.collections());
    collections.values().forEach(published::put);
  }

  /// The last operation applied and its time.
  Progress progress() {
    return progress;
  }

  /// Applies the operation with the next LSN.
  Outcome apply(long lsn, long timeMs, Operation operation) {
    if (lsn != progress.lsn() + 1) {
      throw new IllegalStateException(
          "LSN %d cannot be applied after LSN %d".formatted(lsn, progress.lsn()));
    }
    progress = new Progress(lsn, timeMs, progress.nextCollection());
    return switch (operation) {
      case CreateCollection create -> create(create);
      case DeleteCollection delete -> delete(delete);
      case Put put -> put(put);
      case Delete delete -> delete(delete);
      case Update update -> update(update);
    };
  }

  /// How many bytes wait for [#commit].
  long pendingBytes() {
    return batch.bytes();
  }

  /// Makes what was applied visible to readers.
  void commit() {
    for (String name : touched) {
      CollectionInfo info = collections.get(name);
      if (info != null) {
        batch.putCounts(info);
      }
    }
    batch.commit(progress);
    for (String name : touched) {
      CollectionInfo info = collections.get(name);
      if (info != null) {
        published.put(info);
      } else {
        published.remove(name);
      }
    }
    touched.clear();
  }

  private Outcome create(CreateCollection create) {
    CollectionInfo existing = collections.get(create.collection());
    if (existing != null) {
      return new CollectionExists(existing);
    }
    return new CollectionChanged(
        open(create.collection(), create.settings(), create.mappings(), create.aliases()));
  }

  private CollectionInfo open(String name, JsonText settings, JsonText mappings, JsonText aliases) {
    int number = progress.nextCollection();
    CollectionInfo info =
        new CollectionInfo(
            name,
            CollectionUuid.of(progress.lsn(), progress.timeMs(), name),
            number,
            progress.timeMs(),
            settings,
            mappings,
            aliases,
            0,
            0,
            0,
            0);
    progress = new Progress(progress.lsn(), progress.timeMs(), number + 1);
    batch.putDefinition(info);
    keep(info);
    return info;
  }

  private CollectionInfo existingOrNew(String name) {
    CollectionInfo existing = collections.get(name);
    return existing != null
        ? existing
        : open(name, JsonText.EMPTY_OBJECT, JsonText.EMPTY_OBJECT, JsonText.EMPTY_OBJECT);
  }

  private void keep(CollectionInfo info) {
    collections.put(info.name(), info);
    touched.add(info.name());
  }

  private Outcome delete(DeleteCollection delete) {
    CollectionInfo info = collections.remove(delete.collection());
    if (info == null) {
      return new CollectionMissing(delete.collection());
    }
    touched.add(info.name());
    batch.dropCollection(info);
    return new CollectionChanged(info);
  }

  private Outcome put(Put put) {
    CollectionInfo info = existingOrNew(put.collection());
    byte[] key = key(info, put.id());
    Head head = batch.head(key);
    if (!Preconditions.hold(put.precondition(), head)) {
      return conflict(info, put.id(), put.precondition(), head);
    }
    return write(info, key, put.id(), put.precondition(), head, put.routing(), put.source());
  }

  private Outcome delete(Delete delete) {
    CollectionInfo info = collections.get(delete.collection());
    if (info == null) {
      if (!Preconditions.isExternal(delete.precondition())) {
        return new CollectionMissing(delete.collection());
      }
      info = existingOrNew(delete.collection());
    }
    byte[] key = key(info, delete.id());
    Head head = batch.head(key);
    if (!Preconditions.hold(delete.precondition(), head)) {
      return conflict(info, delete.id(), delete.precondition(), head);
    }
    if (Preconditions.isLastVersion(delete.precondition(), head)) {
      return lastVersion(info, delete.id());
    }
    long version = Preconditions.nextVersion(delete.precondition(), head);
    long seqNo = info.nextSeqNo();
    batch.put(key, StoredDocument.deleted(version, seqNo, PRIMARY_TERM));
    boolean wasLive = head != null && head.live();
    CollectionInfo after =
        info.changed(wasLive ? -1 : 0, wasLive || head == null ? 1 : 0, -sourceBytes(head));
    keep(after);
    Result result = wasLive ? Result.DELETED : Result.NOT_FOUND;
    return new Applied(result, after, delete.id(), version, seqNo, PRIMARY_TERM);
  }

  private Outcome update(Update update) {
    CollectionInfo info = existingOrNew(update.collection());
    byte[] key = key(info, update.id());
    byte[] value = batch.value(key);
    Head head = value == null ? null : StoredDocument.readHead(value, value.length);
    Document document = value == null ? null : StoredDocument.read(update.id(), value);
    JsonText source = document == null ? update.upsert() : document.source();
    if (source == null) {
      return new DocumentMissing(info, update.id());
    }
    if (!Preconditions.hold(update.precondition(), head)) {
      return conflict(info, update.id(), update.precondition(), head);
    }
    return document != null
        ? merge(update, document, info, key, head)
        : write(info, key, update.id(), update.precondition(), head, update.routing(), source);
  }

  private Outcome merge(
      Update update, Document document, CollectionInfo info, byte[] key, @Nullable Head head) {
    JsonMerge.Merged merged = JsonMerge.merge(document.source(), update.partial());
    if (merged == null) {
      return new Rejected(
          info.name(),
          update.id(),
          "the merged document would have more than "
              + StoreLimits.SOURCE_BYTES_MAX
              + " bytes; it is unchanged");
    }
    if (!merged.changed() && update.noop() == NoopDetection.ON) {
      return new Applied(
          Result.NOOP,
          info,
          update.id(),
          document.version(),
          document.seqNo(),
          document.primaryTerm());
    }
    String routing = update.routing() != null ? update.routing() : document.routing();
    return write(info, key, update.id(), update.precondition(), head, routing, merged.text());
  }

  /// Writes a live document; the precondition holds.
  private Outcome write(
      CollectionInfo info,
      byte[] key,
      String id,
      Precondition precondition,
      @Nullable Head head,
      @Nullable String routing,
      JsonText source) {
    if (Preconditions.isLastVersion(precondition, head)) {
      return lastVersion(info, id);
    }
    long version = Preconditions.nextVersion(precondition, head);
    long seqNo = info.nextSeqNo();
    batch.put(key, StoredDocument.live(version, seqNo, PRIMARY_TERM, routing, source));
    boolean wasLive = head != null && head.live();
    CollectionInfo after =
        info.changed(
            wasLive ? 0 : 1,
            head != null && !wasLive ? -1 : 0,
            source.bytes().length - sourceBytes(head));
    keep(after);
    Result result = wasLive ? Result.UPDATED : Result.CREATED;
    return new Applied(result, after, id, version, seqNo, PRIMARY_TERM);
  }

  private static long sourceBytes(@Nullable Head head) {
    return head == null ? 0 : head.sourceBytes();
  }

  private static byte[] key(CollectionInfo info, String id) {
    return StoredKey.ofDocument(info.number(), id.getBytes(StandardCharsets.UTF_8));
  }

  private static Outcome conflict(
      CollectionInfo info, String id, Precondition precondition, @Nullable Head head) {
    if (head != null && head.live()) {
      return new Conflict(info, id, precondition, head.version(), head.seqNo(), head.primaryTerm());
    }
    // A deleted document shows in what external versions must exceed, and nowhere else.
    long version = head != null && Preconditions.isExternal(precondition) ? head.version() : 0;
    return new Conflict(info, id, precondition, version, -2, 0);
  }

  private static Outcome lastVersion(CollectionInfo info, String id) {
    return new Rejected(
        info.name(),
        id,
        "the document's version is the largest there is; write it with an external version, or under another id");
  }

  @Override
  public void close() {
    batch.close();
  }
}
