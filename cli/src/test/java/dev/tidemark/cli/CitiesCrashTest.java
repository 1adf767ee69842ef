package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Real data, a real server, and SIGKILL in the middle of it. A place's id is its number in the
/// file.
final class CitiesCrashTest {
  private static final int CLIENTS = 4;
  private static final int REQUEST = 500;

  @TempDir private Path temp;

  @Test
  void everyAcknowledgedPlaceIsFoundValueForValueAfterAKillInTheMiddle() throws Exception {
    Seed seed = Seed.ofRun();
    List<String> places = Cities.places();
    Path data = temp.resolve("data");
    var acknowledged = new BitSet(places.size());
    try (var server = ServeProcess.start(data)) {
      int killAt = places.size() / 4 + seed.random().nextInt(places.size() / 2);
      write(server, places, acknowledged, killAt);
    }
    int before = acknowledged.cardinality();
    assertTrue(before > 0 && before < places.size(), before + " acknowledged, " + seed);

    try (var server = ServeProcess.start(data)) {
      var found = new BitSet(places.size());
      check(server, places, found);
      var lost = (BitSet) acknowledged.clone();
      lost.andNot(found);
      assertTrue(lost.isEmpty(), () -> "lost of " + before + ": " + lost + ", " + seed);

      // The rest, and a second kill: now all of them must be there.
      write(server, places, acknowledged, Integer.MAX_VALUE);
      assertEquals(places.size(), acknowledged.cardinality());
      server.kill();
    }
    try (var server = ServeProcess.start(data)) {
      assertTrue(server.get("/places/_count").body().contains("\"count\":" + places.size()));
      var found = new BitSet(places.size());
      check(server, places, found);
      assertEquals(places.size(), found.cardinality(), seed.toString());
    }
  }

  /// The whole file through the commands, into a second index by way of a dump.
  @Test
  void theFileLoadsAndItsDumpLoadsToTheSamePlaces() throws Exception {
    String file = Cities.file().toString();
    try (var server = ServeProcess.start(temp.resolve("data"))) {
      String[] to = {"--url", server.url()};
      Cli load = Cli.run("load", file, "--index", "places", to[0], to[1]);
      assertEquals(0, load.status(), load.err());
      assertTrue(load.out().startsWith("171,075 documents into places in "), load.out());
      Cli dump = Cli.run("dump", "--index", "places", to[0], to[1]);
      Path dumped = Files.writeString(temp.resolve("dump"), dump.out());
      load = Cli.run("load", dumped.toString(), "--index", "copy", to[0], to[1]);
      assertTrue(load.out().startsWith("171,075 documents into copy in "), load.out());
      Cli copy = Cli.run("dump", "--index", "copy", to[0], to[1]);
      assertEquals(documents(dump.out()), documents(copy.out()));
      assertEquals(
          Cities.places().stream().sorted().toList(),
          dump.out()
              .lines()
              .map(l -> l.substring(l.indexOf("\"_source\":") + 10, l.length() - 1))
              .sorted()
              .toList());
    }
  }

  /// Ids and sources of a dump: versions and sequence numbers are each index's own.
  private static List<String> documents(String dump) {
    return dump.lines()
        .map(l -> l.replaceFirst(",\"_version\":\\d+,\"_seq_no\":\\d+,", ","))
        .toList();
  }

  /// Writes what is not acknowledged yet with several clients; kills the server once `killAt` are.
  private static void write(
      ServeProcess server, List<String> places, BitSet acknowledged, int killAt) throws Exception {
    var next = new AtomicInteger();
    Callable<Void> client =
        () -> {
          int from = next.getAndAdd(REQUEST);
          while (from < places.size() && post(server, places, from, acknowledged, killAt)) {
            from = next.getAndAdd(REQUEST);
          }
          return null;
        };
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      for (Future<Void> done : clients.invokeAll(Collections.nCopies(CLIENTS, client))) {
        done.get();
      }
    }
  }

  /// Answers whether the server is still there.
  private static boolean post(
      ServeProcess server, List<String> places, int from, BitSet acknowledged, int killAt)
      throws InterruptedException {
    int to = Math.min(places.size(), from + REQUEST);
    var body = new StringBuilder();
    for (int i = from; i < to; i++) {
      body.append("{\"index\":{\"_id\":\"%d\"}}\n".formatted(i)).append(places.get(i)).append('\n');
    }
    ServeProcess.Reply reply;
    try {
      reply = server.post("/places/_bulk", body.toString());
    } catch (IOException e) {
      // Killed: what became of this request is unknown.
      return false;
    }
    if (reply.status() != 200 || !reply.body().contains("\"errors\":false")) {
      throw new AssertionError(reply.toString());
    }
    synchronized (acknowledged) {
      acknowledged.set(from, to);
      if (acknowledged.cardinality() >= killAt) {
        server.kill();
      }
    }
    return true;
  }

  /// Reads every place by its id, and compares those that are there with the file.
  private static void check(ServeProcess server, List<String> places, BitSet found)
      throws IOException, InterruptedException {
    for (int from = 0; from < places.size(); from += 1_000) {
      var body = new StringBuilder("{\"ids\":[");
      for (int i = from; i < Math.min(places.size(), from + 1_000); i++) {
        body.append(i == from ? "\"" : ",\"").append(i).append('"');
      }
      var reply = server.post("/places/_mget", body.append("]}").toString());
      assertEquals(200, reply.status(), reply.body());
      compare(reply.body().getBytes(UTF_8), places, found);
    }
  }

  private static void compare(byte[] reply, List<String> places, BitSet found) {
    try (JsonParser parser = Json.parser(reply)) {
      int id = -1;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.PROPERTY_NAME) {
          continue;
        }
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("_id")) {
          id = Integer.parseInt(parser.getString());
        } else if (name.equals("_source")) {
          assertEquals(places.get(id), new String(Json.slice(parser, reply), UTF_8));
          found.set(id);
        }
      }
    }
  }
}
