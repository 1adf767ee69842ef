package dev.tidemark.store;

/// The limits every entry path keeps.
public final class StoreLimits {
  /// A document's source, in bytes.
  public static final int SOURCE_BYTES_MAX = 16 << 20;

  /// An id, in bytes of UTF-8.
  public static final int ID_BYTES_MAX = 512;

  /// How deeply objects and arrays may nest.
  public static final int DEPTH_MAX = 500;

  /// A number's literal, in bytes.
  public static final int NUMBER_BYTES_MAX = 1000;

  /// A key of an object, in bytes between its quotes.
  public static final int KEY_BYTES_MAX = 32 << 10;

  /// How many keys the partial document of an update may have, those of inner objects included.
  public static final int PARTIAL_KEYS_MAX = 100_000;

  private StoreLimits() {}
}
