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
    return eachInTurn(Trial.of(raw), Trial.of(work)).getFirst();
  }

  /// Measures two things that yield several figures each in turn: one pair of series for each
  /// figure, in the order of the figures.
  List<Pairs> eachInTurn(Trial raw, Trial work) throws Exception {
    if (warmUp.isPositive()) {
      raw.figures(warmUp);
      work.figures(warmUp);
    }
    List<double[]> raws = new ArrayList<>(count);
    List<double[]> works = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (i % 2 == 0) {
        raws.add(raw.figures(each));
        works.add(work.figures(each));
      } else {
        works.add(work.figures(each));
        raws.add(raw.figures(each));
      }
    }
    List<Pairs> pairs = new ArrayList<>();
    for (int figure = 0; figure < works.getFirst().length; figure++) {
      pairs.add(new Pairs(Series.of(raws, figure), Series.of(works, figure)));
    }
    return pairs;
  }

  /// About a third as many rounds behind a shorter warm-up, for a table of many cells.
  Rounds brief() {
    return new Rounds((count + 2) / 3, each, warmUp.dividedBy(2));
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
