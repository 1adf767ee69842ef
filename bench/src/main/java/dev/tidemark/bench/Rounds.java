package dev.tidemark.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How often and how long a thing is measured, and in which turn.
///
/// A noisy machine changes within seconds, so a figure is only ever set against one taken just
/// before or just behind it: the two take turns, and every other round swaps which comes first.
///
/// @param count rounds, at least one
/// @param each the length of one measurement
/// @param warmUp how long each thing runs before its first figure counts; zero for not at all
record Rounds(int count, Duration each, Duration warmUp) {
  Rounds {
    if (count < 1 || !each.isPositive() || warmUp.isNegative()) {
      throw new IllegalArgumentException(count + " rounds of " + each + " after " + warmUp);
    }
  }

  /// Measures `work` alone.
  Series alone(Work work) throws Exception {
    warmUp(work);
    List<Double> rates = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rates.add(work.rate(each));
    }
    return new Series(rates);
  }

  /// Measures `raw` and `work` in turn.
  Pairs inTurn(Work raw, Work work) throws Exception {
    warmUp(raw);
    warmUp(work);
    List<Double> raws = new ArrayList<>(count);
    List<Double> works = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (i % 2 == 0) {
        raws.add(raw.rate(each));
        works.add(work.rate(each));
      } else {
        works.add(work.rate(each));
        raws.add(raw.rate(each));
      }
    }
    return new Pairs(new Series(raws), new Series(works));
  }

  private void warmUp(Work work) throws Exception {
    if (warmUp.isPositive()) {
      work.rate(warmUp);
    }
  }

  /// Two series taken in the same rounds.
  record Pairs(Series raw, Series work) {
    Pairs {
      if (raw.n() != work.n()) {
        throw new IllegalArgumentException(raw.n() + " figures against " + work.n());
      }
    }

    /// Each round's `work` over its `raw`. Its median is not the ratio of the medians: a slow spell
    /// that both lived through cancels out.
    Series ratios() {
      List<Double> ratios = new ArrayList<>(work.n());
      for (int i = 0; i < work.n(); i++) {
        ratios.add(work.values().get(i) / raw.values().get(i));
      }
      return new Series(ratios);
    }
  }
}
