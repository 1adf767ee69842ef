package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents that trip databases: each is either refused with a reason and leaves no trace, or
/// comes back as it was sent.
final class HardCasesHttpTest {
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

  private void assertRefusedWithoutTrace(String document) {
    long before = server.store.status().appendedLsn();
    Reply alone = server.put("/i/_doc/1", document);
    assertEquals(400, alone.status(), alone.body());
    assertTrue(alone.body().contains("\"caused_by\":{"), alone.body());
    Reply created = server.put("/i/_create/1", document);
    assertEquals(400, created.status(), created.body());
    Reply updated = server.post("/i/_update/1", "{\"doc\":" + document + "}");
    assertEquals(400, updated.status(), updated.body());
    Reply bulk = server.bulk("{\"index\":{\"_index\":\"i\",\"_id\":\"1\"}}\n" + document + "\n");
    assertEquals(200, bulk.status());
    assertTrue(bulk.body().contains("\"errors\":true"), bulk.body());
    assertTrue(bulk.body().contains("\"status\":400"), bulk.body());
    assertEquals(404, server.get("/i").status());
    assertEquals(before, server.store.status().appendedLsn(), "nothing may have been logged");
  }

  private void assertComesBack(String document) {
    Reply written = server.put("/i/_doc/1", document);
    assertTrue(written.status() == 201 || written.status() == 200, written.body());
    assertEquals(document, server.get("/i/_source/1").body());
    Reply got = server.get("/i/_doc/1");
    assertTrue(got.body().endsWith("\"found\":true,\"_source\":" + document + "}"), got.body());
    Reply many = server.post("/_mget", "{\"docs\":[{\"_index\":\"i\",\"_id\":\"1\"}]}");
    assertTrue(many.body().contains("\"_source\":" + document), many.body());
    Reply dump = server.get("/_tidemark/dump/i");
    assertTrue(dump.body().contains("\"_source\":" + document + "}\n"), dump.body());
    Reply partly = server.get("/i/_doc/1?_source_includes=*&filter_path=_source");
    assertEquals("{\"_source\":" + document + "}", partly.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"x\":{\"é\":1,\"\\u00e9\":2}}",
        "{\"d\":1e400}",
        "{\"d\":-1e400}",
        "{\"d\":NaN}",
        "{\"d\":01}",
        "{\"s\":\"\\ud800\"}",
        "{\"s\":\"\\udc00\\ud800\"}",
        "{\"a\":1} x",
        "{\"a\":1,}",
        "{\"a\":'1'}",
        "{\"a\":",
        "{a:1}",
        "[{\"a\":1}]",
        "1"
      })
  void whatIsNoDocumentIsA400AndLeavesNoTrace(String document) {
    assertRefusedWithoutTrace(document);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"n\":9007199254740993}",
        "{\"n\":0.1000000000000000055}",
        "{\"n\":[0.0,-0.0,0,-0,1E5,1e+05,1.50]}",
        "{\"s\":\"a\\u0000\"}",
        "{\"s\":\"\\u0061\\/\\\"\\ud83d\\ude00\"}",
        "{\"s\":\"中文 😀\"}",
        "{\"\":1,\".\":2,\"a..b\":3}",
        "{\"a\":[{\"b\":\"z\"},{\"b\":4}]}",
        "{\"a\":[1,\"1\",true,null,[],{}]}",
        "{\"d\":[\"2023-02-31\",\"2021-51\",\"28910-01-01\"]}",
        "{\"big\":123456789012345678901234567890.5}",
        "{}"
      })
  void whatIsADocumentComesBackWithTheSameLiterals(String document) {
    assertComesBack(document);
  }

  @Test
  void blanksBetweenTokensAreDroppedAndNothingElse() {
    server.put("/i/_doc/1", " {\n\t\"a b\" : [ 1 , \" x \" ] }\r\n");
    assertEquals("{\"a b\":[1,\" x \"]}", server.get("/i/_source/1").body());
  }

  @Test
  void aNumberOf400000NinesIsAFast400() {
    long start = System.nanoTime();
    String digits = "9".repeat(400_000);
    Reply reply = server.put("/i/_doc/1", "{\"n\":" + digits + "}");
    assertEquals(400, reply.status());
    Reply exponent = server.put("/i/_doc/1", "{\"n\":0." + digits + "e-1}");
    assertEquals(400, exponent.status());
    // Far from both: milliseconds if it is linear, minutes if it is not.
    assertTrue(System.nanoTime() - start < 30_000_000_000L, "linear time");
  }

  @Test
  void tenThousandOpenBracesAreA400OnEveryEntryPathAndTheProcessLives() {
    String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
    assertRefusedWithoutTrace(deep);
    assertRefusedWithoutTrace("{\"a\":".repeat(10_000));
    assertEquals(400, server.put("/i", deep).status());
    assertEquals(400, server.post("/_mget", deep).status());
    assertEquals(400, server.post("/i/_count", deep).status());
    assertEquals(400, server.bulk(deep + "\n").status());
    assertEquals(200, server.get("/").status());
  }

  @Test
  void nestingOf500LevelsIsKeptAndOneMoreIsNot() {
    String limit = "{\"a\":".repeat(500) + "1" + "}".repeat(500);
    assertComesBack(limit);
    Reply pretty = server.get("/i/_doc/1?pretty&filter_path=_source.**&_source_excludes=x.y");
    assertEquals(200, pretty.status());
    assertEquals(400, server.put("/i/_doc/2", "{\"b\":" + limit + "}").status());
  }

  @Test
  void sixteenThreadsCountWithIfSeqNoAndNoIncrementIsLost() throws InterruptedException {
    server.put("/i/_doc/a", "{\"n\":0}");
    server.put("/i/_doc/b", "{\"n\":0}");
    AtomicInteger successes = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      String id = t % 2 == 0 ? "a" : "b";
      threads.add(Thread.ofVirtual().start(() -> count(id, successes)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(16 * 20, successes.get());
    assertEquals("{\"n\":160}", server.get("/i/_source/a").body());
    assertEquals("{\"n\":160}", server.get("/i/_source/b").body());
  }

  /// Increments a document 20 times, each time from what it read.
  private void count(String id, AtomicInteger successes) {
    int mine = 0;
    while (mine < 20) {
      String body = server.get("/i/_doc/" + id).body();
      long seqNo = number(body, "\"_seq_no\":");
      long n = number(body, "\"n\":");
      Reply reply =
          server.put(
              "/i/_doc/" + id + "?if_primary_term=1&if_seq_no=" + seqNo, "{\"n\":" + (n + 1) + "}");
      if (reply.status() == 200) {
        mine++;
        successes.incrementAndGet();
      } else if (reply.status() != 409) {
        throw new AssertionError(reply.body());
      }
    }
  }

  private static long number(String json, String field) {
    int start = json.indexOf(field) + field.length();
    int end = start;
    while (Character.isDigit(json.charAt(end))) {
      end++;
    }
    return Long.parseLong(json.substring(start, end));
  }
}
