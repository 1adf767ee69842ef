package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import org.junit.jupiter.api.Test;

/// See [DamageSweep].
class DamageSweepTest {
  @Test
  void noFlippedBitOfWhatWasAcknowledgedGoesUnnoticed() {
    assertTrue(new DamageSweep(Seed.ofRun()).run() > 4_000, "few flips were found");
  }
}
