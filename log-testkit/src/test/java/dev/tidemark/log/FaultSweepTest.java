package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import org.junit.jupiter.api.Test;

/// See [FaultSweep]. `-Dtidemark.rounds=N` makes it N workloads.
class FaultSweepTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.rounds", 3);

  private final Seed seed = Seed.ofRun();

  @Test
  void noFaultAtAnyCallBreaksAPromise() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long runs = new FaultSweep(new Seed(seed.value() + round)).run();
      assertTrue(runs > 100, () -> "only " + runs + " faults were met, " + seed);
    }
  }
}
