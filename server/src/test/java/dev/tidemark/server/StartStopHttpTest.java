package dev.tidemark.server;

import static dev.tidemark.server.RawConnection.head;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import dev.tidemark.store.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The start and the end of a server, and of the store under it.
final class StartStopHttpTest {
  @TempDir Path directory;

  @Test
  void aStopLetsTheRequestsUnderWayFinish() throws Exception {
    TestServer server = TestServer.start(directory);
    try (RawConnection slow = server.connect();
        RawConnection idle = server.connect()) {
      idle.write(head("GET", "/"));
      assertEquals(200, idle.read().status());
      slow.write(
          head(
              "PUT", "/i/_doc/1", RawConnection.JSON, "Content-Length: 7", "Expect: 100-continue"));
      assertEquals(100, slow.read().status());
      Thread stop = Thread.ofVirtual().start(server.server::close);
      // It waits for the body, so it can't be over; what comes meanwhile is turned away.
      assertTrue(!stop.join(Duration.ofMillis(300)), "the stop waits");
      idle.write(head("GET", "/"));
      Reply refused = idle.read();
      assertEquals(503, refused.status());
      assertTrue(refused.body().contains("the server is stopping"), refused.body());
      slow.write("{\"a\":1}");
      assertEquals(201, slow.read().status());
      stop.join();
      assertEquals(0, slow.bytesUntilClosed());
    }
    Document kept = Objects.requireNonNull(server.store.get("i", "1"));
    assertEquals("{\"a\":1}", kept.source().toString());
    assertThrows(IOException.class, () -> server.connect().close());
    server.close();
  }

  @Test
  void aPortThatIsTakenIsAnErrorThatSaysSo() {
    TestServer server = TestServer.start(directory);
    UncheckedIOException error =
        assertThrows(
            UncheckedIOException.class,
            () -> TidemarkServer.start(server.store, "127.0.0.1", server.server.port()));
    assertTrue(
        String.valueOf(error.getMessage()).contains("Address already in use"), error::toString);
    assertEquals(200, server.get("/").status());
    server.close();
  }

  @Test
  void aClosedStoreIsA503WithAReason() {
    TestServer server = TestServer.start(directory);
    server.put("/i/_doc/1", "{}");
    server.store.close();
    Reply write = server.put("/i/_doc/2", "{}");
    assertEquals(503, write.status());
    assertTrue(write.body().contains("closed"), write.body());
    assertEquals(503, server.get("/i/_doc/1").status());
    assertEquals(503, server.bulk("{\"index\":{\"_index\":\"i\"}}\n{}\n").status());
    server.close();
  }
}
