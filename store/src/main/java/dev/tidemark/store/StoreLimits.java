package dev.tidemark.store;

/// The limits every entry path keeps.
public final class StoreLimits {
  /// A document's source, in bytes.
  public static final int SOURCE_BYTES_MAX = 16 << 20;

  /// An id, in bytes of UTF-8.
  public static final int ID_BYTES_MAX = 512;

  /// How deeply objects and arrays may nest.
  public static final int DEPTH_MAX = 500;

  private StoreLimits() {}
}
