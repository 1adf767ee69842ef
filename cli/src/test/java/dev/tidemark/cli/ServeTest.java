package dev.tidemark.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `serve` as a process: how it starts, stops, and says why it can't.
final class ServeTest {
  @TempDir private Path temp;

  @Test
  void aSignalStopsItInOrderAndNothingIsLeftToReplay() throws Exception {
    Path data = temp.resolve("new/data");
    try (var server = ServeProcess.start(data)) {
      assertTrue(server.ready().contains("\"data\":" + Json.quote(data.toString())));
      assertEquals(201, server.put("/notes/_doc/1", "{\"n\":1.50}").status());
      assertEquals(143, server.terminate());
      assertEquals("", server.err());
    }
    try (var server = ServeProcess.start(data)) {
      assertEquals("{\"n\":1.50}", server.get("/notes/_source/1").body());
      assertEquals(143, server.terminate());
    }
  }

  @Test
  void theSampleIsLoadedOnceAndAsItsSourceHasIt() throws Exception {
    Path data = temp.resolve("data");
    try (var server = ServeProcess.start(data, "--sample")) {
      assertTrue(server.get("/movies/_count").body().contains("\"count\":3201"));
      String film = server.get("/movies/_source/22").body();
      assertTrue(film.startsWith("{\"Title\":1776,\"US Gross\":0,"), film);
      assertTrue(film.contains("\"Release Date\":\"Nov 09 1972\""), film);
      assertEquals(200, server.delete("/movies/_doc/22").status());
      server.terminate();
    }
    try (var server = ServeProcess.start(data, "--sample")) {
      assertEquals(404, server.get("/movies/_doc/22").status());
      assertTrue(server.get("/movies/_count").body().contains("\"count\":3200"));
    }
  }

  @Test
  void everyFilmIsKeptWithItsLiterals() throws Exception {
    Path source = Path.of("src/main/resources/dev/tidemark/cli/sample/movies.ndjson");
    List<String> lines = Files.readAllLines(source);
    assertEquals(3_201, lines.size());
    try (var server = ServeProcess.start(temp.resolve("data"), "--sample")) {
      Cli dump = Cli.run("dump", "--index", "movies", "--url", server.url());
      assertEquals(0, dump.status(), dump.err());
      List<String> dumped = dump.out().lines().toList();
      assertEquals(3_201, dumped.size());
      for (String line : dumped) {
        int number = Integer.parseInt(line.substring("{\"_id\":\"".length(), line.indexOf("\",")));
        String kept = line.substring(line.indexOf("\"_source\":") + 10, line.length() - 1);
        assertEquals(withoutSpace(lines.get(number - 1)), kept);
      }
    }
  }

  /// The source's lines have a space behind each colon and comma between tokens, and nowhere else.
  private static String withoutSpace(String line) {
    var text = new StringBuilder();
    boolean inString = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && line.charAt(i - 1) != '\\') {
        inString = !inString;
      }
      if (inString || c != ' ') {
        text.append(c);
      }
    }
    return text.toString();
  }

  @Test
  void aPortInUseIsNamedAndTheDataStaysUntouched() throws Exception {
    Path data = temp.resolve("data");
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Cli failed = ServeProcess.fail(data, "--port", String.valueOf(taken.getLocalPort()));
      assertClear(failed, "port " + taken.getLocalPort());
      assertFalse(Files.exists(data));
    }
  }

  @Test
  void aFolderThatAnotherServerHoldsIsRefused() throws Exception {
    Path data = temp.resolve("data");
    try (var first = ServeProcess.start(data)) {
      assertEquals(201, first.put("/notes/_doc/1", "{}").status());
      assertClear(ServeProcess.fail(data), data.toString());
      assertEquals(200, first.get("/notes/_doc/1").status());
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertClear(ServeProcess.fail(file), file.toString());
    assertClear(ServeProcess.fail(file.resolve("below")), file.toString());
    assertEquals("", Files.readString(file));
  }

  @Test
  void anAddressThatIsNoneIsNamed() throws Exception {
    assertClear(ServeProcess.fail(temp.resolve("d"), "--host", "no.such.host.invalid"), "--host");
    assertClear(ServeProcess.fail(temp.resolve("d"), "--port", "65536"), "65536");
  }

  /// Status 1, and one paragraph that names what it is about.
  private static void assertClear(Cli failed, String named) {
    assertEquals(1, failed.status(), failed.err());
    assertEquals("", failed.out());
    assertTrue(failed.err().contains(named), failed.err());
    assertEquals(1, failed.err().lines().count(), failed.err());
  }
}
