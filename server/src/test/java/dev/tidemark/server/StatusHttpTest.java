package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the server tells about itself: health, tables, status, dumps.
final class StatusHttpTest {
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

  @Test
  void statusShowsWatermarksLagsSizesAndCounts() {
    server.put("/i/_doc/1", "{\"a\":1}");
    server.put("/i/_doc/2", "{\"a\":1}");
    server.delete("/i/_doc/2");
    Reply reply = server.get("/_tidemark/status");
    assertEquals(200, reply.status());
    String body = reply.body();
    assertTrue(body.matches("\\{\"version\":\"[^\"$]+\",\"uptime_ms\":[0-9]+,.*"), body);
    assertTrue(
        body.contains("\"watermarks\":{\"appended_lsn\":3,\"durable_lsn\":3,\"applied_lsn\":3,"),
        body);
    assertTrue(body.contains("\"lags\":{\"durable\":0,\"applied\":0,\"kv\":"), body);
    assertTrue(body.matches(".*\"log\":\\{\"bytes\":[1-9][0-9]*,\"segments\":[1-9].*"), body);
    assertTrue(
        body.contains(
            "\"counts\":{\"collections\":1,\"documents\":1,\"deleted\":1,\"source_bytes\":7}"),
        body);
  }

  @Test
  void aDumpHasEveryDocumentOnALineOfItsOwn() {
    server.put("/i/_doc/b?routing=r", "{\"n\":9007199254740993}");
    server.put("/i/_doc/a", "{\"s\":\"\\n\"}");
    Reply reply = server.get("/_tidemark/dump/i");
    assertEquals("application/x-ndjson", reply.header("content-type"));
    assertEquals(
        """
        {"_id":"a","_version":1,"_seq_no":1,"_source":{"s":"\\n"}}
        {"_id":"b","_version":1,"_seq_no":0,"_routing":"r","_source":{"n":9007199254740993}}
        """,
        reply.body());
    server.put("/e", "{}");
    assertEquals("", server.get("/_tidemark/dump/e").body());
    assertEquals(404, server.get("/_tidemark/dump/none").status());
  }

  @Test
  void aLargeDumpIsStreamedWhole() {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      bulk.append("{\"index\":{\"_index\":\"i\",\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"text\":\"").append("word ".repeat(20)).append("\"}\n");
    }
    assertTrue(server.bulk(bulk.toString()).body().contains("\"errors\":false"));
    Reply reply = server.get("/_tidemark/dump/i");
    assertEquals(5_000, reply.body().lines().distinct().count());
    assertTrue(reply.body().lines().allMatch(line -> line.endsWith("\"}}")));
  }

  @Test
  void healthIsYellowWhereReplicasAreAskedFor() {
    assertTrue(server.get("/_cluster/health").body().contains("\"status\":\"green\""));
    server.put("/i", "{\"settings\":{\"number_of_replicas\":0}}");
    assertTrue(
        server
            .get("/_cluster/health")
            .body()
            .contains("\"status\":\"green\",\"timed_out\":false,\"number_of_nodes\":1,"));
    server.put("/j", "{}");
    String body = server.get("/_cluster/health?level=indices").body();
    assertTrue(body.contains("\"status\":\"yellow\""), body);
    assertTrue(body.contains("\"active_shards\":2,"), body);
    assertTrue(body.contains("\"unassigned_shards\":1,"), body);
    assertTrue(body.contains("\"indices\":{\"i\":{\"status\":\"green\""), body);
    assertTrue(server.get("/_cluster/health/i").body().contains("\"status\":\"green\""));
  }

  @Test
  void aWishThatIsNotGrantedInTimeIsA408() {
    server.put("/j", "{}");
    Reply reply = server.get("/_cluster/health?wait_for_status=green&timeout=50ms");
    assertEquals(408, reply.status());
    assertTrue(reply.body().contains("\"timed_out\":true"), reply.body());
    assertEquals(408, server.get("/_cluster/health?wait_for_nodes=%3E%3D2&timeout=1ms").status());
    assertEquals(200, server.get("/_cluster/health?wait_for_nodes=ge(1)").status());
    assertEquals(400, server.get("/_cluster/health?wait_for_status=blue").status());
  }

  @Test
  void aWishIsGrantedAsSoonAsItCanBe() throws InterruptedException {
    server.put("/j", "{}");
    Thread deleter = Thread.ofVirtual().start(() -> server.delete("/j"));
    assertEquals(200, server.get("/_cluster/health?wait_for_status=green&timeout=20s").status());
    deleter.join();
  }

  @Test
  void tablesHaveTheColumnsAskedForInTheOrderAskedFor() {
    server.put("/b", "{\"settings\":{\"number_of_replicas\":0}}");
    server.put("/a/_doc/1", "{\"x\":1}");
    assertEquals("a 1 7b\nb 0 0b\n", server.get("/_cat/indices?h=i,dc,ss&s=index").body());
    assertEquals(
        """
        index docs.count
        b              0
        a              1
        """,
        server.get("/_cat/indices?v&h=index,docs.count&s=docs.count").body());
    assertEquals("b\na\n", server.get("/_cat/indices?h=index&s=index:desc").body());
    assertEquals(
        "[{\"index\":\"b\",\"store.size\":\"0\"}]",
        server.get("/_cat/indices/b?format=json&h=index,store.size&bytes=b").body());
    assertEquals("b\n", server.get("/_cat/indices?h=index&health=green").body());
    assertEquals(400, server.get("/_cat/indices?health=blue").status());
    assertEquals(400, server.get("/_cat/indices?s=nothing").status());
    assertTrue(server.get("/_cat/indices?help").body().startsWith("health "));
    assertTrue(server.get("/_cat/count").body().matches("[0-9]+ [0-9:]{8} 1\n"));
    assertTrue(
        server.get("/_cat/health?ts=false").body().startsWith("tidemark yellow 1 1 true 2 2"));
    assertTrue(server.get("/_cat").body().contains("/_cat/indices"));
  }
}
