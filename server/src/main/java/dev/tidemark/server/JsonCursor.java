package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.nio.charset.StandardCharsets;

/// Walks over JSON that has been checked and compacted, as a [JsonText] is. One thread owns it.
///
/// It does not check again: on other text its answers mean nothing. To walk a container: `enter()`,
/// then `while (more()) { name(); ... }`, where each turn takes exactly one value, with [#text()],
/// [#enter()] and its own loop, or [#skip()].
final class JsonCursor {
  private final byte[] bytes;
  private int at;

  JsonCursor(JsonText text) {
    this(text.bytes());
  }

  JsonCursor(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Where the next token starts.
  int position() {
    return at;
  }

  /// The first byte of the value ahead, which tells its kind.
  byte peek() {
    return bytes[at];
  }

  boolean atObject() {
    return bytes[at] == '{';
  }

  boolean atArray() {
    return bytes[at] == '[';
  }

  boolean atString() {
    return bytes[at] == '"';
  }

  boolean atNull() {
    return bytes[at] == 'n';
  }

  boolean atBoolean() {
    return bytes[at] == 't' || bytes[at] == 'f';
  }

  /// Whether a string, number, or boolean is ahead.
  boolean atScalar() {
    return !atObject() && !atArray() && !atNull();
  }

  /// What is ahead, as OpenSearch's messages name it.
  String kind() {
    return switch (bytes[at]) {
      case '{' -> "START_OBJECT";
      case '[' -> "START_ARRAY";
      case '}' -> "END_OBJECT";
      case ']' -> "END_ARRAY";
      case '"' -> "VALUE_STRING";
      case 't', 'f' -> "VALUE_BOOLEAN";
      case 'n' -> "VALUE_NULL";
      default -> "VALUE_NUMBER";
    };
  }

  /// Goes into the object or array ahead.
  void enter() {
    at++;
  }

  /// Whether the container has another member; leaves the container if not.
  boolean more() {
    byte b = bytes[at];
    if (b == '}' || b == ']') {
      at++;
      return false;
    }
    if (b == ',') {
      at++;
    }
    return true;
  }

  /// Takes a field's name.
  String name() {
    String name = string();
    at++;
    return name;
  }

  /// Takes a scalar: a string without its quotes and escapes, anything else as it is written.
  String text() {
    if (atString()) {
      return string();
    }
    int start = at;
    skip();
    return new String(bytes, start, at - start, StandardCharsets.US_ASCII);
  }

  /// Takes the value ahead, and answers where it ended.
  int skip() {
    int depth = 0;
    do {
      switch (bytes[at]) {
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case '"' -> skipString();
        case ',', ':' -> at++;
        default -> skipLiteral();
      }
    } while (depth > 0);
    return at;
  }

  /// The value ahead as it is written; takes it.
  JsonText value() {
    int start = at;
    skip();
    return JsonText.parse(bytes, start, at - start);
  }

  private void skipLiteral() {
    while (at < bytes.length && ",}]".indexOf(bytes[at]) < 0) {
      at++;
    }
  }

  private void skipString() {
    at++;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  private String string() {
    int start = at + 1;
    int i = start;
    while (bytes[i] != '"') {
      if (bytes[i] == '\\') {
        return escaped(start, i);
      }
      i++;
    }
    at = i + 1;
    return new String(bytes, start, i - start, StandardCharsets.UTF_8);
  }

  private String escaped(int start, int firstEscape) {
    StringBuilder text =
        new StringBuilder(new String(bytes, start, firstEscape - start, StandardCharsets.UTF_8));
    int i = firstEscape;
    while (bytes[i] != '"') {
      if (bytes[i] == '\\') {
        i = unescape(i + 1, text);
      } else {
        int run = i;
        while (bytes[i] != '"' && bytes[i] != '\\') {
          i++;
        }
        text.append(new String(bytes, run, i - run, StandardCharsets.UTF_8));
      }
    }
    at = i + 1;
    return text.toString();
  }

  private int unescape(int from, StringBuilder text) {
    byte b = bytes[from];
    switch (b) {
      case 'u' -> {
        String hex = new String(bytes, from + 1, 4, StandardCharsets.US_ASCII);
        text.append((char) Integer.parseInt(hex, 16));
        return from + 5;
      }
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      default -> text.append((char) b);
    }
    return from + 1;
  }
}
