package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.BrokenPromiseError;
import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashExplorer.Explored;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Every storage call of seeded workloads, cut off: see [CrashExplorer].
///
/// `-Dtidemark.images=N` makes it N images or a few more. The log's threads now and then come in
/// another order for the same seed, so an image that breaks a promise is kept as well.
class LogCrashExplorerTest {
  private static final long IMAGES = Long.getLong("tidemark.images", 20_000);

  @Test
  void noCrashAtAnyStorageCallBreaksAPromise() throws Exception {
    Explored explored;
    try {
      explored = new CrashExplorer(Seed.ofRun()).exploreUntil(IMAGES, ExploredLog::new);
    } catch (BrokenPromiseError e) {
      throw new AssertionError("the image is in " + keep(e.image()), e);
    }
    assertTrue(explored.images() >= IMAGES, explored::toString);
    assertTrue(explored.secondImages() > 0, explored::toString);
  }

  private static Path keep(CrashStorage image) throws IOException {
    Path directory = Files.createTempDirectory("tidemark-crash-");
    for (String file : image.files()) {
      Files.write(directory.resolve(file), image.bytes(file));
    }
    return directory;
  }
}
