package dev.tidemark.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person does who doesn't believe it: write, kill -9, start again, look.
final class ServeCrashTest {
  @TempDir private Path temp;

  @Test
  void whatWasAcknowledgedIsThereAfterEachKill() throws Exception {
    Path data = temp.resolve("data");
    for (int round = 1; round <= 5; round++) {
      try (var server = ServeProcess.start(data)) {
        for (int before = 1; before < round; before++) {
          assertEquals(
              new ServeProcess.Reply(200, "{\"round\":" + before + ".0}"),
              server.get("/notes/_source/" + before));
        }
        var reply = server.put("/notes/_doc/" + round, "{ \"round\": %d.0 }".formatted(round));
        assertEquals(201, reply.status(), reply.body());
        assertTrue(reply.body().contains("\"_seq_no\":" + (2 * round - 2) + ","), reply.body());
        reply = server.put("/notes/_doc/counter", "{\"n\":%d}".formatted(round));
        assertTrue(reply.body().contains("\"_version\":" + round + ","), reply.body());
        server.kill();
      }
    }
  }

  @Test
  void aDeletedDocumentStaysDeletedAndItsVersionGoesOn() throws Exception {
    Path data = temp.resolve("data");
    try (var server = ServeProcess.start(data)) {
      server.put("/notes/_doc/1", "{}");
      assertEquals(200, server.delete("/notes/_doc/1").status());
      server.kill();
    }
    try (var server = ServeProcess.start(data)) {
      assertEquals(404, server.get("/notes/_doc/1").status());
      var reply = server.put("/notes/_doc/1", "{}");
      assertTrue(reply.body().contains("\"_version\":3,"), reply.body());
      server.kill();
    }
  }

  @Test
  void theSampleIsThereWholeOrNotAtAllWheneverTheStartIsKilled() throws Exception {
    Path data = temp.resolve("data");
    for (int delayMs : new int[] {100, 300, 400, 500, 600, 700}) {
      Process start = ServeProcess.launch(data, temp.resolve("err"), "--sample");
      Thread.sleep(delayMs);
      start.destroyForcibly().waitFor();
    }
    try (var server = ServeProcess.start(data, "--sample")) {
      assertTrue(server.get("/movies/_count").body().contains("\"count\":3201"));
    }
  }
}
