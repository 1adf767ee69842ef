package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
  private static final int BYTES = 4 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void aFileThatIsLaidOutIsOfItsLengthAndEmpty(Allocation allocation) throws IOException {
    assumeTrue(allocation != Allocation.SET_ASIDE || ForeignFile.available());
    Path file = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});
    allocation.lay(file, BYTES);
    byte[] expected = new byte[allocation == Allocation.NONE ? 0 : BYTES];
    assertEquals(-1, Arrays.mismatch(expected, Files.readAllBytes(file)));
  }

  @Test
  void eachMeasurementBeginsWithAFileLaidOutAnew() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    try (RawLoop loop = RawLoop.open(file, RawFile.Access.CHANNEL)) {
      Work work = loop.writesOnto(Allocation.NONE, 8 << 10);
      work.rate(Duration.ofMillis(20));
      long before = loop.writes();
      work.rate(Duration.ofMillis(20));
      assertEquals((loop.writes() - before) * (8 << 10), Files.size(file));
    }
  }
}
