package dev.tidemark.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A JSON value that has been checked: UTF-8 bytes with insignificant white space dropped and every
/// number and string literal as it came. Any thread may use it; its bytes are never changed.
public final class JsonText {
  /// `{}`.
  public static final JsonText EMPTY_OBJECT = new JsonText(new byte[] {'{', '}'});

  private final byte[] bytes;

  private JsonText(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Checks and compacts `length` bytes of `json` from `offset`. A byte order mark in front is
  /// dropped.
  ///
  /// @throws InvalidJsonException if it is no JSON value, or one that Tidemark does not keep:
  ///   duplicate keys (also where they are escaped differently), lone surrogates, bytes that are
  ///   not UTF-8, trailing tokens, depth over [StoreLimits#DEPTH_MAX], numbers with no finite value
  ///   or longer than [StoreLimits#NUMBER_BYTES_MAX]
  public static JsonText parse(byte[] json, int offset, int length) {
    return new JsonText(new JsonScanner(json, offset, length).scan());
  }

  /// As [#parse(byte[], int, int)], for the whole array. Where nothing is to be dropped the array
  /// itself is kept: the caller must not change it afterwards.
  public static JsonText parse(byte[] json) {
    return parse(json, 0, json.length);
  }

  /// Wraps bytes that [#parse] produced before, read back from the log or the key-value side.
  static JsonText checked(byte[] bytes) {
    return new JsonText(bytes);
  }

  /// The bytes; never changed, by anyone.
  public byte[] bytes() {
    return bytes;
  }

  /// Whether the value is an object, as documents must be.
  public boolean isObject() {
    return bytes[0] == '{';
  }

  /// Whether the bytes are the same: `1.0` and `1.00` are not.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonText text && Arrays.equals(bytes, text.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
