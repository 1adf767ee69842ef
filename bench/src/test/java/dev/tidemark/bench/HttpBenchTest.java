package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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

class HttpBenchTest {
  private static final List<String> LOAD_ROWS =
      List.of("put", "put/p50", "put/p99", "get", "get/p50", "get/p99");
  private static final List<String> ROWS =
      Stream.concat(LOAD_ROWS.stream(), Stream.of("memory/rss", "memory/peak", "written/1000"))
          .toList();
  private static final List<String> UNITS =
      List.of("1/s", "us", "us", "1/s", "us", "us", "MiB", "MiB", "MB");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aServerOfItsOwnIsStartedMeasuredAndEnded() throws IOException {
    assumeOnDisk();
    assumeCounted();
    assertEquals(0, run("--json"), err::toString);
    List<Map<String, @Nullable Object>> rows = Json.rows(out.toString());
    assertEquals(ROWS, names(rows));
    assertEquals(UNITS, rows.stream().map(row -> row.get("unit")).toList());
    for (Map<String, @Nullable Object> row : rows) {
      assertEquals("memory/peak".equals(row.get("name")) ? 1.0 : 2.0, row.get("n"));
      assertTrue(Json.number(row, "median") > 0, row::toString);
      assertNull(row.get("against"));
      assertNull(row.get("ratio"));
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aRunningServerIsMeasuredAndLeftWithoutTheDocuments() throws IOException {
    assumeOnDisk();
    try (TinyServer server = new TinyServer()) {
      assertEquals(0, run("--json", "--url", server.url().toString()), err::toString);
      assertEquals(LOAD_ROWS, names(Json.rows(out.toString())));
      assertTrue(server.documents.isEmpty());
    }
  }

  @Test
  void aRunningServersProcessGivesTheRowsOfMemory() throws IOException {
    assumeOnDisk();
    assumeCounted();
    String pid = Long.toString(ProcessHandle.current().pid());
    try (TinyServer server = new TinyServer()) {
      String url = server.url().toString();
      assertEquals(0, run("--json", "--url", url, "--pid", pid), err::toString);
      assertEquals(ROWS, names(Json.rows(out.toString())));
    }
  }

  @Test
  void aServerThatDoesNotStartSaysWhy() throws IOException {
    assumeOnDisk();
    Path options = Files.writeString(folder.resolve("options"), "-XX:NoSuchFlag\n");
    assertEquals(1, run("--java-options", options.toString()));
    assertTrue(err.toString().contains("NoSuchFlag"), err::toString);
  }

  @Test
  void anAddressThatIsNoneIsAnErrorOfUse() {
    assertEquals(2, run("--url", "localhost:9200"));
    assertTrue(err.toString().contains("localhost:9200"), err::toString);
  }

  @Test
  void theHelpShowsExamples() {
    assertEquals(0, commandLine().execute("http", "--help"));
    assertTrue(out.toString().contains("tidemark bench http --url"), out::toString);
  }

  private static List<@Nullable Object> names(List<Map<String, @Nullable Object>> rows) {
    List<@Nullable Object> names = new ArrayList<>();
    rows.forEach(row -> names.add(row.get("name")));
    return names;
  }

  private int run(String... more) {
    List<String> args = new ArrayList<>(List.of("http", "--dir", folder.toString()));
    args.addAll(List.of("--rounds", "2", "--seconds", "0.2", "--connections", "4"));
    args.addAll(List.of(more));
    return commandLine().execute(args.toArray(String[]::new));
  }

  private CommandLine commandLine() {
    return Bench.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }

  private void assumeCounted() throws IOException {
    boolean counted = FileSystemFacts.of(folder).bytesTaken().isPresent();
    assumeTrue(counted, "the kernel does not count what this disk takes");
  }

  private void assumeOnDisk() throws IOException {
    assumeTrue(!FileSystemFacts.of(folder).inMemory(), "the folder for tests lies in memory");
  }
}
