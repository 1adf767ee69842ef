package dev.tidemark.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteBatch;

/// The changes of a group of operations on their way into the [KeyValueSide], and the documents as
/// the group has left them so far: an operation sees those before it. Owned by the thread that
/// applies.
final class KeyValueBatch implements AutoCloseable {
  private final KeyValueSide kv;
  private final WriteBatch batch = new WriteBatch();
  private final Map<Key, byte[]> changed = new HashMap<>();
  private final byte[] head = new byte[StoredDocument.HEAD_BYTES_MAX];

  KeyValueBatch(KeyValueSide kv) {
    this.kv = kv;
  }

  /// A byte array that may be the key of a map.
  @SuppressWarnings("ArrayRecordComponent") // equals and hashCode are those of the content
  private record Key(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /// What is kept of a document, or null.
  StoredDocument.@Nullable Head head(byte[] key) {
    byte[] value = changed.get(new Key(key));
    if (value != null) {
      return StoredDocument.readHead(value, value.length);
    }
    int length = kv.document(key, head);
    return length < 0 ? null : StoredDocument.readHead(head, length);
  }

  /// The value kept for a document, or null.
  byte @Nullable [] value(byte[] key) {
    byte[] value = changed.get(new Key(key));
    return value != null ? value : kv.document(key);
  }

  void put(byte[] key, byte[] value) {
    changed.put(new Key(key), value);
    kv.putDocument(batch, key, value);
  }

  /// A new collection's settings.
  void putDefinition(CollectionInfo info) {
    kv.putMeta(
        batch,
        StoredKey.ofMeta(StoredMeta.DEFINITION, info.number()),
        StoredMeta.packDefinition(info));
  }

  void putCounts(CollectionInfo info) {
    kv.putMeta(
        batch, StoredKey.ofMeta(StoredMeta.COUNTS, info.number()), StoredMeta.packCounts(info));
  }

  /// Deletes a collection and its documents. Its number is never used again, so that what `changed`
  /// still holds of it does no harm.
  void dropCollection(CollectionInfo info) {
    kv.putMeta(batch, StoredKey.ofMeta(StoredMeta.DEFINITION, info.number()), null);
    kv.putMeta(batch, StoredKey.ofMeta(StoredMeta.COUNTS, info.number()), null);
    kv.deleteDocuments(batch, info.number());
  }

  /// How much was put so far.
  long bytes() {
    return batch.getDataSize();
  }

  /// Writes it all, and begins anew.
  void commit(StoredMeta.Progress progress) {
    kv.putMeta(batch, StoredMeta.PROGRESS_KEY, StoredMeta.pack(progress));
    kv.write(batch);
    batch.clear();
    changed.clear();
  }

  @Override
  public void close() {
    batch.close();
  }
}
