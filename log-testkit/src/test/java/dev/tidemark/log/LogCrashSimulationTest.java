package dev.tidemark.log;

import dev.tidemark.log.testkit.Seed;
import org.junit.jupiter.api.Test;

/// Many short lives of a log, each ended by a power failure, a kill, an I/O error or a close, each
/// followed by a recovery that is held against what had been promised.
///
/// `-Dtidemark.rounds=N` makes it N logs; `-Dtidemark.seed=N` repeats a seed, as far as the threads
/// let it.
class LogCrashSimulationTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.rounds", 300);

  private final Seed seed = Seed.ofRun();

  @Test
  void aLogKeepsItsPromisesOverCrashes() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Seed ofRound = new Seed(seed.value() + round);
      try {
        new SimulatedLog(ofRound.random()).live();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("round " + round + ", " + ofRound, e);
      }
    }
  }
}
