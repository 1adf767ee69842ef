package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths, methods, and parameters: what is taken, and how the rest is refused.
final class RoutesHttpTest {
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

  private static void assertReason(int status, String reason, Reply reply) {
    assertEquals(status, reply.status(), reply.body());
    assertTrue(reply.body().contains("\"reason\":\"" + reason + "\""), reply.body());
  }

  @Test
  void anUnknownParameterIsNamedAndTheNearestKnownOnesAreProposed() {
    assertReason(
        400,
        "request [/i/_doc/1] contains unrecognized parameter: [vesion] -> did you mean [version]?",
        server.get("/i/_doc/1?vesion=1"));
    assertReason(
        400,
        "request [/i/_doc/1] contains unrecognized parameter: [zzz]",
        server.put("/i/_doc/1?zzz", "{}"));
    assertReason(
        400,
        "request [/] contains unrecognized parameters: [prety] -> did you mean [pretty]?, [zzz]",
        server.get("/?zzz=1&prety=1"));
    assertEquals(404, server.get("/i").status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/i",
        "/i/_doc/1",
        "/i/_source/1",
        "/i/_mapping",
        "/i/_settings",
        "/i/_count",
        "/i/_refresh",
        "/_cat/indices",
        "/_cat/count",
        "/_cat/health",
        "/_cluster/health",
        "/_tidemark/status",
        "/_tidemark/dump/i"
      })
  void theCommonParametersAreTakenEverywhere(String path) {
    server.put("/i/_doc/1", "{}");
    Reply reply = server.get(path + "?pretty&human&error_trace=true&format=json&filter_path=**");
    assertEquals(200, reply.status(), reply.body());
    assertEquals(400, server.get(path + "?unheard_of").status());
  }

  @Test
  void aWrongMethodIsA405ThatSaysWhichAreRight() {
    Reply reply = server.send("DELETE", "/_bulk", new byte[0]);
    assertEquals(405, reply.status());
    assertEquals("PUT,POST", reply.header("allow"));
    assertEquals(
        "{\"error\":\"Incorrect HTTP method for uri [/_bulk] and method [DELETE], allowed: [PUT,"
            + " POST]\",\"status\":405}",
        reply.body());
    assertEquals(405, server.send("PATCH", "/i/_doc/1", new byte[0]).status());
    Reply options = server.send("OPTIONS", "/i", new byte[0]);
    assertEquals(200, options.status());
    assertEquals("GET,HEAD,PUT,DELETE", options.header("allow"));
  }

  @Test
  void anUnknownPathIsA400OfOpenSearchsShape() {
    Reply reply = server.get("/i/_nothing/1/2");
    assertEquals(400, reply.status());
    assertEquals(
        "{\"error\":\"no handler found for uri [/i/_nothing/1/2] and method [GET]\"}",
        reply.body());
  }

  @Test
  void aBodyWhereNoneIsTakenIsA400() {
    server.put("/i/_doc/1", "{}");
    Reply reply = server.send("DELETE", "/i/_doc/1", new byte[] {'{', '}'});
    assertReason(400, "request [DELETE /i/_doc/1] does not support having a body", reply);
    assertEquals(200, server.get("/i/_doc/1").status());
  }

  @Test
  void aSwitchTakesTrueFalseOrNothing() {
    server.put("/i/_doc/1", "{}");
    assertEquals(200, server.get("/i/_doc/1?realtime").status());
    assertReason(
        400,
        "Failed to parse value [yes] as only [true] or [false] are allowed.",
        server.get("/i/_doc/1?realtime=yes"));
  }

  @Test
  void filterPathAppliesToAnswersAndNotToErrors() {
    server.put("/i/_doc/1", "{\"a\":{\"b\":1.0,\"c\":[{\"d\":1},{\"e\":2}]}}");
    assertEquals("{\"_id\":\"1\"}", server.get("/i/_doc/1?filter_path=_id").body());
    assertEquals(
        "{\"_source\":{\"a\":{\"c\":[{\"d\":1}]}}}",
        server.get("/i/_doc/1?filter_path=_source.a.c.d").body());
    assertEquals(
        "{\"_source\":{\"a\":{\"b\":1.0}}}", server.get("/i/_doc/1?filter_path=**.b").body());
    assertEquals("{}", server.get("/i/_doc/1?filter_path=none").body());
    assertTrue(server.get("/no/_doc/1?filter_path=none").body().contains("no such index"));
  }

  @Test
  void yamlIsJsonInFlowStyle() {
    server.put("/i/_doc/1", "{\"a\":1}");
    Reply reply = server.get("/i/_source/1?format=yaml");
    assertEquals("---\n{\"a\":1}", reply.body());
    assertEquals("application/yaml", reply.header("content-type"));
  }

  @Test
  void theHeaderAcceptChoosesTheFormatWhereTheRequestDoesNot() {
    server.put("/i/_doc/1", "{\"a\":1}");
    Reply yaml = server.send("GET", "/i/_source/1", new byte[0], "Accept", "application/yaml");
    assertEquals("---\n{\"a\":1}", yaml.body());
    Reply json = server.send("GET", "/_cat/indices?h=i", new byte[0], "Accept", "application/json");
    assertEquals("[{\"i\":\"i\"}]", json.body());
    Reply text =
        server.send(
            "GET", "/_cat/indices?h=i&format=text", new byte[0], "Accept", "application/json");
    assertEquals("i\n", text.body());
  }

  @Test
  void theRootSaysWhichApiThisIs() {
    Reply reply = server.get("/");
    assertTrue(reply.body().contains("\"distribution\":\"opensearch\",\"number\":\"2.19.0\""));
    assertTrue(reply.body().contains("\"cluster_uuid\":\""));
  }

  @Test
  void aRequestLineOverItsLimitGetsAnErrorOfTheUsualShape() throws java.io.IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(RawConnection.head("GET", "/i/_doc/" + "x".repeat(20_000)));
      Reply reply = connection.read();
      assertEquals(414, reply.status());
      assertTrue(reply.body().contains("\"type\":\"too_long_frame_exception\""), reply.body());
    }
  }
}
