package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SoakBenchTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aShortSoakKillsAndStopsAndFindsEveryAcknowledgedRecord() throws IOException {
    assumeTrue(!FileSystemFacts.of(folder).inMemory(), "the folder for tests lies in memory");
    String[] args = {"soak", "--dir", folder.toString(), "--minutes", "0.05", "--json"};
    assertEquals(0, commandLine().execute(args), err::toString);
    Map<String, Map<String, @Nullable Object>> rows =
        Json.rows(out.toString()).stream()
            .collect(Collectors.toMap(row -> String.valueOf(row.get("name")), row -> row));
    assertTrue(median(rows, "soak/kills") >= 1, rows::toString);
    assertTrue(median(rows, "soak/stops") >= 1, rows::toString);
    assertTrue(median(rows, "soak/written") > 0, rows::toString);
    assertEquals(0, median(rows, "soak/handles-left"));
    assertTrue(err.toString().contains("killed; "), err::toString);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aTimeThatIsNoneIsAnErrorOfUse() {
    assertEquals(2, commandLine().execute("soak", "--minutes", "0"));
    assertTrue(err.toString().contains("--minutes"), err::toString);
  }

  private static double median(Map<String, Map<String, @Nullable Object>> rows, String name) {
    return Json.number(rows.getOrDefault(name, Map.of()), "median");
  }

  private CommandLine commandLine() {
    return Bench.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }
}
