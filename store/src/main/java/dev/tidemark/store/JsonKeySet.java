package dev.tidemark.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The keys of one large object, as places in the text: eight bytes a key, so that millions of them
/// in one document do not exhaust the heap as strings would. The hash is seeded by the process:
/// nobody can choose keys that collide.
final class JsonKeySet {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SEED = new SplittableRandom().nextLong();
  private static final long FACTOR = new SplittableRandom().nextLong() | 1;

  private final byte[] json;

  /// Begin and end of each key in turn; 0 where a slot is free, as no key begins at 0. The end is
  /// inverted where the key holds an escape.
  private int[] slots = new int[128];

  private int count;

  JsonKeySet(byte[] json) {
    this.json = json;
  }

  /// The end of a key as this class takes it, when the key holds an escape.
  static int escapedEnd(int end) {
    return ~end;
  }

  /// Adds a key, unless an equal one is there.
  ///
  /// @param from behind its opening quote
  /// @param end its closing quote, see [#escapedEnd]
  /// @return whether it was added
  boolean add(int from, int end) {
    if (4 * count >= slots.length) {
      grow();
    }
    int mask = slots.length / 2 - 1;
    int slot = hash(from, end) & mask;
    while (slots[2 * slot] != 0) {
      if (same(slots[2 * slot], slots[2 * slot + 1], from, end)) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    slots[2 * slot] = from;
    slots[2 * slot + 1] = end;
    count++;
    return true;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[2 * old.length];
    count = 0;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0) {
        add(old[i], old[i + 1]);
      }
    }
  }

  private boolean same(int fromA, int endA, int fromB, int endB) {
    if (endA >= 0 && endB >= 0) {
      return Arrays.equals(json, fromA, endA, json, fromB, endB);
    }
    return decode(fromA, endA).equals(decode(fromB, endB));
  }

  private String decode(int from, int end) {
    return JsonWalk.decode(json, from, end < 0 ? ~end : end);
  }

  private int hash(int from, int end) {
    if (end >= 0) {
      return hash(json, from, end);
    }
    byte[] decoded = decode(from, end).getBytes(StandardCharsets.UTF_8);
    return hash(decoded, 0, decoded.length);
  }

  private static int hash(byte[] bytes, int from, int end) {
    long hash = SEED;
    int at = from;
    for (; at + 8 <= end; at += 8) {
      hash = fold(hash ^ (long) LONG.get(bytes, at));
    }
    long rest = (long) end - from;
    for (; at < end; at++) {
      rest = rest << 8 | (bytes[at] & 0xFF);
    }
    return (int) fold(hash ^ rest);
  }

  private static long fold(long x) {
    return x * FACTOR ^ Math.unsignedMultiplyHigh(x, FACTOR);
  }
}
