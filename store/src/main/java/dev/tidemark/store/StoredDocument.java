package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// The value that the key-value side keeps for a document.
///
/// ```
/// u8      state: 0 deleted, 1 live
/// packed  version
/// packed  sequence number
/// packed  primary term
///         if live: routing (optional text), then the source to the end
/// ```
///
/// A deleted document's value stays, so that its version and its sequence number go on.
final class StoredDocument {
  /// So many bytes of a value are enough to read its [Head].
  static final int HEAD_BYTES_MAX = 1 + 4 * 10;

  private static final int DELETED = 0;
  private static final int LIVE = 1;

  private StoredDocument() {}

  /// What decides about a write: all but the routing and the source.
  ///
  /// @param sourceBytes the source's length, 0 if deleted
  record Head(boolean live, long version, long seqNo, long primaryTerm, int sourceBytes) {}

  static byte[] live(
      long version, long seqNo, long term, @Nullable String routing, JsonText source) {
    byte[] bytes = source.bytes();
    return head(LIVE, version, seqNo, term, bytes.length + 24 + (routing == null ? 0 : 32))
        .optionalText(routing)
        .raw(bytes)
        .toBytes();
  }

  static byte[] deleted(long version, long seqNo, long term) {
    return head(DELETED, version, seqNo, term, 24).toBytes();
  }

  private static Packer head(int state, long version, long seqNo, long term, int capacity) {
    return new Packer(capacity).u8(state).packed(version).packed(seqNo).packed(term);
  }

  /// The head of a value.
  ///
  /// @param bytes the value, or its first [#HEAD_BYTES_MAX] bytes
  /// @param length the whole value's length
  static Head readHead(byte[] bytes, int length) {
    Unpacker from = new Unpacker(bytes, Math.min(length, bytes.length));
    boolean live = from.u8() == LIVE;
    long version = from.packed();
    long seqNo = from.packed();
    long term = from.packed();
    int sourceBytes = 0;
    if (live) {
      long routing = from.packed();
      sourceBytes = (int) (length - from.at() - Math.max(routing - 1, 0));
    }
    return new Head(live, version, seqNo, term, sourceBytes);
  }

  /// The document that a value holds; null if it is deleted.
  static @Nullable Document read(String id, byte[] value) {
    Unpacker from = new Unpacker(value);
    if (from.u8() != LIVE) {
      return null;
    }
    long version = from.packed();
    long seqNo = from.packed();
    long term = from.packed();
    String routing = from.optionalText();
    return new Document(id, version, seqNo, term, routing, JsonText.checked(from.rest()));
  }
}
