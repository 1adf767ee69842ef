package dev.tidemark.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Percent-encoding of paths and queries. A plus is a plus in a path, and a blank in a query.
final class Percent {
  private static final String UNRESERVED = "-._~";

  private Percent() {}

  static String decodePath(String raw) {
    return raw.indexOf('%') < 0 ? plain(raw) : decode(raw, '+');
  }

  static String decodeQuery(String raw) {
    return raw.indexOf('%') < 0 && raw.indexOf('+') < 0 ? plain(raw) : decode(raw, ' ');
  }

  /// Encodes text so that it is one step of a path.
  static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length() + 8);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 128 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(hexDigit(c >> 4)).append(hexDigit(c & 15));
      }
    }
    return encoded.toString();
  }

  /// Bytes beyond ASCII are lost before the server sees the request line, so two different names
  /// could become one: they must come encoded.
  private static String plain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) > '~') {
        throw notEncoded(raw);
      }
    }
    return raw;
  }

  private static String decode(String raw, char plus) {
    byte[] bytes = new byte[raw.length()];
    int length = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes[length++] = (byte) octet(raw, i);
        i += 2;
      } else if (c > '~') {
        throw notEncoded(raw);
      } else {
        bytes[length++] = (byte) (c == '+' ? plus : c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw ApiException.illegalArgument("[" + raw + "] is no percent-encoded UTF-8");
    }
  }

  private static int octet(String raw, int at) {
    int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
    int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw ApiException.illegalArgument(
          "invalid escape sequence at position " + at + " of [" + raw + "]");
    }
    return (high << 4) | low;
  }

  private static char hexDigit(int value) {
    return "0123456789ABCDEF".charAt(value);
  }

  private static ApiException notEncoded(String raw) {
    return ApiException.illegalArgument(
        "characters beyond ASCII must be percent-encoded in [" + raw + "]");
  }
}
