package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LogBenchTest {
  private static final List<String> ROWS =
      List.of(
          "write/1",
          "write/8-platform",
          "write/32-virtual",
          "write/256-virtual",
          "batch/1000",
          "read/point",
          "replay/view",
          "replay/owned",
          "recovery");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theRowsHaveTheirAgreedNamesAndOrder() {
    assertEquals(ROWS, LogRows.all().stream().map(LogRows.Spec::name).toList());
  }

  @Test
  void everyRowIsMeasuredAndNothingButJsonIsPrinted() throws IOException {
    assumeOnDisk();
    assertEquals(0, run("--json"), err::toString);
    Map<String, @Nullable Object> report = Json.object(out.toString());
    assertEquals(2, report.size());
    List<Map<String, @Nullable Object>> rows = Json.rows(out.toString());
    assertEquals(ROWS, rows.stream().map(row -> row.get("name")).toList());
    for (Map<String, @Nullable Object> row : rows) {
      assertEquals("records/s", row.get("unit"));
      assertEquals(2.0, row.get("n"));
      assertTrue(Json.number(row, "median") > 0, row::toString);
      boolean alone = ROWS.indexOf(row.get("name")) >= ROWS.indexOf("replay/view");
      assertEquals(alone ? null : "raw", row.get("against"));
      assertTrue(alone ? row.get("ratio") == null : Json.number(row, "ratio") > 0, row::toString);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aGroupOfRowsIsChosenByItsName() throws IOException {
    assumeOnDisk();
    assertEquals(0, run("--rows", "replay,write/1"), err::toString);
    List<String> lines = out.toString().lines().toList();
    for (String row : ROWS) {
      boolean wanted = row.startsWith("replay/") || row.equals("write/1");
      assertEquals(
          wanted, lines.stream().anyMatch(line -> line.startsWith(row + " ")), out::toString);
    }
  }

  @Test
  void anUnknownRowIsAnErrorThatNamesThoseThereAre() {
    assertEquals(2, run("--rows", "writes"));
    assertTrue(err.toString().contains("writes"), err::toString);
    assertTrue(err.toString().contains("write/256-virtual"), err::toString);
  }

  @Test
  void aFolderInMemoryIsAnErrorOfUse() throws IOException {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(shm) && FileSystemFacts.of(shm).inMemory());
    CommandLine bench = commandLine();
    assertEquals(2, bench.execute("log", "--dir", shm.toString()));
    assertTrue(err.toString().contains("keeps files in memory"), err::toString);
    assertEquals("", out.toString());
  }

  @Test
  void theHelpShowsExamples() {
    assertEquals(0, commandLine().execute("log", "--help"));
    assertTrue(out.toString().contains("tidemark bench log --rows"), out::toString);
  }

  private int run(String... more) {
    List<String> args = new ArrayList<>(List.of("log", "--dir", folder.toString()));
    args.addAll(List.of("--rounds", "2", "--seconds", "0.02", "--records", "20000"));
    args.addAll(List.of(more));
    return commandLine().execute(args.toArray(String[]::new));
  }

  private CommandLine commandLine() {
    return Bench.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }

  private void assumeOnDisk() throws IOException {
    assumeTrue(!FileSystemFacts.of(folder).inMemory(), "the folder for tests lies in memory");
  }
}
