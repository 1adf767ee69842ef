package dev.tidemark.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// The documents of the HTTP bench: about 150 bytes each, with fields to filter, to count and to
/// search. Each follows from its connection and its number, so that a reader knows what it must
/// find without anyone keeping it.
///
/// Each connection writes documents of its own, one behind the other; reads pick any that was
/// written. Every status is checked, and one body in [#SAMPLE]. Used by one thread.
final class Documents {
  private static final int SAMPLE = 64;
  private static final long NUMBERS = 1_000_000_000L;
  private static final byte[][] WORDS =
      words(
          "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "hazel", "inlet", "jetty",
          "knoll", "lilac", "marsh", "north", "ocean", "plume", "quill", "ridge", "shore", "thorn",
          "umber", "vigil", "wharf", "yield", "zonal", "basin", "cliff", "drift", "eagle", "flint",
          "gorge", "haven");
  private static final int[] STATUSES = {200, 201, 304, 404};

  private final byte[] putStart;
  private final byte[] getStart;
  private final byte[] putEnd;
  private final byte[] getEnd;
  private final long[] written;
  private final SplittableRandom random = new SplittableRandom(11);
  private final long[] asked;

  /// @param host as the `Host` header wants it
  /// @param index where the documents go
  Documents(String host, String index, int connections) {
    String path = "/" + index + "/_doc/";
    this.putStart = bytes("PUT " + path);
    this.getStart = bytes("GET " + path);
    this.putEnd =
        bytes(
            " HTTP/1.1\r\nHost: "
                + host
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + text(0).length()
                + "\r\n\r\n");
    this.getEnd = bytes(" HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    this.written = new long[connections];
    this.asked = new long[connections];
  }

  /// Durable writes of new documents.
  LoadGenerator.Exchange puts() {
    return new LoadGenerator.Exchange() {
      @Override
      public void write(int connection, ByteBuffer request) {
        long key = connection * NUMBERS + written[connection];
        request.put(putStart);
        putId(request, key);
        request.put(putEnd);
        putDocument(request, key);
      }

      @Override
      public void check(Connection answered) throws IOException {
        int connection = answered.number();
        long key = connection * NUMBERS + written[connection];
        expectStatus(201, answered, key);
        if (written[connection] % SAMPLE == 0) {
          expectInBody("\"_id\":\"" + id(key) + "\"", answered, key);
          expectInBody("\"result\":\"created\"", answered, key);
        }
        written[connection]++;
      }
    };
  }

  /// Reads of documents that were written, picked at random. At least one must have been.
  LoadGenerator.Exchange gets() {
    return new LoadGenerator.Exchange() {
      private long answers;

      @Override
      public void write(int connection, ByteBuffer request) {
        long key = anyWritten();
        asked[connection] = key;
        request.put(getStart);
        putId(request, key);
        request.put(getEnd);
      }

      @Override
      public void check(Connection answered) throws IOException {
        long key = asked[answered.number()];
        expectStatus(200, answered, key);
        if (answers++ % SAMPLE == 0) {
          expectInBody("\"_id\":\"" + id(key) + "\"", answered, key);
          expectInBody("\"_source\":" + text(key), answered, key);
        }
      }
    };
  }

  /// How many were written.
  long written() {
    long sum = 0;
    for (long count : written) {
      sum += count;
    }
    return sum;
  }

  /// Each connection has written one by the end of its first run.
  private long anyWritten() {
    int connection = random.nextInt(written.length);
    return connection * NUMBERS + random.nextLong(written[connection]);
  }

  private static void expectStatus(int wanted, Connection answered, long key) throws IOException {
    if (answered.status() != wanted) {
      throw new IOException(
          "document "
              + id(key)
              + ": the server answered "
              + answered.status()
              + ", not "
              + wanted
              + ": "
              + answered.body());
    }
  }

  private static void expectInBody(String part, Connection answered, long key) throws IOException {
    if (!answered.body().contains(part)) {
      throw new IOException(
          "document " + id(key) + ": no " + part + " in the answer: " + answered.body());
    }
  }

  static String id(long key) {
    ByteBuffer out = ByteBuffer.allocate(32);
    putId(out, key);
    return string(out);
  }

  static String text(long key) {
    ByteBuffer out = ByteBuffer.allocate(512);
    putDocument(out, key);
    return string(out);
  }

  private static void putId(ByteBuffer out, long key) {
    out.put((byte) 'w');
    putDigits(out, key / NUMBERS, 3);
    out.put((byte) '-');
    putDigits(out, key % NUMBERS, 9);
  }

  private static final byte[] USER = bytes("{\"user\":\"user-");
  private static final byte[] STATUS = bytes("\",\"status\":");
  private static final byte[] BYTES = bytes(",\"bytes\":");
  private static final byte[] CITY = bytes(",\"city\":\"");
  private static final byte[] NOTE = bytes("\",\"note\":\"");
  private static final byte[] AT = bytes("\",\"at\":\"2026-03-");
  private static final byte[] END = bytes("Z\"}");

  /// All documents have the same length: the request's head need not be made anew.
  private static void putDocument(ByteBuffer out, long key) {
    long bits = mixed(key);
    putDigits(out.put(USER), bits & 0xFFF, 4);
    putDigits(out.put(STATUS), STATUSES[(int) ((bits >>> 12) & 3)], 3);
    putDigits(out.put(BYTES), 10_000 + ((bits >>> 14) & 0xFFFF), 5);
    out.put(CITY).put(WORDS[(int) ((bits >>> 30) & 31)]).put(NOTE);
    long more = mixed(bits);
    for (int i = 0; i < 9; i++) {
      out.put(WORDS[(int) ((more >>> (5 * i)) & 31)]).put((byte) ' ');
    }
    out.position(out.position() - 1);
    putDigits(out.put(AT), 10 + ((more >>> 45) & 15), 2);
    out.put((byte) 'T');
    putDigits(out, 10 + ((more >>> 49) & 7), 2);
    out.put((byte) ':');
    putDigits(out, (more >>> 52) & 31, 2);
    out.put((byte) ':');
    putDigits(out, (more >>> 57) & 31, 2);
    out.put(END);
  }

  private static void putDigits(ByteBuffer out, long value, int digits) {
    int at = out.position();
    long rest = value;
    for (int i = digits - 1; i >= 0; i--) {
      out.put(at + i, (byte) ('0' + rest % 10));
      rest /= 10;
    }
    out.position(at + digits);
  }

  /// Spreads a number over all bits.
  private static long mixed(long value) {
    long x = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 31)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 29);
  }

  private static String string(ByteBuffer out) {
    return StandardCharsets.US_ASCII.decode(out.flip()).toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[][] words(String... words) {
    byte[][] all = new byte[words.length][];
    for (int i = 0; i < all.length; i++) {
      all[i] = bytes(words[i]);
    }
    return all;
  }
}
