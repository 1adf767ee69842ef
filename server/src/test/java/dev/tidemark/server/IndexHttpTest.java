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
import org.junit.jupiter.params.provider.CsvSource;

/// Indices: their names, settings, mappings, aliases, and the expressions that name them.
final class IndexHttpTest {
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

  private static void assertError(int status, String type, String reason, Reply reply) {
    assertEquals(status, reply.status(), reply.body());
    String error = "\"type\":\"" + type + "\",\"reason\":\"" + reason + "\"";
    assertTrue(reply.body().contains(error), reply.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Up; must be lowercase",
        "a%2Fb; must not contain the following characters [ , \\\", *, \\\\, <, |, ,, >, /, ?]",
        "a%2Ab; must not contain the following characters [ , \\\", *, \\\\, <, |, ,, >, /, ?]",
        "a%20b; must not contain the following characters [ , \\\", *, \\\\, <, |, ,, >, /, ?]",
        "a,b; must not contain the following characters [ , \\\", *, \\\\, <, |, ,, >, /, ?]",
        "a%23b; must not contain '#'",
        "a:b; must not contain ':'",
        "-a; must not start with '_', '-', or '+'",
        "+a; must not start with '_', '-', or '+'",
        "_a; must not start with '_', '-', or '+'",
        "%2E; must not be '.' or '..'",
        "%2E%2E; must not be '.' or '..'"
      })
  void namesKeepOpenSearchsRulesWhetherCreatedOrWrittenTo(String name, String rule) {
    Reply created = server.send("PUT", "/" + name, new byte[0]);
    assertEquals(400, created.status(), created.body());
    assertTrue(
        created.body().contains("\"type\":\"invalid_index_name_exception\""), created.body());
    assertTrue(created.body().contains("], " + rule + "\""), created.body());
    Reply written = server.put("/" + name + "/_doc/1", "{}");
    assertEquals(400, written.status(), written.body());
    assertTrue(written.body().contains("], " + rule + "\""), written.body());
  }

  @Test
  void namesMayHave255BytesAndNoMore() {
    assertEquals(200, server.send("PUT", "/" + "x".repeat(255), new byte[0]).status());
    Reply reply = server.send("PUT", "/" + "x".repeat(256), new byte[0]);
    assertTrue(reply.body().contains("index name is too long, (256 > 255)"), reply.body());
    assertEquals(400, server.send("PUT", "/" + "%C3%A9".repeat(128), new byte[0]).status());
  }

  @Test
  void anIndexIsShownAsItWasCreatedWithWhatEveryIndexHas() {
    Reply created =
        server.put(
            "/i",
            "{\"settings\":{\"number_of_shards\":2,\"index\":{\"refresh_interval\":\"5s\"},"
                + "\"index.number_of_replicas\":\"0\"},"
                + "\"mappings\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}},"
                + "\"aliases\":{\"b\":{\"routing\":\"r\"}}}");
    assertEquals(
        "{\"acknowledged\":true,\"shards_acknowledged\":true,\"index\":\"i\"}", created.body());
    String shown =
        server
            .get("/i")
            .body()
            .replaceAll("\"creation_date\":\"[0-9]{13}\"", "\"creation_date\":\"t\"")
            .replaceAll("\"uuid\":\"[\\w-]{22}\"", "\"uuid\":\"u\"");
    assertEquals(
        "{\"i\":{\"aliases\":{\"b\":{\"index_routing\":\"r\",\"search_routing\":\"r\"}},"
            + "\"mappings\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}},"
            + "\"settings\":{\"index\":{\"creation_date\":\"t\",\"number_of_shards\":\"2\","
            + "\"number_of_replicas\":\"0\",\"uuid\":\"u\",\"provided_name\":\"i\","
            + "\"refresh_interval\":\"5s\",\"version\":{\"created\":\"136407827\"}}}}}",
        shown);
    assertEquals(
        "{\"i\":{\"settings\":{\"index.number_of_shards\":\"2\"}}}",
        server.get("/i/_settings/index.number_of_shards?flat_settings=true").body());
    assertTrue(
        server
            .get("/i/_settings?include_defaults&flat_settings")
            .body()
            .contains("\"defaults\":{"));
    assertEquals(
        "{\"i\":{\"mappings\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}}}}",
        server.get("/_mapping").body());
  }

