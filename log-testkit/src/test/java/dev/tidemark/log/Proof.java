package dev.tidemark.log;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.Seed;

/// The ways to find out that a log does not keep its promises. Each throws an [AssertionError] that
/// says what it found.
enum Proof {
  /// The power fails at each storage call.
  CRASHES {
    @Override
    void run(Seed seed) throws Exception {
      new CrashExplorer(seed).exploreUntil(IMAGES, ExploredLog::new);
    }
  },

  /// Something goes wrong at each storage call.
  FAULTS {
    @Override
    void run(Seed seed) throws Exception {
      new FaultSweep(seed).run();
    }
  },

  /// Each byte is damaged.
  DAMAGE {
    @Override
    void run(Seed seed) {
      new DamageSweep(seed).run();
    }
  };

  /// Several times what the rarest planted bug has needed.
  private static final long IMAGES = 10_000;

  abstract void run(Seed seed) throws Exception;
}
