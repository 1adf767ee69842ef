package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bulk bodies, good and bad.
final class BulkHttpTest {
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

  private static String index(String id) {
    return "{\"index\":{\"_index\":\"i\",\"_id\":\"" + id + "\"}}\n";
  }

  private void assertFound(String id, String source) {
    assertEquals(source, server.get("/i/_source/" + id).body());
  }

  @Test
  void aBulkOfTooManyActionsIsRefusedWholeAndNamesTheLine() {
    String first = index("1") + "{\"a\":1}\n";
    String delete = "{\"delete\":{\"_index\":\"i\",\"_id\":\"2\"}}\n";
    Reply most = server.bulk(delete.repeat(BulkParser.ACTIONS_MAX));
    assertEquals(200, most.status());
    Reply tooMany = server.bulk(first + delete.repeat(BulkParser.ACTIONS_MAX));
    assertEquals(413, tooMany.status());
    assertTrue(
        tooMany.body().contains("begin on line " + (BulkParser.ACTIONS_MAX + 2)), tooMany.body());
    assertEquals(404, server.get("/i/_source/1").status());
  }

  @Test
  void eachActionHasAnOutcomeInItsOrderAndItsShape() {
    Reply reply =
        server.bulk(
            index("1")
                + "{\"a\":1}\n"
                + "{\"create\":{\"_index\":\"i\",\"_id\":\"1\"}}\n{\"a\":2}\n"
                + "{\"update\":{\"_index\":\"i\",\"_id\":\"1\",\"_source\":true}}\n"
                + "{\"doc\":{\"b\":2}}\n"
                + "{\"delete\":{\"_index\":\"i\",\"_id\":\"1\"}}\n"
                + "{\"delete\":{\"_index\":\"i\",\"_id\":\"1\"}}\n"
                + "{\"update\":{\"_index\":\"i\",\"_id\":\"1\"}}\n{\"doc\":{\"b\":2}}\n");
    assertEquals(200, reply.status());
    String body = reply.body().replaceAll("\"index_uuid\":\"[^\"]*\"", "\"index_uuid\":\"u\"");
    String shards = "\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0}";
    assertTrue(body.matches("\\{\"took\":[0-9]+,\"errors\":true,\"items\":\\[.*\\]\\}"), body);
    assertTrue(
        body.contains(
            "{\"index\":{\"_index\":\"i\",\"_id\":\"1\",\"_version\":1,\"result\":\"created\","
                + shards
                + ",\"_seq_no\":0,\"_primary_term\":1,\"status\":201}}"),
        body);
    assertTrue(
        body.contains(
            "{\"create\":{\"_index\":\"i\",\"_id\":\"1\",\"status\":409,\"error\":{\"type\":"
                + "\"version_conflict_engine_exception\",\"reason\":\"[1]: version conflict,"
                + " document already exists (current version [1])\",\"index\":\"i\",\"shard\":\"0\","
                + "\"index_uuid\":\"u\"}}}"),
        body);
    assertTrue(body.contains("\"result\":\"updated\""), body);
    assertTrue(body.contains("\"result\":\"deleted\""), body);
    assertTrue(body.contains("\"result\":\"not_found\"," + shards), body);
    assertTrue(body.contains("\"type\":\"document_missing_exception\""), body);
    assertTrue(body.endsWith("\"index_uuid\":\"u\"}}}]}"), body);
  }