  @Test
  void anIndexMadeByItsFirstDocumentHasTheDefaults() {
    server.put("/i/_doc/1", "{}");
    assertEquals(
        "{\"i\":{\"settings\":{\"index\":{\"number_of_shards\":\"1\",\"number_of_replicas\":\"1\"}}}}",
        server.get("/i/_settings/index.number*").body());
  }

  @Test
  void whatOpenSearchRefusesToCreateIsRefusedAndNotCreated() {
    assertError(
        400,
        "illegal_argument_exception",
        "unknown setting [index.qqqqqqqqqqqq] please check that any required plugins are installed, or"
            + " check the breaking changes documentation for removed settings",
        server.put("/i", "{\"settings\":{\"qqqqqqqqqqqq\":1}}"));
    assertError(
        400,
        "illegal_argument_exception",
        "Failed to parse value [0] for setting [index.number_of_shards] must be >= 1",
        server.put("/i", "{\"settings\":{\"number_of_shards\":0}}"));
    assertError(
        400,
        "validation_exception",
        "Validation Failed: 1: private index setting [index.uuid] can not be set explicitly;",
        server.put("/i", "{\"settings\":{\"uuid\":\"x\"}}"));
    assertError(
        400,
        "parse_exception",
        "unknown key [setings] for create index",
        server.put("/i", "{\"setings\":{}}"));
    for (String body :
        new String[] {
          "{\"mappings\":{\"properties\":{\"\":{\"type\":\"keyword\"}}}}",
          "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"keywrd\"}}}}",
          "{\"mappings\":{\"properties\":{\"a\":1}}}",
          "{\"mappings\":{\"_doc\":{}}}",
          "{\"settings\":{\"refresh_interval\":\"5 parsecs\"}}",
          "{\"settings\":{\"hidden\":\"perhaps\"}}",
          "{\"settings\":[]}",
          "{\"aliases\":{\"A*\":{}}}",
          "{\"aliases\":{\"i\":{}}}",
          "{\"aliases\":{\"a\":{\"x\":1}}}",
          "{"
        }) {
      assertEquals(400, server.put("/i", body).status(), body);
    }
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void aSecondCreateIsA400ThatNamesTheFirst() {
    server.put("/i", "{}");
    Reply again = server.put("/i", "{}");
    assertEquals(400, again.status());
    assertTrue(
        again.body().matches(".*\"reason\":\"index \\[i/[\\w-]{22}\\] already exists\".*"),
        again.body());
    server.put("/j", "{\"aliases\":{\"a\":{}}}");
    assertError(
        400,
        "invalid_index_name_exception",
        "Invalid index name [a], already exists as alias",
        server.put("/a", "{}"));
  }

  @Test
  void anAliasReachesItsIndexForReadsAndWrites() {
    server.put("/i", "{\"aliases\":{\"a\":{}}}");
    Reply written = server.put("/a/_doc/1", "{\"x\":1}");
    assertTrue(written.body().startsWith("{\"_index\":\"i\","), written.body());
    assertEquals("{\"x\":1}", server.get("/a/_source/1").body());
    assertEquals(1, server.get("/a/_count").body().split("\"count\":1", -1).length - 1);
    assertEquals(201, server.put("/a/_doc/2?require_alias=true", "{}").status());
    assertError(
        404,
        "index_not_found_exception",
        "no such index [i] and [require_alias] request flag is [true] and [i] is not an alias",
        server.put("/i/_doc/2?require_alias=true", "{}"));
  }

  @Test
  void anAliasOfSeveralIndicesTakesWritesOnlyIfOneIsNamed() {
    server.put("/i", "{\"aliases\":{\"a\":{}}}");
    server.put("/j", "{\"aliases\":{\"a\":{},\"b\":{\"is_write_index\":true}}}");
    server.put("/k", "{\"aliases\":{\"b\":{},\"c\":{\"is_write_index\":false}}}");
    assertEquals(400, server.put("/a/_doc/1", "{}").status());
    assertTrue(server.put("/b/_doc/1", "{}").body().contains("\"_index\":\"j\""));
    assertEquals(400, server.put("/c/_doc/1", "{}").status());
    assertError(
        400,
        "illegal_argument_exception",
        "alias [a] has more than one index associated with it [i, j], can't execute a single index"
            + " op",
        server.get("/a/_doc/1"));
  }

  private String names(String path) {
    Reply reply =
        server.get(
            path
                + (path.contains("?") ? "&" : "?")
                + "filter_path=*.settings.index.number_of_shards");
    assertEquals(200, reply.status(), reply.body());
    return reply
        .body()
        .replaceAll("\\{\"settings\":\\{\"index\":\\{\"number_of_shards\":\"1\"\\}\\}\\}", "")
        .replaceAll("[{}\":]", "");
  }

  @Test
  void expressionsNameTheIndicesTheyDoInOpenSearch() {
    for (String index : new String[] {"log-1", "log-2", "other"}) {
      server.put("/" + index, "{}");
    }
    server.put("/secret", "{\"settings\":{\"hidden\":true},\"aliases\":{\"shown\":{}}}");
    server.put("/.dotted", "{\"settings\":{\"hidden\":true}}");
    assertEquals("log-1,log-2,other", names("/_settings"));
    assertEquals("log-1,log-2,other", names("/_all"));
    assertEquals("log-1,log-2,other", names("/*"));
    assertEquals("log-1,log-2", names("/log-*"));
    assertEquals("log-1,other", names("/*,-log-2"));
    assertEquals("other", names("/*,-log-*"));
    assertEquals("log-1,other", names("/other,log-1"));
    assertEquals("secret", names("/sec*?expand_wildcards=all"));
    assertEquals("secret", names("/show*"));
    assertEquals("secret", names("/secret"));
    assertEquals(".dotted", names("/.d*"));
    assertEquals("", names("/none*"));
    assertEquals("other", names("/other,none?ignore_unavailable=true"));
    assertEquals(404, server.get("/other,none").status());
    assertEquals(404, server.get("/none*?allow_no_indices=false").status());
    assertEquals("", names("/log-*?expand_wildcards=closed"));
    assertEquals("", names("/log-*?expand_wildcards=none"));
    assertEquals(400, server.get("/log-*?expand_wildcards=ajar").status());
    assertEquals(400, server.get("/_log").status());
    assertEquals(400, server.delete("/_log").status());
    assertEquals(400, server.delete("/,").status());
    assertEquals(400, server.delete("/%20").status());
    assertEquals("log-1,log-2,other", names("/_all"));
  }

  @Test
  void deletingTakesWhatTheExpressionNamesAndNeverAnAlias() {
    for (String index : new String[] {"a1", "a2", "b"}) {
      server.put("/" + index, "{\"aliases\":{\"al-" + index + "\":{}}}");
    }
    assertError(
        400,
        "illegal_argument_exception",
        "The provided expression [al-b] matches an alias, specify the corresponding concrete"
            + " indices instead.",
        server.delete("/a1,al-b"));
    assertEquals(404, server.delete("/a1,none").status());
    assertEquals(200, server.get("/a1").status());
    assertEquals("{\"acknowledged\":true}", server.delete("/a*").body());
    assertEquals("b", names("/_all"));
    assertEquals(200, server.delete("/al*").status());
    assertEquals("b", names("/_all"));
    assertEquals(200, server.delete("/_all").status());
    assertEquals("", names("/_all"));
  }

  @Test
  void countAndRefreshAnswerForTheIndicesNamed() {
    server.put("/i/_doc/1", "{}");
    server.put("/j/_doc/1", "{}");
    server.put("/j/_doc/2", "{}");
    assertEquals(
        "{\"count\":3,\"_shards\":{\"total\":2,\"successful\":2,\"skipped\":0,\"failed\":0}}",
        server.get("/_count").body());
    assertTrue(
        server
            .post("/j/_count", "{\"query\":{\"match_all\":{}}}")
            .body()
            .startsWith("{\"count\":2,"));
    assertEquals(400, server.post("/j/_count", "{\"query\":{\"term\":{\"a\":1}}}").status());
    assertEquals(
        "{\"_shards\":{\"total\":4,\"successful\":2,\"failed\":0}}",
        server.post("/_refresh", "").body());
    assertEquals(404, server.get("/none/_refresh").status());
  }

  @Test
  void aDeletedIndexIsGoneAndItsSuccessorIsNew() {
    server.put("/i", "{\"settings\":{\"number_of_replicas\":0}}");
    server.put("/i/_doc/1", "{}");
    server.delete("/i");
    Reply written = server.put("/i/_doc/1", "{}");
    assertTrue(written.body().contains("\"_version\":1,\"result\":\"created\""), written.body());
    assertTrue(written.body().contains("\"total\":2"), written.body());
  }
}
