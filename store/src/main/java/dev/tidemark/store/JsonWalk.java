package dev.tidemark.store;

import java.nio.charset.StandardCharsets;

/// Finds its way in compact JSON that [JsonScanner] has checked. Offsets are in bytes; nothing is
/// checked again.
final class JsonWalk {
  private JsonWalk() {}

  /// Where the value at `start` ends.
  static int endOfValue(byte[] json, int start) {
    return switch (json[start]) {
      case '"' -> endOfString(json, start);
      case '{', '[' -> endOfNested(json, start);
      default -> endOfPlain(json, start);
    };
  }

  private static int endOfPlain(byte[] json, int start) {
    int at = start;
    while (at < json.length && json[at] != ',' && json[at] != '}' && json[at] != ']') {
      at++;
    }
    return at;
  }

  private static int endOfNested(byte[] json, int start) {
    int depth = 0;
    int at = start;
    do {
      switch (json[at]) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> at = endOfString(json, at) - 1;
        default -> {}
      }
      at++;
    } while (depth > 0);
    return at;
  }

  /// Where the string that opens at `start` ends, behind its closing quote.
  static int endOfString(byte[] json, int start) {
    int at = start + 1;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  /// How many keys the value's objects have, all together.
  static int countKeys(byte[] json) {
    int keys = 0;
    int at = 0;
    while (at < json.length) {
      if (json[at] == '"') {
        at = endOfString(json, at);
        keys += at < json.length && json[at] == ':' ? 1 : 0;
      } else {
        at++;
      }
    }
    return keys;
  }

  /// What a string literal's inside means.
  static String decode(byte[] json, int from, int to) {
    String literal = new String(json, from, to - from, StandardCharsets.UTF_8);
    return literal.indexOf('\\') < 0 ? literal : unescape(literal);
  }

  private static String unescape(String literal) {
    StringBuilder text = new StringBuilder(literal.length());
    for (int i = 0; i < literal.length(); i++) {
      char c = literal.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      c = literal.charAt(++i);
      switch (c) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> {
          text.append((char) Integer.parseInt(literal, i + 1, i + 5, 16));
          i += 4;
        }
        default -> text.append(c);
      }
    }
    return text.toString();
  }
}
