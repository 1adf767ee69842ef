package dev.tidemark.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Checks one JSON text and drops its insignificant white space, in one pass over the bytes.
///
/// It is stricter than the parsers at hand: those accept overlong UTF-8 and lone surrogates, which
/// could not be given back as they came. It decodes nothing but escaped keys, so that literals stay
/// verbatim and a document costs little on the way into the log. Time and memory are linear in the
/// text's length, whatever it holds. Used once, by one thread.
final class JsonScanner {
  /// Up to so many keys of an object are compared one by one; more go into a set.
  private static final int FEW_KEYS = 16;

  /// A double's largest finite value has 309 digits.
  private static final int DIGITS_ALWAYS_FINITE = 308;

  private final byte[] in;
  private final int start;
  private final int end;
  private int at;

  /// Where the bytes begin that were not yet copied to `out`.
  private int runStart;

  /// Null as long as nothing had to be dropped.
  private byte @Nullable [] out;

  private int outLength;

  /// Whether the string last scanned holds an escape.
  private boolean escaped;

  /// Keys of all open objects, innermost last: where each begins and ends.
  private int[] keys = new int[4 * FEW_KEYS];

  private int keyCount;

  JsonScanner(byte[] in, int offset, int length) {
    this.in = in;
    this.start = offset;
    this.end = offset + length;
    this.at = offset;
    this.runStart = offset;
  }

  /// The compact text.
  ///
  /// @throws InvalidJsonException says what is wrong, and where
  byte[] scan() {
    if (end - at >= 3
        && in[at] == (byte) 0xEF
        && in[at + 1] == (byte) 0xBB
        && in[at + 2] == (byte) 0xBF) {
      at += 3;
      runStart = at;
    }
    skipSpace();
    if (at == end) {
      throw error("there is no JSON value, only white space", at);
    }
    value(0);
    skipSpace();
    if (at < end) {
      throw error("a second value follows the first", at);
    }
    return result();
  }

  private byte[] result() {
    byte[] copied = out;
    if (copied != null) {
      copyRun(copied);
      return Arrays.copyOf(copied, outLength);
    }
    return runStart == 0 && at == in.length ? in : Arrays.copyOfRange(in, runStart, at);
  }

  private void skipSpace() {
    if (at == end || in[at] > ' ' || !isSpace(in[at])) {
      return;
    }
    byte[] target = out;
    if (target == null) {
      target = new byte[end - runStart];
      out = target;
    }
    copyRun(target);
    while (at < end && isSpace(in[at])) {
      at++;
    }
    runStart = at;
  }

