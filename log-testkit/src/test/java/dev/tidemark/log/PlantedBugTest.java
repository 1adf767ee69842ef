package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidemark.log.testkit.Seed;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A checker that finds nothing proves nothing: the log is made wrong in many ways, each of which
/// its proof must notice.
class PlantedBugTest {
  private static final Path SOURCES =
      Path.of(Objects.requireNonNull(System.getProperty("tidemark.log.sources")));

  private final Seed seed = Seed.ofRun();

  @TempDir private Path classes;

  @ParameterizedTest
  @MethodSource("dev.tidemark.log.PlantedBug#all")
  void everyPlantedBugIsFound(PlantedBug bug) throws Exception {
    String found = PlantedLog.of(bug, SOURCES, classes).find(bug.proof(), seed);
    assertFalse(found.isEmpty(), () -> bug.proof() + " found nothing, " + seed);
  }

  @ParameterizedTest
  @EnumSource
  void withoutABugNothingIsFound(Proof proof) throws Exception {
    assertEquals("", PlantedLog.of(PlantedBug.none(), SOURCES, classes).find(proof, seed));
  }
}
