package dev.tidemark.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes the fields of records and values one behind the other. Integers are little-endian;
/// unsigned ones may be packed, seven bits a byte, lowest first. A text or byte field is its packed
/// length and its bytes; an optional one has its length plus one in front, and 0 if it is missing.
/// Used by one thread.
final class Packer {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int length;
  private int lastTextBytes;

  Packer(int capacity) {
    this.bytes = new byte[capacity];
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  Packer u8(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
    return this;
  }

  Packer i64(long value) {
    reserve(Long.BYTES);
    putLong(bytes, length, value);
    length += Long.BYTES;
    return this;
  }

  /// A value that is mostly small; 1 to 10 bytes.
  Packer packed(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  /// @throws IllegalArgumentException if the text is no valid Unicode, which UTF-8 cannot hold
  Packer text(String text) {
    byte[] utf8 = utf8(text);
    lastTextBytes = utf8.length;
    return packed(utf8.length).raw(utf8);
  }

  Packer optionalText(@Nullable String text) {
    if (text == null) {
      return packed(0);
    }
    byte[] utf8 = utf8(text);
    return packed(utf8.length + 1L).raw(utf8);
  }

  Packer json(JsonText json) {
    return packed(json.bytes().length).raw(json.bytes());
  }

  Packer optionalJson(@Nullable JsonText json) {
    return json == null ? packed(0) : packed(json.bytes().length + 1L).raw(json.bytes());
  }

  Packer raw(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return this;
  }

  /// How many bytes the last [#text] has in UTF-8.
  int lastTextBytes() {
    return lastTextBytes;
  }

  byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * length, Math.addExact(length, more)));
    }
  }

  /// The text in UTF-8.
  ///
  /// @throws IllegalArgumentException if half a surrogate pair stands alone in it
  static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
          throw new IllegalArgumentException(
              "character %d of [%s] is half a surrogate pair".formatted(i, text));
        }
        i++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
