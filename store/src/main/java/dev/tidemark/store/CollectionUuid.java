package dev.tidemark.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// A collection's unique name. It follows from the record that created the collection, and so comes
/// out the same in every replay.
final class CollectionUuid {
  private static final int BYTES = 16;

  private CollectionUuid() {}

  /// 22 characters, safe in URLs.
  static String of(long lsn, long timeMs, String name) {
    byte[] text = (lsn + "/" + timeMs + "/" + name).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
