package dev.tidemark.store;

import java.nio.charset.StandardCharsets;

/// The keys of the key-value side. A collection's number stands in front, big-endian, so that a
/// collection is one range and its documents are in the order of their ids' bytes.
final class StoredKey {
  private static final int NUMBER_BYTES = Integer.BYTES;

  private StoredKey() {}

  /// The key of a document.
  static byte[] ofDocument(int collection, byte[] id) {
    byte[] key = new byte[NUMBER_BYTES + id.length];
    putNumber(key, 0, collection);
    System.arraycopy(id, 0, key, NUMBER_BYTES, id.length);
    return key;
  }

  /// What comes before every document of a collection, and behind all of the one before it.
  static byte[] ofCollection(int collection) {
    byte[] key = new byte[NUMBER_BYTES];
    putNumber(key, 0, collection);
    return key;
  }

  /// The id in a document's key.
  static String id(byte[] key) {
    return new String(key, NUMBER_BYTES, key.length - NUMBER_BYTES, StandardCharsets.UTF_8);
  }

  /// A key of the `meta` family about one collection.
  static byte[] ofMeta(byte kind, int collection) {
    byte[] key = new byte[1 + NUMBER_BYTES];
    key[0] = kind;
    putNumber(key, 1, collection);
    return key;
  }

  private static void putNumber(byte[] key, int at, int number) {
    for (int i = 0; i < NUMBER_BYTES; i++) {
      key[at + i] = (byte) (number >>> (8 * (NUMBER_BYTES - 1 - i)));
    }
  }
}
