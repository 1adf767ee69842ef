package dev.tidemark.server.spec;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.reducing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.tidemark.server.TidemarkServer;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/// OpenSearch's own tests of its REST API, for the areas that Tidemark has.
///
/// A test that cannot pass yet stands in `rest-suite-known-failures.txt` with its reason. It is run
/// all the same: once it passes, the list must lose it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestSuiteTest {
  /// What becomes of the tests of an area.
  ///
  /// @param passed tests that pass
  /// @param known tests that fail, and are listed
  /// @param skipped tests that the suite leaves out
  private record Tally(int passed, int known, int skipped) {
    private static final Tally NONE = new Tally(0, 0, 0);
    private static final Tally PASSED = new Tally(1, 0, 0);
    private static final Tally KNOWN = new Tally(0, 1, 0);
    private static final Tally SKIPPED = new Tally(0, 0, 1);

    Tally plus(Tally other) {
      return new Tally(passed + other.passed, known + other.known, skipped + other.skipped);
    }
  }

  /// All the tests that the artifact holds of these areas. Written down, so that no test gets lost
  /// unnoticed, and that the list of known failures only shrinks.
  private static final Map<String, Tally> EXPECTED =
      Map.ofEntries(
          Map.entry("bulk", new Tally(14, 1, 0)),
          Map.entry("cat.count", new Tally(2, 0, 0)),
          Map.entry("cat.indices", new Tally(10, 2, 1)),
          Map.entry("cluster.health", new Tally(9, 2, 1)),
          Map.entry("create", new Tally(5, 4, 0)),
          Map.entry("delete", new Tally(9, 3, 0)),
          Map.entry("exists", new Tally(3, 1, 0)),
          Map.entry("get", new Tally(8, 1, 1)),
          Map.entry("get_source", new Tally(8, 1, 0)),
          Map.entry("index", new Tally(12, 16, 3)),
          Map.entry("indices.create", new Tally(7, 1, 0)),
          Map.entry("indices.delete", new Tally(8, 0, 0)),
          Map.entry("indices.exists", new Tally(2, 1, 0)),
          Map.entry("indices.refresh", new Tally(3, 0, 0)),
          Map.entry("info", new Tally(2, 0, 0)),
          Map.entry("mget", new Tally(16, 2, 0)),
          Map.entry("ping", new Tally(1, 0, 0)),
          Map.entry("update", new Tally(12, 3, 1)));

  private RestSuite suite;
  private KnownFailures knownFailures;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private DocumentStore store;
  private TidemarkServer server;
  private RestClient client;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    suite = RestSuite.load(EXPECTED.keySet().stream().sorted().toList());
    knownFailures = KnownFailures.load("/rest-suite-known-failures.txt");
    store = DocumentStore.open(directory.resolve("data"), StoreOptions.defaults());
    server = TidemarkServer.start(store, "127.0.0.1", 0);
    client = new RestClient("http://127.0.0.1:" + server.port());
  }

  @AfterAll
  void stop() {
    tallies.forEach(RestSuiteTest::report);
    report("all areas", tallies.values().stream().reduce(Tally.NONE, Tally::plus));
    client.close();
    server.close();
    store.close();
  }

  private static void report(String area, Tally tally) {
    System.out.printf(
        "REST suite %-16s %3d passed, %2d known failures, %2d skipped%n",
        area, tally.passed(), tally.known(), tally.skipped());
  }

  @Test
  void everyTestThatTheArtifactHoldsIsAccountedFor() {
    Map<String, Tally> found =
        suite.cases().stream()
            .collect(
                groupingBy(RestCase::area, reducing(Tally.NONE, this::expectation, Tally::plus)));
    assertEquals(new TreeMap<>(EXPECTED), new TreeMap<>(found));
  }

  private Tally expectation(RestCase test) {
    if (test.skipped() != null) {
      return Tally.SKIPPED;
    }
    return knownFailures.reason(test) == null ? Tally.PASSED : Tally.KNOWN;
  }

  @Test
  void everyKnownFailureIsATestOfTheArtifact() {
    assertEquals(Set.of(), knownFailures.unknown(suite.cases()));
  }

  @TestFactory
  Stream<DynamicNode> areas() {
    return suite.byArea().entrySet().stream()
        .map(area -> dynamicContainer(area.getKey(), area.getValue().stream().map(this::node)));
  }

  private DynamicNode node(RestCase test) {
    return dynamicTest(test.file() + ": " + test.name(), () -> run(test));
  }

  private void run(RestCase test) {
    if (test.skipped() != null) {
      count(test, Tally.SKIPPED);
      throw new TestAbortedException("the suite skips it: " + test.skipped());
    }
    String reason = knownFailures.reason(test);
    try {
      test.run(suite.apis(), client);
    } catch (AssertionError e) {
      if (reason == null) {
        throw e;
      }
      count(test, Tally.KNOWN);
      throw new TestAbortedException("cannot pass yet: " + reason, e);
    }
    if (reason != null) {
      throw new AssertionError(
          "[" + test.fullName() + "] passes: remove it from the list of known failures");
    }
    count(test, Tally.PASSED);
  }

  private void count(RestCase test, Tally one) {
    tallies.merge(test.area(), one, Tally::plus);
  }
}
