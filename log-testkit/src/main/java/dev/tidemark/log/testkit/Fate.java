package dev.tidemark.log.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Decides what a power failure leaves of everything that is in doubt. Used by one thread.
interface Fate {
  /// The next file is decided on.
  default void nextFile() {}

  /// One of `n` possibilities, 0 to `n - 1`; 0 is what is durable.
  int choose(int n);

  /// Luck. Half of the files keep nothing or all that they can, the others a part of their own.
  static Fate random(RandomGenerator random) {
    return new Fate() {
      private double survival = 0.5;

      @Override
      public void nextFile() {
        survival =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> 1;
              default -> random.nextDouble();
            };
      }

      @Override
      public int choose(int n) {
        return n > 1 && random.nextDouble() < survival ? 1 + random.nextInt(n - 1) : 0;
      }
    };
  }

  /// Nothing survives but what is durable.
  static Fate worst() {
    return n -> 0;
  }

  /// Every fate there is, one after the other, as long as the choices are asked for in the same
  /// order: an odometer whose wheels are the choices.
  final class Each implements Fate {
    private final List<Integer> chosen = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private int next;

    @Override
    public int choose(int n) {
      if (next == chosen.size()) {
        chosen.add(0);
        sizes.add(n);
      }
      return chosen.get(next++);
    }

    /// Turns to the next fate; false when all have been.
    boolean advance() {
      next = 0;
      while (!chosen.isEmpty()) {
        int following = chosen.removeLast() + 1;
        if (following < sizes.getLast()) {
          chosen.add(following);
          return true;
        }
        sizes.removeLast();
      }
      return false;
    }
  }
}
