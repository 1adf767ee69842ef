package dev.tidemark.log;

import java.util.ArrayList;
import java.util.List;

/// How often values of which size came since the log was opened. Immutable; any thread may use it.
///
/// A value is known by its bucket, whose bounds are within a quarter of each other: exact up to 7,
/// and at most 25 % too high above that. The highest value is kept as it was.
///
/// @param count how many values
/// @param sum of the values; taken while values came it may be some ahead of them, or behind
/// @param max the highest value, 0 if there is none
/// @param buckets those that count anything, by rising bound; their counts add up to `count`. For
///   Prometheus, which wants a bucket to count the smaller ones too, add them up on the way
public record LogHistogram(long count, long sum, long max, List<Bucket> buckets) {
  /// Values up to a bound and above the bound of the bucket before.
  ///
  /// @param upTo the largest value that counts here
  /// @param count how many
  public record Bucket(long upTo, long count) {}

  /// Checks nothing; copies the list.
  public LogHistogram {
    buckets = List.copyOf(buckets);
  }

  /// @param counts by the buckets of [Histogram]
  static LogHistogram of(long[] counts, long sum, long max) {
    List<Bucket> buckets = new ArrayList<>();
    long count = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.add(new Bucket(Histogram.upperBound(i), counts[i]));
        count += counts[i];
      }
    }
    return new LogHistogram(count, sum, max, buckets);
  }

  /// The value that so many percent of the values do not exceed, as the bound of its bucket, and
  /// never above [#max]; 0 if there is no value.
  ///
  /// @param percent above 0 and up to 100; 50 is the median
  /// @throws IllegalArgumentException if it is out of range
  public long percentile(double percent) {
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException("percent is " + percent + ": not above 0 and up to 100");
    }
    long rank = (long) Math.ceil(count * percent / 100);
    long seen = 0;
    for (Bucket bucket : buckets) {
      seen += bucket.count;
      if (seen >= rank) {
        return Math.min(bucket.upTo, max);
      }
    }
    return max;
  }
}
