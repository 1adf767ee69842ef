package dev.tidemark.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads what [Packer] wrote. A length that reaches beyond the end, and text that is not UTF-8, are
/// an [UnreadableException]. Used by one thread.
final class Unpacker {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  Unpacker(byte[] bytes) {
    this(bytes, bytes.length);
  }

  /// @param end how many of the bytes count
  Unpacker(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /// How many bytes were read.
  int at() {
    return at;
  }

  int u8() {
    need(1);
    return bytes[at++] & 0xFF;
  }

  long i64() {
    need(Long.BYTES);
    long value = (long) LONG.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  long packed() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = u8();
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw new UnreadableException("at byte %d: an integer without an end".formatted(at));
  }

  String text() {
    return text(length(packed()));
  }

  @Nullable String optionalText() {
    long length = packed();
    return length == 0 ? null : text(length(length - 1));
  }

  JsonText json() {
    return json(packed());
  }

  @Nullable JsonText optionalJson() {
    long length = packed();
    return length == 0 ? null : json(length - 1);
  }

  private JsonText json(long length) {
    if (length == 0) {
      throw new UnreadableException("at byte %d: a JSON value without a byte".formatted(at));
    }
    return JsonText.checked(raw(length(length)));
  }

  /// All that is left.
  byte[] rest() {
    return raw(end - at);
  }

  void skip(long count) {
    at += length(count);
  }

  void expectEnd() {
    if (at != end) {
      throw new UnreadableException("%d bytes follow the last field".formatted(end - at));
    }
  }

  private byte[] raw(int length) {
    byte[] raw = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return raw;
  }

  private String text(int length) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString();
      at += length;
      return text;
    } catch (CharacterCodingException e) {
      throw new UnreadableException("at byte %d: text that is not UTF-8".formatted(at));
    }
  }

  private int length(long length) {
    if (length < 0 || length > end - at) {
      throw new UnreadableException(
          "at byte %d: a field of %d bytes, where %d are left".formatted(at, length, end - at));
    }
    return (int) length;
  }

  private void need(int count) {
    if (end - at < count) {
      throw new UnreadableException("at byte %d: the end comes too early".formatted(at));
    }
  }
}
