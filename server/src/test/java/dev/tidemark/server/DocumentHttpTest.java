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

/// Reads and writes of single documents, in OpenSearch's shapes.
final class DocumentHttpTest {
  private static final String SHARDS = "\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0}";

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

  private static void assertReply(int status, String body, Reply reply) {
    assertEquals(body, reply.body());
    assertEquals(status, reply.status());
  }

  private static void assertError(int status, String type, String reason, Reply reply) {
    assertEquals(status, reply.status(), reply.body());
    String error = "\"type\":\"" + type + "\",\"reason\":\"" + reason + "\"";
    assertTrue(reply.body().startsWith("{\"error\":{\"root_cause\":[{" + error), reply.body());
    assertTrue(reply.body().contains("}]," + error), reply.body());
    assertTrue(reply.body().endsWith("},\"status\":" + status + "}"), reply.body());
  }

  @Test
  void aWriteAnswersWhatItDidAndARereadFindsIt() {
    Reply created = server.put("/i/_doc/1", "{\"a\":1}");
    assertReply(
        201,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":1,\"result\":\"created\","
            + SHARDS
            + ",\"_seq_no\":0,\"_primary_term\":1}",
        created);
    assertEquals("/i/_doc/1", created.header("location"));
    assertEquals("application/json; charset=UTF-8", created.header("content-type"));
    assertReply(
        200,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":2,\"result\":\"updated\","
            + SHARDS
            + ",\"_seq_no\":1,\"_primary_term\":1}",
        server.put("/i/_doc/1", "{\"a\":2}"));
    assertReply(
        200,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":2,\"_seq_no\":1,\"_primary_term\":1,"
            + "\"found\":true,\"_source\":{\"a\":2}}",
        server.get("/i/_doc/1"));
    assertReply(
        200,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":3,\"result\":\"deleted\","
            + SHARDS
            + ",\"_seq_no\":2,\"_primary_term\":1}",
        server.delete("/i/_doc/1"));
    assertReply(404, "{\"_index\":\"i\",\"_id\":\"1\",\"found\":false}", server.get("/i/_doc/1"));
    assertReply(
        404,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":4,\"result\":\"not_found\","
            + SHARDS
            + ",\"_seq_no\":3,\"_primary_term\":1}",
        server.delete("/i/_doc/1"));
  }

  @Test
  void headAnswersAsGetDoesButWithoutABody() {
    server.put("/i/_doc/1", "{\"a\":1}");
    for (String path : new String[] {"/", "/i", "/i/_doc/1", "/i/_source/1", "/i/_doc/2", "/no"}) {
      Reply get = server.get(path);
      Reply head = server.head(path);
      assertEquals(get.status(), head.status(), path);
      assertEquals(0, head.bytes().length, path);
      assertEquals(get.header("content-length"), head.header("content-length"), path);
    }
  }

  @Test
  void aMissingIndexIsA404ForReadsAndDeletes() {
    String reason = "no such index [no]";
    assertError(404, "index_not_found_exception", reason, server.get("/no/_doc/1"));
    assertError(404, "index_not_found_exception", reason, server.get("/no/_source/1"));
    assertError(404, "index_not_found_exception", reason, server.delete("/no/_doc/1"));
  }

  @Test
  void createRefusesAnIdThatIsThere() {
    assertEquals(201, server.put("/i/_create/1", "{}").status());
    String reason = "[1]: version conflict, document already exists (current version [1])";
    String type = "version_conflict_engine_exception";
    assertError(409, type, reason, server.put("/i/_create/1", "{}"));
    assertError(409, type, reason, server.post("/i/_create/1", "{}"));
    assertError(409, type, reason, server.put("/i/_doc/1?op_type=create", "{}"));
    assertError(
        400,
        "illegal_argument_exception",
        "opType must be 'create' or 'index', found: [upsert]",
        server.put("/i/_doc/1?op_type=upsert", "{}"));
  }