  @Test
  void allItemsOfARequestBecomeDurableAsOneGroup() {
    long before = server.store.status().appendedLsn();
    server.bulk(index("1") + "{}\n" + index("2") + "{}\n" + index("3") + "{}\n");
    assertEquals(before + 3, server.store.status().appendedLsn());
    assertEquals(server.store.status().appendedLsn(), server.store.status().durableLsn());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"index\":{\"_index\":\"i\",\"_id\":\"2\"}",
        "{\"indx\":{\"_index\":\"i\",\"_id\":\"2\"}}",
        "{\"index\":{\"_index\":\"i\",\"_idd\":\"2\"}}",
        "{\"index\":{\"_index\":[\"i\"],\"_id\":\"2\"}}",
        "{\"index\":{\"_index\":\"i\",\"_id\":\"2\",\"version\":\"x\"}}",
        "{\"index\":{\"_index\":\"i\",\"_id\":\"2\",\"op_type\":\"upsert\"}}",
        "{\"index\":7}",
        "{}",
        "[]",
        "nonsense"
      })
  void aBrokenActionLineRefusesTheWholeRequestAndIsNamed(String line) {
    Reply reply =
        server.bulk(
            index("1") + "{\"a\":1}\n" + line + "\n{\"a\":2}\n" + index("3") + "{\"a\":3}\n");
    assertEquals(400, reply.status(), reply.body());
    assertTrue(reply.body().contains("line [3]"), reply.body());
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void aBrokenDocumentLineFailsItsItemAloneAndIsNamed() {
    Reply reply =
        server.bulk(
            index("1") + "{\"a\":1}\n" + index("2") + "{\"a\":\n" + index("3") + "{\"a\":3}\n");
    assertEquals(200, reply.status());
    assertTrue(reply.body().contains("line 4 of the bulk body"), reply.body());
    assertFound("1", "{\"a\":1}");
    assertFound("3", "{\"a\":3}");
    assertEquals(404, server.get("/i/_doc/2").status());
  }

  @Test
  void blankLinesAreSkippedAndLineNumbersStillCount() {
    Reply reply =
        server.bulk("\n  \n" + index("1") + "\n{\"a\":1}\n\t\n" + index("2") + "{\"a\":2}\n\n");
    assertTrue(reply.body().contains("\"errors\":false"), reply.body());
    assertFound("1", "{\"a\":1}");
    assertFound("2", "{\"a\":2}");
    assertTrue(server.bulk("\n\n{\"x\":{}}\n").body().contains("line [3]"));
  }

  @Test
  void carriageReturnsAreStripped() {
    Reply reply =
        server.bulk((index("1") + "{\"a\":1}\n\n" + index("2") + "{}\n").replace("\n", "\r\n"));
    assertTrue(reply.body().contains("\"errors\":false"), reply.body());
    assertFound("1", "{\"a\":1}");
    assertFound("2", "{}");
  }

  @Test
  void aByteOrderMarkIsStrippedAndTheFirstRecordKept() {
    Reply reply = server.bulk("\ufeff" + index("1") + "{\"a\":1}\n");
    assertTrue(reply.body().contains("\"errors\":false"), reply.body());
    assertFound("1", "{\"a\":1}");
  }

  @Test
  void aMissingLastLineFeedIsA400AndNothingIsWritten() {
    Reply reply = server.bulk(index("1") + "{\"a\":1}");
    assertEquals(400, reply.status());
    assertTrue(
        reply.body().contains("The bulk request must be terminated by a newline [\\\\n]"),
        reply.body());
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void anActionWithoutItsDocumentIsA400AndNothingIsWritten() {
    Reply reply = server.bulk(index("1") + "{\"a\":1}\n" + index("2"));
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("line [3]"), reply.body());
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void anEmptyBulkIsA400() {
    assertEquals(400, server.bulk("").status());
    Reply reply = server.bulk("\n\n");
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("1: no requests added;"), reply.body());
  }

  @Test
  void anActionLineOverItsLimitIsA400() {
    Reply reply =
        server.bulk(
            "{\"index\":{\"_index\":\"i\",\"routing\":\""
                + "x".repeat(BulkParser.ACTION_LINE_BYTES_MAX)
                + "\"}}\n{}\n");
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("line [1]"), reply.body());
  }

  @Test
  void missingIdsAndIndicesAreA400ForTheWholeRequest() {
    Reply reply = server.bulk("{\"index\":{}}\n{}\n{\"delete\":{\"_index\":\"i\"}}\n");
    assertEquals(400, reply.status());
    assertTrue(
        reply.body().contains("1: index is missing, on line 1;2: id is missing, on line 3;"),
        reply.body());
  }

  @Test
  void anIndexInThePathIsTheOneForLinesThatNameNone() {
    byte[] body = "{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n".getBytes(StandardCharsets.UTF_8);
    Reply reply = server.send("PUT", "/i/_bulk", body, "Content-Type", "application/x-ndjson");
    assertEquals(200, reply.status(), reply.body());
    assertFound("1", "{\"a\":1}");
  }

  @Test
  void anItemForAnImpossibleIndexFailsAlone() {
    Reply reply =
        server.bulk("{\"index\":{\"_index\":\"UP\",\"_id\":\"1\"}}\n{}\n" + index("1") + "{}\n");
    assertTrue(reply.body().contains("\"type\":\"invalid_index_name_exception\""), reply.body());
    assertFound("1", "{}");
  }

  @Test
  void filterPathKeepsWhatItNames() {
    Reply reply =
        server.send(
            "POST",
            "/_bulk?filter_path=errors,items.*.status,-items.*._id",
            (index("1") + "{}\n" + index("1") + "{}\n").getBytes(StandardCharsets.UTF_8));
    assertEquals(
        "{\"errors\":false,\"items\":[{\"index\":{\"status\":201}},{\"index\":{\"status\":200}}]}",
        reply.body());
  }
}
