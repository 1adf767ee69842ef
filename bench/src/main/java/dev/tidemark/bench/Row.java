package dev.tidemark.bench;

import org.jspecify.annotations.Nullable;

/// One line of a bench's report.
///
/// @param name what was measured, the same from run to run
/// @param unit of the figures
/// @param figures one per round
/// @param other what it took turns with; null where it ran alone
/// @param against the figures of both in the same rounds; null where it ran alone
/// @param target what the project sets out to reach; null where it set nothing
record Row(
    String name,
    String unit,
    Series figures,
    @Nullable String other,
    Rounds.@Nullable Pairs against,
    @Nullable Target target) {
  /// The plain loop, as what a row is against.
  static final String RAW = "raw";

  /// A row beside the plain loop: its ratio is what the target speaks of, if that says nothing
  /// else.
  static Row beside(String name, String unit, Rounds.Pairs pairs, @Nullable Target target) {
    return against(RAW, name, unit, pairs, target);
  }

  /// A row beside something other than the plain loop.
  static Row against(
      String other, String name, String unit, Rounds.Pairs pairs, @Nullable Target target) {
    return new Row(name, unit, pairs.work(), other, pairs, target);
  }

  /// A row on its own: its figure is what the target speaks of.
  static Row alone(String name, String unit, Series figures, @Nullable Target target) {
    return new Row(name, unit, figures, null, null, target);
  }

  /// Each round's ratio to what it took turns with; null where it ran alone.
  @Nullable Series ratios() {
    return against == null ? null : against.ratios();
  }

  /// How the row stands to its target.
  Standing standing() {
    if (target == null) {
      return Standing.MET;
    }
    Series ratios = target.of() == Target.Of.RATIO ? ratios() : null;
    return target.standing(ratios == null ? figures.median() : ratios.median());
  }

  /// How far a figure came.
  enum Standing {
    MET(""),
    BELOW_ANCHOR("short of the anchor"),
    BELOW_FLOOR("LOST: short of the floor");

    private final String label;

    Standing(String label) {
      this.label = label;
    }

    /// What people read.
    String label() {
      return label;
    }
  }

  /// What a row should reach.
  ///
  /// @param of what it speaks of
  /// @param sense which way is better
  /// @param floor the least that is right; NaN for none
  /// @param anchor the goal; NaN for none
  record Target(Of of, Sense sense, double floor, double anchor) {
    /// What a target speaks of.
    enum Of {
      /// The row's ratio, or its figure where it ran alone.
      RATIO,
      /// The row's figure, also where it has a ratio.
      FIGURE
    }

    /// Which way is better.
    enum Sense {
      AT_LEAST(">="),
      AT_MOST("<=");

      private final String sign;

      Sense(String sign) {
        this.sign = sign;
      }

      String sign() {
        return sign;
      }

      private boolean meets(double figure, double bound) {
        return Double.isNaN(bound) || (this == AT_LEAST ? figure >= bound : figure <= bound);
      }
    }

    static Target atLeast(double floor, double anchor) {
      return new Target(Of.RATIO, Sense.AT_LEAST, floor, anchor);
    }

    static Target atMost(double floor, double anchor) {
      return new Target(Of.RATIO, Sense.AT_MOST, floor, anchor);
    }

    /// The same bounds, of the figure and not of the ratio.
    Target ofFigure() {
      return new Target(Of.FIGURE, sense, floor, anchor);
    }

    Standing standing(double figure) {
      if (!sense.meets(figure, floor)) {
        return Standing.BELOW_FLOOR;
      }
      return sense.meets(figure, anchor) ? Standing.MET : Standing.BELOW_ANCHOR;
    }
  }
}