  @Test
  void ifSeqNoMustBeTheDocumentsLast() {
    server.put("/i/_doc/1", "{}");
    String type = "version_conflict_engine_exception";
    assertError(
        409,
        type,
        "[1]: version conflict, required seqNo [7], primary term [1]. current document has seqNo"
            + " [0] and primary term [1]",
        server.put("/i/_doc/1?if_seq_no=7&if_primary_term=1", "{}"));
    assertError(
        409,
        type,
        "[2]: version conflict, required seqNo [7], primary term [1]. but no document was found",
        server.delete("/i/_doc/2?if_seq_no=7&if_primary_term=1"));
    assertEquals(200, server.put("/i/_doc/1?if_seq_no=0&if_primary_term=1", "{}").status());
    assertError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: ifSeqNo is set, but primary term is [0];",
        server.put("/i/_doc/1?if_seq_no=0", "{}"));
    assertError(
        400,
        "illegal_argument_exception",
        "sequence numbers must be non negative. got [-1].",
        server.put("/i/_doc/1?if_seq_no=-1&if_primary_term=1", "{}"));
  }

  @Test
  void externalVersionsMustGrow() {
    String external = "/i/_doc/1?version_type=external&version=";
    assertEquals(201, server.put(external + 5, "{}").status());
    assertError(
        409,
        "version_conflict_engine_exception",
        "[1]: version conflict, current version [5] is higher or equal to the one provided [5]",
        server.put(external + 5, "{}"));
    assertEquals(200, server.put("/i/_doc/1?version_type=external_gte&version=5", "{}").status());
    assertError(
        409,
        "version_conflict_engine_exception",
        "[1]: version conflict, current version [5] is higher than the one provided [4]",
        server.put("/i/_doc/1?version_type=external_gte&version=4", "{}"));
    assertEquals(200, server.put(external + Long.MAX_VALUE, "{}").status());
    assertError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: illegal version value [-3] for version type [EXTERNAL];",
        server.put("/i/_doc/1?version_type=external", "{}"));
    assertEquals(400, server.put("/i/_doc/1?version=1", "{}").status());
    assertEquals(400, server.put("/i/_doc/1?version=x", "{}").status());
    assertEquals(400, server.put("/i/_doc/1?version=1&version_type=x", "{}").status());
  }

  @Test
  void anOldSeqNoNeverSucceedsAfterADeleteAndANewWrite() {
    server.put("/i/_doc/1", "{}");
    server.delete("/i/_doc/1");
    server.put("/i/_doc/1", "{}");
    assertEquals(409, server.put("/i/_doc/1?if_seq_no=0&if_primary_term=1", "{}").status());
  }

  @Test
  void aGetOfAnotherVersionIsAConflict() {
    server.put("/i/_doc/1", "{}");
    assertEquals(200, server.get("/i/_doc/1?version=1").status());
    assertError(
        409,
        "version_conflict_engine_exception",
        "[1]: version conflict, current version [1] is different than the one provided [2]",
        server.get("/i/_doc/1?version=2"));
  }

  @Test
  void routingIsKeptAndShown() {
    server.put("/i/_doc/1?routing=r%201", "{}");
    assertTrue(server.get("/i/_doc/1").body().contains("\"_routing\":\"r 1\",\"found\":true"));
    assertTrue(server.get("/_tidemark/dump/i").body().contains("\"_routing\":\"r 1\",\"_source\""));
  }

  @Test
  void inAnIndexOfSeveralShardsADocumentIsFoundByItsRoutingOnly() {
    server.put("/i", "{\"settings\":{\"number_of_shards\":5,\"number_of_routing_shards\":5}}");
    server.put("/i/_doc/1?routing=5", "{}");
    assertEquals(200, server.get("/i/_doc/1?routing=5").status());
    assertEquals(404, server.get("/i/_doc/1").status());
    assertEquals(404, server.delete("/i/_doc/1?routing=4").status());
    assertEquals(404, server.post("/i/_update/1", "{\"doc\":{}}").status());
    assertEquals(200, server.delete("/i/_doc/1?routing=5").status());
  }

  @ParameterizedTest
  @CsvSource({"true, true", "'', true", "false, false", "wait_for, false"})
  void forcedRefreshIsSaidIfItWasAskedFor(String refresh, boolean forced) {
    Reply reply = server.put("/i/_doc/1?refresh=" + refresh, "{}");
    assertEquals(forced, reply.body().contains("\"forced_refresh\":true"), reply.body());
  }

  @Test
  void unknownValuesOfWriteParametersAreA400() {
    for (String parameter :
        new String[] {
          "refresh=soon",
          "timeout=1",
          "wait_for_active_shards=some",
          "pipeline=p",
          "require_alias=maybe"
        }) {
      assertEquals(400, server.put("/i/_doc/1?" + parameter, "{}").status(), parameter);
    }
    assertEquals(404, server.get("/i").status());
    assertEquals(
        201,
        server
            .put("/i/_doc/1?timeout=5s&wait_for_active_shards=all&pipeline=_none", "{}")
            .status());
  }

  @Test
  void anUpdateMergesAndSaysWhetherAnythingChanged() {
    server.put("/i/_doc/1", "{\"a\":1,\"o\":{\"x\":1,\"y\":2.50}}");
    assertReply(
        200,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":2,\"result\":\"updated\","
            + SHARDS
            + ",\"_seq_no\":1,\"_primary_term\":1,\"get\":{\"_seq_no\":1,\"_primary_term\":1,"
            + "\"found\":true,\"_source\":{\"o\":{\"y\":2.50,\"z\":3}}}}",
        server.post(
            "/i/_update/1?_source_includes=o&_source_excludes=o.x", "{\"doc\":{\"o\":{\"z\":3}}}"));
    assertReply(
        200,
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":2,\"result\":\"noop\",\"_shards\":"
            + "{\"total\":0,\"successful\":0,\"failed\":0},\"_seq_no\":1,\"_primary_term\":1}",
        server.post("/i/_update/1?refresh=true", "{\"doc\":{\"a\":1}}"));
    Reply forced =
        server.post("/i/_update/1", "{\"doc\":{\"a\":1},\"detect_noop\":false,\"_source\":true}");
    assertTrue(forced.body().contains("\"_version\":3,\"result\":\"updated\""), forced.body());
    assertTrue(forced.body().contains("\"_source\":{\"a\":1,\"o\":{\"x\":1,\"y\":2.50,\"z\":3}}"));
  }

  @Test
  void anUpdateOfNothingIsA404UnlessItBringsADocument() {
    assertError(
        404,
        "document_missing_exception",
        "[1]: document missing",
        server.post("/i/_update/1", "{\"doc\":{\"a\":1}}"));
    Reply upserted = server.post("/i/_update/1", "{\"doc\":{\"a\":1},\"upsert\":{\"b\":2}}");
    assertEquals(201, upserted.status());
    assertEquals("{\"b\":2}", server.get("/i/_source/1").body());
    server.post("/i/_update/2", "{\"doc\":{\"a\":1},\"doc_as_upsert\":true}");
    assertEquals("{\"a\":1}", server.get("/i/_source/2").body());
  }

  @Test
  void updateBodiesThatCantBeDoneAreA400() {
    server.put("/i/_doc/1", "{}");
    assertError(
        400,
        "x_content_parse_exception",
        "[UpdateRequest] unknown field [dac] did you mean [doc]?",
        server.post("/i/_update/1", "{\"dac\":{}}"));
    assertError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: script or doc is missing;",
        server.post("/i/_update/1", "{\"upsert\":{}}"));
    for (String body :
        new String[] {
          "{\"script\":\"x\"}", "{\"doc\":1}", "{\"doc\":{},\"detect_noop\":1}", "[]", "{", ""
        }) {
      assertEquals(400, server.post("/i/_update/1", body).status(), body);
    }
  }

  @Test
  void sourceComesWholeFilteredOrNotAtAll() {
    server.put("/i/_doc/1", "{\"a\":{\"b\":1.0,\"c\":2},\"d\":[{\"e\":1},{\"f\":2}]}");
    String found =
        "{\"_index\":\"i\",\"_id\":\"1\",\"_version\":1,\"_seq_no\":0,\"_primary_term\":1,"
            + "\"found\":true";
    assertReply(200, found + "}", server.get("/i/_doc/1?_source=false"));
    assertReply(
        200, found + ",\"_source\":{\"a\":{\"b\":1.0}}}", server.get("/i/_doc/1?_source=a.b"));
    assertReply(
        200,
        found + ",\"_source\":{\"a\":{\"c\":2},\"d\":[{\"e\":1},{\"f\":2}]}}",
        server.get("/i/_doc/1?_source_excludes=*.b"));
    assertReply(200, "{\"a\":{\"b\":1.0}}", server.get("/i/_source/1?_source_includes=a.b"));
    assertEquals(400, server.get("/i/_source/1?_source=false").status());
  }

  @Test
  void prettyLaysOutAndKeepsLiterals() {
    server.put("/i/_doc/1", "{\"a\":[],\"b\":{},\"c\":[1.00,{\"d\":\"x:,{\"}]}");
    assertReply(
        200,
        """
        {
          "a" : [ ],
          "b" : { },
          "c" : [
            1.00,
            {
              "d" : "x:,{"
            }
          ]
        }
        """,
        server.get("/i/_source/1?pretty"));
  }

  @Test
  void anyNumberOfDocumentsIsReadWithOneRequest() {
    server.put("/i/_doc/1", "{\"a\":1}");
    assertReply(
        200,
        "{\"docs\":[{\"_index\":\"i\",\"_id\":\"1\",\"_version\":1,\"_seq_no\":0,"
            + "\"_primary_term\":1,\"found\":true,\"_source\":{\"a\":1}},"
            + "{\"_index\":\"i\",\"_id\":\"2\",\"found\":false}]}",
        server.post("/i/_mget", "{\"ids\":[1,\"2\"]}"));
    Reply mixed =
        server.post(
            "/_mget",
            "{\"docs\":[{\"_index\":\"no\",\"_id\":\"1\"},"
                + "{\"_index\":\"i\",\"_id\":\"1\",\"_source\":false}]}");
    assertTrue(
        mixed
            .body()
            .startsWith("{\"docs\":[{\"_index\":\"no\",\"_id\":\"1\",\"error\":{\"root_cause\""),
        mixed.body());
    assertTrue(mixed.body().endsWith("\"_primary_term\":1,\"found\":true}]}"), mixed.body());
    assertError(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: index is missing for doc 0;2: id is missing for doc 1;",
        server.post("/_mget", "{\"docs\":[{\"_id\":\"1\"},{\"_index\":\"i\"}]}"));
    assertEquals(
        200,
        server
            .get("/i/_mget?source_content_type=application/json&source=%7B%22ids%22:%5B1%5D%7D")
            .status());
  }
}