  private void copyRun(byte[] target) {
    System.arraycopy(in, runStart, target, outLength, at - runStart);
    outLength += at - runStart;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /// @param depth how many objects and arrays are open around the value
  private void value(int depth) {
    if (at == end) {
      throw error("the text ends where a value is due", at);
    }
    switch (in[at]) {
      case '{' -> object(deeper(depth));
      case '[' -> array(deeper(depth));
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw error("no value begins with " + describe(at), at);
    }
  }

  private int deeper(int depth) {
    if (depth == StoreLimits.DEPTH_MAX) {
      throw error("objects and arrays nest deeper than " + StoreLimits.DEPTH_MAX, at);
    }
    return depth + 1;
  }

  private void object(int depth) {
    int firstKey = keyCount;
    JsonKeySet manyKeys = null;
    at++;
    skipSpace();
    if (at < end && in[at] == '}') {
      at++;
      return;
    }
    while (true) {
      int keyStart = at;
      key();
      manyKeys = remember(firstKey, manyKeys, keyStart + 1, at - 1);
      skipSpace();
      if (at == end || in[at] != ':') {
        throw error("a colon is due after a key, not " + describe(at), at);
      }
      at++;
      skipSpace();
      value(depth);
      skipSpace();
      if (endsWith('}')) {
        keyCount = firstKey;
        return;
      }
    }
  }

  private void key() {
    if (at == end || in[at] != '"') {
      throw error("a key in quotes is due, not " + describe(at), at);
    }
    int keyStart = at;
    string();
    if (at - keyStart - 2 > StoreLimits.KEY_BYTES_MAX) {
      throw error("a key is longer than " + StoreLimits.KEY_BYTES_MAX + " bytes", keyStart);
    }
  }

  /// Refuses a key that the object has already.
  ///
  /// @param manyKeys the object's keys, once they are many or one is escaped; else null
  private @Nullable JsonKeySet remember(
      int firstKey, @Nullable JsonKeySet manyKeys, int from, int to) {
    JsonKeySet set = manyKeys;
    if (set == null && (escaped || keyCount - firstKey == FEW_KEYS)) {
      set = new JsonKeySet(in);
      for (int i = firstKey; i < keyCount; i++) {
        set.add(keys[2 * i], keys[2 * i + 1]);
      }
      keyCount = firstKey;
    }
    if (set != null) {
      if (!set.add(from, escaped ? JsonKeySet.escapedEnd(to) : to)) {
        throw duplicate(from, to);
      }
      return set;
    }
    for (int i = firstKey; i < keyCount; i++) {
      if (Arrays.equals(in, keys[2 * i], keys[2 * i + 1], in, from, to)) {
        throw duplicate(from, to);
      }
    }
    if (2 * keyCount == keys.length) {
      keys = Arrays.copyOf(keys, 2 * keys.length);
    }
    keys[2 * keyCount] = from;
    keys[2 * keyCount + 1] = to;
    keyCount++;
    return null;
  }

  private InvalidJsonException duplicate(int from, int to) {
    String key = JsonWalk.decode(in, from, to);
    String shown = key.length() > 100 ? key.substring(0, 100) + "..." : key;
    return error("the key [" + shown + "] occurs twice in one object", from - 1);
  }

  private void array(int depth) {
    at++;
    skipSpace();
    if (at < end && in[at] == ']') {
      at++;
      return;
    }
    while (true) {
      value(depth);
      skipSpace();
      if (endsWith(']')) {
        return;
      }
    }
  }

  /// Steps over the end of an object or array, or over the comma before its next member.
  private boolean endsWith(char closing) {
    if (at < end && in[at] == ',') {
      at++;
      skipSpace();
      return false;
    }
    if (at < end && in[at] == closing) {
      at++;
      return true;
    }
    throw error("a comma or " + closing + " is due, not " + describe(at), at);
  }

  private void literal(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at + i == end || in[at + i] != text.charAt(i)) {
        throw error("this is no value; [" + text + "] was due", at);
      }
    }
    at += text.length();
  }

  private void number() {
    int from = at;
    if (in[at] == '-') {
      at++;
    }
    int digitsFrom = at;
    if (at < end && in[at] == '0') {
      at++;
    } else {
      digits(from);
    }
    int integerDigits = at - digitsFrom;
    if (at < end && in[at] == '.') {
      at++;
      digits(from);
    }
    boolean finite = integerDigits <= DIGITS_ALWAYS_FINITE;
    if (at < end && (in[at] == 'e' || in[at] == 'E')) {
      at++;
      if (at < end && (in[at] == '+' || in[at] == '-')) {
        at++;
      }
      digits(from);
      finite = false;
    }
    if (!finite) {
      String text = new String(in, from, at - from, StandardCharsets.ISO_8859_1);
      if (Double.isInfinite(Double.parseDouble(text))) {
        throw error("the number has no finite double value", from);
      }
    }
  }

  private void digits(int numberStart) {
    int from = at;
    int limit = Math.min(end, numberStart + StoreLimits.NUMBER_BYTES_MAX + 1);
    while (at < limit && in[at] >= '0' && in[at] <= '9') {
      at++;
    }
    if (at - numberStart > StoreLimits.NUMBER_BYTES_MAX) {
      throw error(
          "the number is longer than " + StoreLimits.NUMBER_BYTES_MAX + " bytes", numberStart);
    }
    if (at == from) {
      throw error("a digit is due, not " + describe(at), at);
    }
  }

  private void string() {
    int from = at++;
    escaped = false;
    while (at < end) {
      byte b = in[at];
      if (b == '"') {
        at++;
        return;
      }
      if (b == '\\') {
        escaped = true;
        escape();
      } else if (b < 0) {
        multiByte(b & 0xFF);
      } else if (b < ' ') {
        throw error("a control character in a string must be escaped", at);
      } else {
        at++;
      }
    }
    throw error("the string has no end", from);
  }

  private void escape() {
    int from = at;
    at++;
    switch (at < end ? in[at] : 0) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at++;
      case 'u' -> {
        char c = hexEscape(from);
        if (Character.isLowSurrogate(c)) {
          throw loneSurrogate(from);
        }
        if (Character.isHighSurrogate(c)) {
          int next = at;
          if (next + 1 >= end || in[next] != '\\' || in[next + 1] != 'u') {
            throw loneSurrogate(from);
          }
          at++;
          if (!Character.isLowSurrogate(hexEscape(next))) {
            throw loneSurrogate(from);
          }
        }
      }
      default -> throw error("there is no such escape", from);
    }
  }

  private InvalidJsonException loneSurrogate(int offset) {
    return error("half a surrogate pair stands alone", offset);
  }

  /// Steps over the `u` of an escape and its four digits.
  private char hexEscape(int from) {
    at++;
    int c = 0;
    for (int i = 0; i < 4; i++, at++) {
      int digit = at < end ? Character.digit(in[at], 16) : -1;
      if (digit < 0) {
        throw error("an escape has fewer than four hexadecimal digits", from);
      }
      c = c << 4 | digit;
    }
    return (char) c;
  }

  /// Steps over a character of two to four bytes, in its shortest form and no surrogate.
  private void multiByte(int lead) {
    int length;
    int secondMin = 0x80;
    int secondMax = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      length = 3;
      secondMin = lead == 0xE0 ? 0xA0 : 0x80;
      secondMax = lead == 0xED ? 0x9F : 0xBF;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      length = 4;
      secondMin = lead == 0xF0 ? 0x90 : 0x80;
      secondMax = lead == 0xF4 ? 0x8F : 0xBF;
    } else {
      throw notUtf8();
    }
    if (at + length > end) {
      throw notUtf8();
    }
    int second = in[at + 1] & 0xFF;
    if (lead == 0xED && second > secondMax && second <= 0xBF) {
      throw loneSurrogate(at);
    }
    if (second < secondMin || second > secondMax) {
      throw notUtf8();
    }
    for (int i = 2; i < length; i++) {
      if ((in[at + i] & 0xC0) != 0x80) {
        throw notUtf8();
      }
    }
    at += length;
  }

  private InvalidJsonException notUtf8() {
    return error("the bytes are not UTF-8", at);
  }

  private String describe(int offset) {
    if (offset >= end) {
      return "the end of the text";
    }
    byte b = in[offset];
    return b > ' ' && b < 0x7F ? "[" + (char) b + "]" : "byte 0x%02X".formatted(b);
  }

  /// Line and column count from 1, the column in characters.
  private InvalidJsonException error(String what, int offset) {
    int line = 1;
    int column = 1;
    for (int i = start; i < offset; i++) {
      if (in[i] == '\n') {
        line++;
        column = 1;
      } else if ((in[i] & 0xC0) != 0x80) {
        column++;
      }
    }
    return new InvalidJsonException(
        "invalid JSON at line %d, column %d (byte %d): %s"
            .formatted(line, column, offset - start, what),
        offset - start);
  }
}
