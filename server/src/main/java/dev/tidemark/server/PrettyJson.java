package dev.tidemark.server;

import java.util.Arrays;

/// Lays compact JSON out for people, as OpenSearch does for `pretty`: two spaces a level, a space
/// on both sides of a colon, a line for each member, a line feed at the end. Literals stay as they
/// are.
final class PrettyJson {
  private static final byte[] INDENT = new byte[2 * 64];

  static {
    Arrays.fill(INDENT, (byte) ' ');
  }

  private PrettyJson() {}

  static JsonOutput of(byte[] json, int length) {
    JsonOutput out = new JsonOutput(length * 2 + 64);
    int depth = 0;
    int i = 0;
    while (i < length) {
      byte b = json[i];
      switch (b) {
        case '{', '[' -> {
          out.put((char) b);
          if (json[i + 1] == b + 2) {
            out.put(' ').put((char) (b + 2));
            i++;
          } else {
            newLine(out, ++depth);
          }
        }
        case '}', ']' -> {
          newLine(out, --depth);
          out.put((char) b);
        }
        case ',' -> {
          out.put(',');
          newLine(out, depth);
        }
        case ':' -> out.put(' ').put(':').put(' ');
        case '"' -> {
          int end = stringEnd(json, i);
          out.append(json, i, end - i);
          i = end - 1;
        }
        default -> out.put((char) b);
      }
      i++;
    }
    return out.put('\n');
  }

  private static int stringEnd(byte[] json, int start) {
    int i = start + 1;
    while (json[i] != '"') {
      i += json[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private static void newLine(JsonOutput out, int depth) {
    out.put('\n');
    int spaces = 2 * depth;
    while (spaces > 0) {
      int count = Math.min(spaces, INDENT.length);
      out.append(INDENT, 0, count);
      spaces -= count;
    }
  }
}
