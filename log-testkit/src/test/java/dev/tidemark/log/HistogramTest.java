package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @Test
  void everyValueCountsInABucketThatEndsAtItOrUpToAQuarterAbove() {
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong() >>> (1 + random.nextInt(63));
      int bucket = Histogram.bucketOf(value);
      long upTo = Histogram.upperBound(bucket);
      assertTrue(value <= upTo, () -> value + " " + seed);
      assertTrue(upTo - value <= value / 4, () -> value + " " + seed);
      assertTrue(bucket == 0 || Histogram.upperBound(bucket - 1) < value, () -> value + " " + seed);
    }
    assertEquals(Long.MAX_VALUE, Histogram.upperBound(Histogram.bucketOf(Long.MAX_VALUE)));
  }

  @Test
  void smallValuesAreCountedExactly() {
    for (int value = 0; value < 8; value++) {
      assertEquals(value, Histogram.upperBound(Histogram.bucketOf(value)));
    }
  }

  @Test
  void percentilesAreThoseOfTheSortedValuesWithinABucket() {
    long[] values = new long[1000];
    Histogram histogram = new Histogram();
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong() >>> (32 + random.nextInt(30));
      histogram.record(values[i]);
    }
    Arrays.sort(values);
    LogHistogram seen = histogram.snapshot();
    for (int percent = 1; percent <= 100; percent++) {
      String at = percent + " % " + seed;
      long exact = values[values.length * percent / 100 - 1];
      long told = seen.percentile(percent);
      assertTrue(told >= exact && told - exact <= exact / 4, at);
    }
    assertEquals(values[values.length - 1], seen.percentile(100), seed::toString);
    assertEquals(values[values.length - 1], seen.max(), seed::toString);
    assertEquals(Arrays.stream(values).sum(), seen.sum(), seed::toString);
  }

  @Test
  void bucketsRiseAndTheirCountsAddUp() {
    Histogram histogram = new Histogram();
    for (long value : new long[] {100, 1, 1, 7, -3}) {
      histogram.record(value);
    }
    LogHistogram seen = histogram.snapshot();
    assertEquals(
        List.of(
            new LogHistogram.Bucket(0, 1),
            new LogHistogram.Bucket(1, 2),
            new LogHistogram.Bucket(7, 1),
            new LogHistogram.Bucket(111, 1)),
        seen.buckets());
    assertEquals(5, seen.count());
    assertEquals(109, seen.sum());
    assertEquals(1, seen.percentile(50));
    assertEquals(100, seen.percentile(99));
  }

  @Test
  void withoutValuesEverythingIsZero() {
    LogHistogram empty = new Histogram().snapshot();
    assertEquals(0, empty.percentile(50));
    assertEquals(0, empty.max());
    assertThrows(IllegalArgumentException.class, () -> empty.percentile(0));
    assertThrows(IllegalArgumentException.class, () -> empty.percentile(100.1));
    assertThrows(IllegalArgumentException.class, () -> empty.percentile(Double.NaN));
  }
}
