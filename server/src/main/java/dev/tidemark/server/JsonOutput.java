package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Compact JSON in a growing byte array, written from front to back. One thread owns it.
///
/// It puts the commas itself, and trusts its caller for the rest of the grammar. Text that is JSON
/// already ([#raw]) goes in as it is, so that literals stay what they were.
final class JsonOutput {
  /// The longest text; an answer that would be longer becomes an error.
  private static final int BYTES_MAX = 512 << 20;

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes;
  private int length;

  JsonOutput() {
    this(256);
  }

  JsonOutput(int capacity) {
    bytes = new byte[capacity];
  }

  /// The array that holds the text; what lies behind [#length()] is no part of it.
  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  /// Takes back what was written since the text had `mark` bytes.
  void takeBackTo(int mark) {
    length = mark;
  }

  /// A copy of the text.
  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /// Writes the text to `out` and starts anew.
  void drainTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
    length = 0;
  }

  JsonOutput openObject() {
    comma();
    return put('{');
  }

  JsonOutput closeObject() {
    return put('}');
  }

  JsonOutput openArray() {
    comma();
    return put('[');
  }

  JsonOutput closeArray() {
    return put(']');
  }

  /// Starts a field; its value comes next.
  JsonOutput name(String name) {
    comma();
    string(name);
    return put(':');
  }

  JsonOutput value(String text) {
    comma();
    return string(text);
  }

  JsonOutput value(long number) {
    comma();
    room(20);
    length = decimal(number, bytes, length);
    return this;
  }

  JsonOutput value(boolean flag) {
    return raw(flag ? TRUE : FALSE);
  }

  JsonOutput nullValue() {
    return raw(NULL);
  }

  /// A value that is compact JSON already.
  JsonOutput raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  JsonOutput raw(byte[] json, int offset, int count) {
    comma();
    return append(json, offset, count);
  }

  JsonOutput raw(JsonText json) {
    return raw(json.bytes());
  }

  JsonOutput field(String name, String text) {
    return name(name).value(text);
  }

  JsonOutput field(String name, long number) {
    return name(name).value(number);
  }

  JsonOutput field(String name, boolean flag) {
    return name(name).value(flag);
  }

  /// Bytes that stand for themselves, with no comma before them.
  JsonOutput append(byte[] text, int offset, int count) {
    room(count);
    System.arraycopy(text, offset, bytes, length, count);
    length += count;
    return this;
  }

  /// One byte that stands for itself.
  JsonOutput put(char ascii) {
    room(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  private void comma() {
    if (length == 0) {
      return;
    }
    byte last = bytes[length - 1];
    if (last != '{' && last != '[' && last != ':' && last != '\n') {
      put(',');
    }
  }

  private JsonOutput string(String text) {
    int count = text.length();
    room(count + 2);
    int at = length;
    bytes[at++] = '"';
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        length = at;
        return escapedFrom(text, i);
      }
      bytes[at++] = (byte) c;
    }
    bytes[at++] = '"';
    length = at;
    return this;
  }

  private JsonOutput escapedFrom(String text, int from) {
    byte[] utf8 = text.substring(from).getBytes(StandardCharsets.UTF_8);
    room(utf8.length * 6 + 1);
    int at = length;
    for (byte b : utf8) {
      if (b == '"' || b == '\\') {
        bytes[at++] = '\\';
        bytes[at++] = b;
      } else if (b >= 0 && b < ' ') {
        at = control(b, at);
      } else {
        bytes[at++] = b;
      }
    }
    bytes[at++] = '"';
    length = at;
    return this;
  }

  private int control(byte b, int from) {
    int at = from;
    bytes[at++] = '\\';
    int letter = "\b\t\n\f\r".indexOf(b);
    if (letter >= 0) {
      bytes[at++] = (byte) "btnfr".charAt(letter);
    } else {
      bytes[at++] = 'u';
      bytes[at++] = '0';
      bytes[at++] = '0';
      bytes[at++] = HEX[b >> 4];
      bytes[at++] = HEX[b & 15];
    }
    return at;
  }

  private static int decimal(long number, byte[] into, int from) {
    int at = from;
    // The negative range is the larger one, so that it holds every number.
    long rest = number > 0 ? -number : number;
    if (number < 0) {
      into[at++] = '-';
    }
    int end = at + 1;
    for (long i = rest; i <= -10; i /= 10) {
      end++;
    }
    for (int i = end - 1; i >= at; i--) {
      into[i] = (byte) ('0' - rest % 10);
      rest /= 10;
    }
    return end;
  }

  private void room(int count) {
    long needed = (long) length + count;
    if (needed > bytes.length) {
      if (needed > BYTES_MAX) {
        throw ApiException.of(
            413,
            "content_too_long_exception",
            "the answer would have more than "
                + BYTES_MAX
                + " bytes; ask for less, or for fewer documents at a time");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(needed, bytes.length * 2L), BYTES_MAX));
    }
  }
}
