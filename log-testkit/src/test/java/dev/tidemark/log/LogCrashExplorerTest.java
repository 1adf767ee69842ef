package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashExplorer.Explored;
import dev.tidemark.log.testkit.Seed;
import org.junit.jupiter.api.Test;

/// Every storage call of seeded workloads, cut off: see [CrashExplorer].
///
/// `-Dtidemark.images=N` makes it N images or a few more.
class LogCrashExplorerTest {
  private static final long IMAGES = Long.getLong("tidemark.images", 20_000);

  @Test
  void noCrashAtAnyStorageCallBreaksAPromise() throws Exception {
    Explored explored = new CrashExplorer(Seed.ofRun()).exploreUntil(IMAGES, ExploredLog::new);
    assertTrue(explored.images() >= IMAGES, explored::toString);
    assertTrue(explored.secondImages() > 0, explored::toString);
  }
}
