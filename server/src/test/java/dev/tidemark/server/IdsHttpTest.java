package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import dev.tidemark.server.TestServer.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An id is the same by URL and in a body, whatever characters it has.
final class IdsHttpTest {
  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String quoted(String id) {
    JsonOutput out = new JsonOutput().value(id);
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "a%2Fb, a/b",
    "a+b, a+b",
    "a%2Bb, a+b",
    "a%20b, a b",
    "a%25b, a%b",
    "a%252Fb, a%2Fb",
    "%E4%B8%AD%E6%96%87, 中文",
    "%F0%9F%98%80, 😀",
    "a;b=c, a;b=c",
    "a:b@c, a:b@c",
    "%2E%2E, ..",
    "_x, _x"
  })
  void aPathIsDecodedOnce(String raw, String id) {
    Reply written = server.put("/i/_doc/" + raw, "{\"x\":1}");
    assertEquals(201, written.status(), written.body());
    assertTrue(written.body().contains("\"_id\":" + quoted(id) + ","), written.body());
    Reply byBody =
        server.post("/_mget", "{\"docs\":[{\"_index\":\"i\",\"_id\":" + quoted(id) + "}]}");
    assertTrue(byBody.body().contains("\"found\":true"), byBody.body());
    String location = written.header("location");
    assertEquals(200, server.get(location).status(), location);
  }

  @Test
  void anyIdWrittenInABulkIsFoundByItsUrl() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    for (int i = 0; i < 100; i++) {
      StringBuilder id = new StringBuilder();
      int length = random.nextInt(1, 20);
      for (int c = 0; c < length; c++) {
        int codePoint = random.nextInt(3) == 0 ? random.nextInt(0x20000) : random.nextInt(128);
        boolean surrogate = codePoint >= 0xd800 && codePoint < 0xe000;
        id.appendCodePoint(surrogate ? 'x' : codePoint);
      }
      String text = id.toString();
      Reply bulk =
          server.bulk(
              "{\"index\":{\"_index\":\"i\",\"_id\":" + quoted(text) + "}}\n{\"i\":" + i + "}\n");
      assertTrue(bulk.body().contains("\"errors\":false"), seed + " " + bulk.body());
      Reply got = server.get("/i/_doc/" + encoded(text));
      assertTrue(got.body().endsWith("\"_source\":{\"i\":" + i + "}}"), seed + " " + got.body());
      assertTrue(got.body().contains("\"_id\":" + quoted(text) + ","), seed + " " + got.body());
    }
  }

  @ParameterizedTest
  @CsvSource({"x, 511", "x, 512", "中, 510", "é, 512", "😀, 512"})
  void idsOfUpTo512BytesAreKeptByUrlAndInABulk(String character, int bytes) {
    String id = character.repeat(bytes / character.getBytes(StandardCharsets.UTF_8).length);
    assertEquals(201, server.put("/i/_doc/" + encoded(id), "{}").status());
    assertEquals(200, server.get("/i/_doc/" + encoded(id)).status());
    Reply bulk = server.bulk("{\"index\":{\"_index\":\"j\",\"_id\":\"" + id + "\"}}\n{}\n");
    assertTrue(bulk.body().contains("\"errors\":false"), bulk.body());
    assertEquals(200, server.get("/j/_doc/" + encoded(id)).status());
  }

  @ParameterizedTest
  @CsvSource({"x, 513", "中, 513", "é, 514", "😀, 516"})
  void idsOverThatAreA400ByUrlAndInABulkAndNothingIsWritten(String character, int bytes) {
    String id = character.repeat(bytes / character.getBytes(StandardCharsets.UTF_8).length);
    String message = "is too long, must be no longer than 512 bytes but was: " + bytes;
    for (String path : new String[] {"/i/_doc/", "/i/_create/"}) {
      Reply byUrl = server.put(path + encoded(id), "{}");
      assertEquals(400, byUrl.status());
      assertTrue(byUrl.body().contains(message), byUrl.body());
      assertTrue(byUrl.body().contains("action_request_validation_exception"), byUrl.body());
    }
    assertEquals(400, server.post("/i/_update/" + encoded(id), "{\"doc\":{}}").status());
    Reply bulk =
        server.bulk(
            "{\"index\":{\"_index\":\"i\",\"_id\":\"ok\"}}\n{}\n"
                + "{\"index\":{\"_index\":\"i\",\"_id\":\""
                + id
                + "\"}}\n{}\n");
    assertEquals(400, bulk.status());
    assertTrue(bulk.body().contains(message + ", on line 3"), bulk.body());
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void bytesThatAreNoUtf8AreA400() {
    for (String raw : new String[] {"%FF", "%C0%80", "%ED%A0%80", "%E4%B8", "%4", "%zz", "%"}) {
      assertEquals(400, rawGet("/i/_doc/" + raw), raw);
    }
  }

  @Test
  void charactersThatAreNotEncodedAreA400RatherThanAnotherId() {
    assertEquals(400, rawGet("/i/_doc/中"));
  }

  private int rawGet(String path) {
    try (RawConnection connection = server.connect()) {
      connection.write(RawConnection.head("GET", path));
      return connection.read().status();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void documentsWithoutAnIdGetOneThatNeedsNoEncoding() {
    Reply first = server.post("/i/_doc", "{\"n\":1}");
    assertEquals(201, first.status());
    String location = first.header("location");
    assertTrue(location.matches("/i/_doc/[A-Za-z0-9_-]{20}"), location);
    assertEquals(200, server.get(location).status());
    assertTrue(!server.post("/i/_doc", "{}").header("location").equals(location));
  }
}
