package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `load` does when the server is busy, refuses, breaks or is slow.
final class LoadFaultTest {
  @TempDir private Path temp;

  @Test
  void aBusyServerIsAskedAgainUntilItTakesTheSameRequest() throws Exception {
    var received = new ArrayList<String>();
    try (var server =
        new BulkServer(
            BulkServer.recording(
                received,
                body ->
                    switch (received.size()) {
                      case 1 -> new BulkServer.Reply(429, "{}");
                      case 2 -> new BulkServer.Reply(503, "no JSON");
                      default -> BulkServer.takeAll(body);
                    }))) {
      Cli load = load(server, "{\"a\":1}\n{\"a\":2}\n", "--in-flight", "1", "--id-field", "a");
      assertEquals(0, load.status(), load.err());
      assertTrue(load.out().startsWith("2 documents into i "), load.out());
      String body =
          "{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n{\"index\":{\"_id\":\"2\"}}\n{\"a\":2}\n";
      assertEquals(List.of(body, body, body), received);
    }
  }

  @Test
  void aServerThatStaysBusyEndsTheLoadAndNothingOfTheRequestCounts() throws Exception {
    try (var server =
            new BulkServer(
                body ->
                    new BulkServer.Reply(
                        429,
                        "{\"error\":{\"root_cause\":[],\"type\":\"full\",\"reason\":\"too much\"},\"status\":429}"));
        var api = new Api(server.url());
        var rejects = new Rejects(temp.resolve("rejects"))) {
      var sender = new Sender(api, "i", rejects, Duration.ofMillis(1));
      var change = new Entry.Change(7, null, BulkAction.index("1", null), "{}".getBytes(UTF_8));
      var e = assertThrows(UserError.class, () -> sender.send(List.of(change)));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("answered 429: full: too much"), message);
      assertTrue(message.contains("0 documents are acknowledged"), message);
      assertTrue(message.contains("lines 7 to 7"), message);
      assertEquals(0, sender.taken());
    }
  }

  /// A server may fail behind the moment when it has logged the request.
  @Test
  void aFailureIsNotRepeatedWhereThatCouldKeepADocumentTwice() throws Exception {
    for (int status : List.of(503, 500)) {
      var received = new ArrayList<String>();
      try (var server =
          new BulkServer(
              BulkServer.recording(received, body -> new BulkServer.Reply(status, "{}")))) {
        Cli load = load(server, "{\"a\":1}\n");
        assertEquals(1, load.status());
        assertTrue(load.err().contains("answered " + status + " - 0 documents"), load.err());
        assertTrue(load.err().contains("1 more were under way and may or may not"), load.err());
        assertEquals(1, received.size());
      }
    }
  }

  @Test
  void changesOfOneDocumentArriveInTheFilesOrderHoweverManyRequestsAreUnderWay() throws Exception {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    String file =
        IntStream.range(0, 4_000)
            .mapToObj(i -> "{\"id\":%d,\"n\":%d}\n".formatted(random.nextInt(40), i))
            .collect(Collectors.joining());
    Map<Integer, Integer> lastOfId = new HashMap<>();
    var atOnce = new AtomicInteger();
    var mostAtOnce = new AtomicInteger();
    var tooLong = new AtomicBoolean();
    try (var server =
        new BulkServer(
            body -> {
              mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
              Thread.sleep(body.length() % 7);
              tooLong.compareAndSet(false, body.length() > 700);
              applyInOrder(body, lastOfId, seed);
              atOnce.decrementAndGet();
              return BulkServer.takeAll(body);
            })) {
      Cli load = load(server, file, "--id-field", "id", "--in-flight", "6", "--bulk-bytes", "700");
      assertEquals(0, load.status(), () -> load.err() + seed);
      assertTrue(load.out().startsWith("4,000 documents"), load.out());
      assertTrue(mostAtOnce.get() > 1 && mostAtOnce.get() <= 6, mostAtOnce + " at once, " + seed);
      assertFalse(tooLong.get(), "too long a request");
    }
  }

  /// Fails the request, and so the load, if a document's later change came first.
  private static void applyInOrder(String body, Map<Integer, Integer> lastOfId, Seed seed) {
    synchronized (lastOfId) {
      for (String line : body.lines().filter(l -> l.startsWith("{\"id\"")).toList()) {
        String[] numbers = line.replaceAll("[^0-9,]", "").split(",", -1);
        int n = Integer.parseInt(numbers[1]);
        Integer before = lastOfId.put(Integer.valueOf(numbers[0]), n);
        if (before != null && before > n) {
          throw new IllegalStateException(before + " before " + n + ", " + seed);
        }
      }
    }
  }

  @Test
  void whatIsRejectedIsCountedAndKeptWithLineReasonAndText() throws Exception {
    try (var server =
        new BulkServer(
            body ->
                new BulkServer.Reply(
                    200,
                    "{\"took\":1,\"errors\":true,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}},{\"index\":{\"status\":400,\"error\":{\"type\":\"mapper\",\"reason\":\"bad \\\"x\\\"\",\"caused_by\":{\"type\":\"json\",\"reason\":\"at 3\"}}}}]}"))) {
      Path rejects = temp.resolve("i.rejects.ndjson");
      Files.writeString(rejects, "of an earlier run\n");
      Cli load =
          load(
              server,
              "{\"id\":\"1\"}\n\n{\"id\":\"2\",\u00e9:\"\"}\n{\"other\":1}\n"
                  .replace(",\u00e9:", ",\"\u00e9\":"),
              "--id-field",
              "id",
              "--in-flight",
              "1",
              "--rejects",
              rejects.toString());
      assertEquals(3, load.status(), load.err());
      assertTrue(load.out().startsWith("1 documents into i "), load.out());
      assertTrue(load.out().contains("2 rejected: see " + rejects), load.out());
      assertEquals(
          """
          {"line":4,"reason":"no string or number in the field \\"id\\" for an id","text":"{\\"other\\":1}"}
          {"line":3,"reason":"mapper: bad \\"x\\": json: at 3","text":"{\\"id\\":\\"2\\",\\"\u00e9\\":\\"\\"}"}
          """,
          Files.readString(rejects));
    }
  }

  @Test
  void aBulkFilesRejectsShowActionAndDocument() throws Exception {
    try (var server =
        new BulkServer(
            body ->
                new BulkServer.Reply(
                    200,
                    "{\"items\":[{\"create\":{\"status\":409,\"error\":{\"type\":\"conflict\"}}}]}"))) {
      Path rejects = temp.resolve("r");
      String file = "{\"create\":{\"_id\":\"1\"}}\n{\"a\":1}\n";
      Cli load = load(server, file, "--json", "--rejects", rejects.toString());
      assertEquals(3, load.status(), load.err());
      assertTrue(
          load.out()
              .startsWith(
                  "{\"index\":\"i\",\"taken\":0,\"rejected\":1,\"rejects\":%s,\"bytes\":%d,\"seconds\":"
                      .formatted(Json.quote(rejects.toString()), file.length())),
          load.out());
      assertEquals(
          "{\"line\":1,\"reason\":\"conflict\",\"text\":\"{\\\"create\\\":{\\\"_id\\\":\\\"1\\\"}}\\n{\\\"a\\\":1}\"}\n",
          Files.readString(rejects));
    }
  }

  @Test
  void withoutRejectsThereIsNoFileOfThem() throws Exception {
    try (var server = new BulkServer(BulkServer::takeAll)) {
      Path rejects = temp.resolve("none");
      Cli load = load(server, "{}\n", "--json", "--rejects", rejects.toString());
      assertEquals(0, load.status(), load.err());
      assertTrue(load.out().contains("\"taken\":1,\"rejected\":0,\"rejects\":null,"), load.out());
      assertFalse(Files.exists(rejects));
    }
  }

  @Test
  void aRequestRefusedAsAWholeStopsTheLoadWithItsReason() throws Exception {
    try (var server =
        new BulkServer(
            body ->
                new BulkServer.Reply(
                    403,
                    "{\"error\":{\"type\":\"cluster_block_exception\",\"reason\":\"index [i] is read-only\"}}"))) {
      Cli load = load(server, "{}\n{}\n");
      assertEquals(1, load.status());
      String address = server.url() + "/i/_bulk answered 403: cluster_block_exception: index [i]";
      assertTrue(load.err().contains(address), load.err());
      assertTrue(load.err().contains("0 documents are acknowledged"), load.err());
      assertEquals(1, load.err().lines().count(), load.err());
    }
  }

  @Test
  void aRequestRefusedForOneOfItsChangesCostsThatOneAlone() throws Exception {
    Path rejects = temp.resolve("rejects");
    try (var server =
        new BulkServer(
            body ->
                body.contains("bad")
                    ? new BulkServer.Reply(400, "{\"error\":{\"type\":\"t\",\"reason\":\"r\"}}")
                    : BulkServer.takeAll(body))) {
      String file = "{\"a\":1}\n".repeat(61) + "{\"bad\":1}\n" + "{\"a\":1}\n".repeat(38);
      Cli load = load(server, file, "--rejects", rejects.toString());
      assertEquals(3, load.status(), load.err());
      assertTrue(load.out().startsWith("99 documents into i "), load.out());
      assertEquals(
          "{\"line\":62,\"reason\":\"t: r\",\"text\":\"{\\\"bad\\\":1}\"}\n",
          Files.readString(rejects));
    }
  }

  @Test
  void aLostConnectionTellsWhatIsAcknowledgedAndWhatIsUnknown() throws Exception {
    var requests = new AtomicInteger();
    try (var server =
        new BulkServer(
            body -> {
              if (requests.incrementAndGet() > 2) {
                throw new IOException("the server breaks");
              }
              return BulkServer.takeAll(body);
            })) {
      Cli load = load(server, "{}\n".repeat(4), "--in-flight", "1", "--bulk-bytes", "16");
      assertEquals(1, load.status());
      assertTrue(load.err().contains("was lost"), load.err());
      assertTrue(
          load.err().contains("2 documents are acknowledged, 1 more were under way"), load.err());
    }
  }

  @Test
  void aServerThatGoesAwayBetweenRequestsIsNoServerThatNeverWas() throws Exception {
    var holder = new BulkServer[1];
    try (var server =
        new BulkServer(
            body -> {
              // Takes no further connection; the answer ends the one it came by.
              holder[0].close();
              return BulkServer.takeAll(body);
            })) {
      holder[0] = server;
      Cli load = load(server, "{}\n".repeat(2), "--in-flight", "1", "--bulk-bytes", "16");
      assertEquals(1, load.status());
      assertTrue(load.err().contains("may or may not be kept"), load.err());
      assertEquals(1, load.err().lines().count(), load.err());
    }
  }

  @Test
  void aReplyThatDoesNotMatchTheRequestCountsNothing() throws Exception {
    for (String reply : List.of("{\"items\":[{\"index\":{\"status\":201}}]}", "{\"items\":[", "")) {
      try (var server = new BulkServer(body -> new BulkServer.Reply(200, reply))) {
        Cli load = load(server, "{}\n{}\n", "--in-flight", "1");
        assertEquals(1, load.status(), reply);
        assertTrue(load.err().contains("0 documents are acknowledged, 2 more"), load.err());
      }
    }
  }

  @Test
  void withoutAServerItSaysHowToStartOne() throws Exception {
    String url;
    try (var server = new BulkServer(BulkServer::takeAll)) {
      url = server.url();
    }
    Path file = Files.writeString(temp.resolve("f"), "{}\n");
    for (Cli cli :
        List.of(
            Cli.run("load", file.toString(), "--index", "i", "--url", url),
            Cli.run("dump", "--index", "i", "--url", url),
            Cli.run("status", "--url", url + "/"))) {
      assertEquals(1, cli.status());
      assertTrue(cli.err().contains("No server answers at " + url + ". Start one"), cli.err());
      assertEquals(1, cli.err().lines().count(), cli.err());
    }
  }

  @Test
  void aBrokenFileIsLoadedUpToItsBreak() throws Exception {
    var received = new ArrayList<String>();
    try (var server = new BulkServer(BulkServer.recording(received, BulkServer::takeAll))) {
      Cli load = load(server, "[{\"a\":1},\n{\"a\":2}\n{\"a\":3}]");
      assertEquals(1, load.status());
      assertTrue(load.err().contains("Line 3 is broken"), load.err());
      assertTrue(load.err().contains("2 documents are acknowledged"), load.err());
      assertFalse(String.join("", received).contains("3"));
    }
  }

  @Test
  void rejectsThatCannotBeWrittenStopTheLoad() throws Exception {
    try (var server = new BulkServer(BulkServer::takeAll)) {
      Cli load = load(server, "{}\n", "--id-field", "id", "--rejects", temp + "/no/such/folder");
      assertEquals(1, load.status());
      assertTrue(load.err().contains("can't be written"), load.err());
    }
  }

  @Test
  void aTerminalSeesABarThatIsRedrawnAndAFileSeesNoControlCharacters() throws Exception {
    var done = new CountDownLatch(1);
    try (var server =
        new BulkServer(
            body -> {
              done.await(1, TimeUnit.SECONDS);
              return BulkServer.takeAll(body);
            })) {
      Path file = Files.writeString(temp.resolve("f"), "{}\n".repeat(9));
      String[] arguments = {"load", file.toString(), "--index", "i", "--url", server.url()};
      Cli terminal = Cli.runWith(new byte[0], Screen.TERMINAL, arguments);
      assertTrue(terminal.err().startsWith("\r[#####"), terminal.err());
      assertTrue(terminal.err().endsWith("\r\033[K"), terminal.err());
      done.countDown();
      Cli plain = Cli.runWith(new byte[0], Screen.PLAIN, arguments);
      assertEquals("", plain.err());
    }
  }

  /// 150 MB through a heap of 48 MB, small documents and large ones.
  @Test
  void memoryDoesNotGrowWithTheFile() throws Exception {
    try (var server = new BulkServer(BulkServer::takeAll)) {
      Process load =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx48m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Tidemark.class.getName(),
                  "load",
                  "-",
                  "--index",
                  "i",
                  "--url",
                  server.url())
              .redirectError(temp.resolve("err").toFile())
              .start();
      try (var in = load.getOutputStream()) {
        byte[] small = "{\"a\":\"some text\"}\n".repeat(1_000).getBytes(UTF_8);
        byte[] large = ("{\"s\":\"" + "x".repeat(4 << 20) + "\"}\n").getBytes(UTF_8);
        for (int i = 0; i < 25; i++) {
          for (int k = 0; k < 60; k++) {
            in.write(small);
          }
          in.write(large);
        }
      }
      String out = new String(load.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, load.waitFor(), Files.readString(temp.resolve("err")));
      assertTrue(out.startsWith("1,500,025 documents"), out);
    }
  }

  private Cli load(BulkServer server, String text, String... more) throws IOException {
    Path file = Files.writeString(temp.resolve("file"), text);
    var arguments =
        new ArrayList<String>(
            List.of("load", file.toString(), "--index", "i", "--url", server.url()));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }
}
