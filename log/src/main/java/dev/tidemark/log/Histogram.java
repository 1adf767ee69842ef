package dev.tidemark.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// Counts values by size, in four buckets for each power of two, so that a bucket's bounds are
/// within a quarter of each other. Written by the holder of the commit role, read by anyone,
/// without a fence: as [Counters]. Recording allocates nothing.
final class Histogram {
  /// Values 0 to 3 have a bucket each; the largest, of 63 bits, is in the last one.
  private static final int BUCKETS = 4 * 62;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final AtomicLong sum = new AtomicLong();
  private final AtomicLong max = new AtomicLong();

  /// @param value one below 0, as a clock may make of it, counts as 0
  void record(long value) {
    long v = Math.max(value, 0);
    int bucket = bucketOf(v);
    counts.setOpaque(bucket, counts.getPlain(bucket) + 1);
    sum.setOpaque(sum.getPlain() + v);
    if (v > max.getPlain()) {
      max.setOpaque(v);
    }
  }

  LogHistogram snapshot() {
    long[] copy = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      copy[i] = counts.getOpaque(i);
    }
    return LogHistogram.of(copy, sum.getOpaque(), max.getOpaque());
  }

  static int bucketOf(long value) {
    if (value < 4) {
      return (int) value;
    }
    int power = 63 - Long.numberOfLeadingZeros(value);
    return 4 * (power - 1) + (int) (value >>> (power - 2)) - 4;
  }

  /// The largest value that counts in a bucket.
  static long upperBound(int bucket) {
    if (bucket < 4) {
      return bucket;
    }
    int power = bucket / 4 + 1;
    return ((bucket % 4 + 5L) << (power - 2)) - 1;
  }
}
