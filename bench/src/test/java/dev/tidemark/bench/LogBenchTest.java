package dev.tidemark.bench;

import static java.util.Objects.requireNonNull;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LogBenchTest {
  private static final List<String> SPECS =
      List.of(
          "write/1",
          "write/8-platform",
          "write/32-virtual",
          "write/256-virtual",
          "batch/1000",
          "read/point",
          "replay/view",
          "replay/owned",
          "recovery",
          "tail/64",
          "tail/8K",
          "zero-fill/raw-8K",
          "zero-fill/log-8K",
          "allocation/none",
          "allocation/sparse",
          "allocation/fallocate",
          "window/64/none",
          "window/64/64K",
          "window/64/256K",
          "window/64/1M",
          "window/64/4M",
          "window/1K/none",
          "window/1K/64K",
          "window/1K/256K",
          "window/1K/1M",
          "window/1K/4M",
          "window/8K/none",
          "window/8K/64K",
          "window/8K/256K",
          "window/8K/1M",
          "window/8K/4M",
          "cost/group",
          "cost/strace",
          "cost/append",
          "cost/batch",
          "cost/read",
          "cost/recovery",
          "sweep/append-1",
          "sweep/append-10",
          "sweep/append-100",
          "sweep/append-1000",
          "sweep/sync-idle",
          "sweep/commits-1",
          "sweep/commits-2",
          "sweep/commits-4",
          "sweep/commits-8");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void whatIsMeasuredHasItsAgreedNamesAndOrder() {
    List<String> specs =
        SPECS.stream()
            .filter(name -> !name.equals("allocation/fallocate") || ForeignFile.available())
            .toList();
    assertEquals(specs, LogRows.all().stream().map(LogRows.Spec::name).toList());
  }

  @Test
  void everyRowIsMeasuredAndNothingButJsonIsPrinted() throws Exception {
    assumeOnDisk();
    assertEquals(0, run("--json"), err::toString);
    Map<String, @Nullable Object> report = Json.object(out.toString());
    assertEquals(2, report.size());
    List<Map<String, @Nullable Object>> rows = Json.rows(out.toString());
    for (LogRows.Spec spec : LogRows.all()) {
      assertTrue(
          (spec.name().equals("cost/strace") && !SystemCalls.available())
              || rows.stream()
                  .anyMatch(row -> belongsTo(String.valueOf(row.get("name")), spec.name())),
          () -> spec.name() + " is missing: " + rows);
    }
    for (Map<String, @Nullable Object> row : rows) {
      boolean counted = String.valueOf(row.get("name")).startsWith("cost/");
      assertTrue(Json.number(row, "n") >= 1, row::toString);
      assertTrue(Json.number(row, "median") >= (counted ? 0 : Double.MIN_VALUE), row::toString);
      assertTrue(counted || row.get("against") != null, row::toString);
      assertTrue(row.get("against") == null || Json.number(row, "ratio") > 0, row::toString);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aSteadyGroupIsOneWriteAndOneSyncAndNoRecordHasAnObject() throws IOException {
    assumeOnDisk();
    assertEquals(0, run("--json", "--rows", "cost"), err::toString);
    Map<String, Double> costs =
        Json.rows(out.toString()).stream()
            .collect(
                Collectors.toMap(
                    row -> String.valueOf(row.get("name")), row -> Json.number(row, "median")));
    assertEquals(1, costs.get("cost/group/writes"));
    assertEquals(1, costs.get("cost/group/syncs"));
    assertEquals(0, costs.get("cost/group/stats"));
    assertTrue(atMost(costs, "cost/read/reads", 1), costs::toString);
    assertEquals(0, costs.get("cost/read/stats"));
    assertTrue(atMost(costs, "cost/recovery/reads", 5), costs::toString);
    assertTrue(atMost(costs, "cost/append/allocated", 8), costs::toString);
    assertTrue(atMost(costs, "cost/batch/allocated", 8), costs::toString);
    assertTrue(atMost(costs, "cost/read/allocated", 96), costs::toString);
  }

  @Test
  void aSteadyGroupIsOneWriteOneSyncAndNoStatOfTheSystem() throws Exception {
    assumeOnDisk();
    assumeTrue(SystemCalls.available(), "there is no strace here, or it may not trace");
    int groups = 200;
    SystemCalls calls = SystemCalls.ofWrites(TracedWrites.LOG, folder, groups);
    assertEquals(new SystemCalls(groups, groups, 0), calls);
  }

  @Test
  void onlyCallsOfTheFolderBetweenTheMarksCount() {
    String trace =
        """
        7 fdatasync(3</a/store/1>) = 0
        7 mkdir("/a/mark-begin", 0777) = 0
        7 pwrite64(3</a/store/1>, ""..., 72, 4096) = 72
        7 fdatasync(3</a/store/1> <unfinished ...>
        8 write(1</dev/pts/0>, ""..., 5) = 5
        8 msync(0x7f, 4096, MS_SYNC) = 0
        7 <... fdatasync resumed>) = 0
        8 fstat(3</a/store/1>, {...}) = 0
        8 fsync(5</b/other>) = 0
        7 mkdir("/a/mark-end", 0777) = 0
        7 fdatasync(3</a/store/1>) = 0
        """;
    assertEquals(new SystemCalls(1, 2, 1), SystemCalls.parse(trace, "/a/"));
  }

  @Test
  void peersThatAreNotThereAreAnErrorOfUse() {
    assertEquals(2, run("--peers"));
    assertTrue(err.toString().contains("no peers are on the class path"), err::toString);
  }

  private static boolean atMost(Map<String, Double> costs, String name, double bound) {
    return requireNonNull(costs.get(name), name) <= bound;
  }

  private static boolean belongsTo(String row, String spec) {
    return row.equals(spec) || row.startsWith(spec + "/");
  }

  @Test
  void aGroupOfRowsIsChosenByItsName() throws IOException {
    assumeOnDisk();
    assertEquals(0, run("--rows", "replay,write/1"), err::toString);
    List<String> lines = out.toString().lines().toList();
    for (String row : SPECS) {
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
    args.addAll(List.of("--rounds", "2", "--seconds", "0.01", "--records", "20000"));
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
