package dev.tidemark.server;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;

/// Ids for documents that come without: 20 characters that need no encoding in a URL. Ids of one
/// server are different by their counter, those of several by 40 random bits. Any number of
/// threads.
final class AutoId {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final AtomicLong counter = new AtomicLong();
  private final long origin;

  AutoId() {
    SecureRandom random = new SecureRandom();
    counter.set(random.nextInt());
    origin = random.nextLong();
  }

  String next() {
    byte[] id = new byte[15];
    put(System.currentTimeMillis(), id, 0, 6);
    put(counter.incrementAndGet(), id, 6, 4);
    put(origin, id, 10, 5);
    return ENCODER.encodeToString(id);
  }

  private static void put(long value, byte[] into, int from, int count) {
    for (int i = 0; i < count; i++) {
      into[from + i] = (byte) (value >>> (8 * (count - 1 - i)));
    }
  }
}
