package dev.tidemark.server;

import static dev.tidemark.server.RawConnection.head;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.server.TestServer.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bodies that are too large, cut, packed, or announced and not wanted.
final class BodyLimitsHttpTest {
  private static final long TOO_LARGE = BodyReader.BODY_BYTES_MAX + 1L;

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

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aBodyOverTheLimitIsRefusedByItsLengthAndTheConnectionClosed() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(
          head("PUT", "/i/_doc/1", RawConnection.JSON, "Content-Length: " + TOO_LARGE));
      Reply reply = connection.read();
      assertEquals(413, reply.status());
      assertTrue(reply.body().contains("\"type\":\"content_too_long_exception\""), reply.body());
      assertEquals("close", reply.header("connection"));
      assertEquals(0, connection.bytesUntilClosed());
    }
  }

  @Test
  void aClientThatSendsAllOfATooLargeBodyStillGetsTheAnswer() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(
          head("PUT", "/i/_doc/1", RawConnection.JSON, "Content-Length: " + TOO_LARGE));
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < 32; i++) {
        connection.write(block);
      }
      assertEquals(413, connection.read().status());
    }
  }

  @Test
  void aChunkedBodyIsRefusedOnceItPassesTheLimit() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(head("POST", "/_bulk", "Transfer-Encoding: chunked"));
      byte[] chunk = new byte[4 << 20];
      Arrays.fill(chunk, (byte) ' ');
      int chunks = (int) (TOO_LARGE / chunk.length) + 2;
      for (int i = 0; i < chunks; i++) {
        connection.write(Integer.toHexString(chunk.length) + "\r\n").write(chunk).write("\r\n");
      }
      assertEquals(413, connection.read().status());
      assertEquals(0, connection.bytesUntilClosed());
    }
  }

  @Test
  void expectContinueWithABodyOverTheLimitGetsTheFinal413AndNoGoAhead() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(
          head(
              "PUT",
              "/i/_doc/1",
              RawConnection.JSON,
              "Content-Length: " + TOO_LARGE,
              "Expect: 100-continue"));
      assertEquals(413, connection.read().status());
      assertEquals(0, connection.bytesUntilClosed());
    }
  }

  @Test
  void expectContinueOnAWrongPathGetsTheFinalAnswerAndNoGoAhead() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(head("PUT", "/i/_no/1/2", "Content-Length: 10", "Expect: 100-continue"));
      assertEquals(400, connection.read().status());
      assertEquals(0, connection.bytesUntilClosed());
    }
  }

  @Test
  void expectContinueWithinTheLimitGetsTheGoAheadAndThenTheAnswer() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(
          head(
              "PUT", "/i/_doc/1", RawConnection.JSON, "Content-Length: 7", "Expect: 100-continue"));
      assertEquals(100, connection.read().status());
      connection.write("{\"a\":1}");
      assertEquals(201, connection.read().status());
      connection.write(head("GET", "/i/_source/1"));
      assertEquals("{\"a\":1}", connection.read().body());
    }
  }

  @Test
  void aGzipBodyIsUnpacked() throws IOException {
    byte[] body = gzip(bytes("{\"a\": 1}"));
    Reply reply = server.send("PUT", "/i/_doc/1", body, "Content-Encoding", "gzip");
    assertEquals(201, reply.status(), reply.body());
    assertEquals("{\"a\":1}", server.get("/i/_source/1").body());
  }

  @Test
  void aGzipBodyCutAnywhereIsA400AndTheConnectionGoesOn() throws IOException {
    byte[] whole = gzip(bytes("{\"text\": \"some words, and some more words\"}"));
    try (RawConnection connection = server.connect()) {
      for (int length = 1; length < whole.length; length++) {
        connection
            .write(
                head(
                    "PUT",
                    "/i/_doc/1",
                    RawConnection.JSON,
                    "Content-Length: " + length,
                    "Content-Encoding: gzip"))
            .write(Arrays.copyOf(whole, length));
        Reply reply = connection.read();
        assertEquals(400, reply.status(), "cut after " + length + ": " + reply.body());
      }
      connection.write(head("GET", "/"));
      assertEquals(200, connection.read().status());
    }
    assertEquals(404, server.get("/i").status());
  }

  @Test
  void aChunkedGzipBodyCutInTheMiddleIsA400AndTheConnectionGoesOn() throws IOException {
    byte[] whole = gzip(bytes("{\"text\": \"some words\"}"));
    int half = whole.length / 2;
    try (RawConnection connection = server.connect()) {
      connection
          .write(
              head(
                  "PUT",
                  "/i/_doc/1",
                  RawConnection.JSON,
                  "Transfer-Encoding: chunked",
                  "Content-Encoding: gzip"))
          .write(Integer.toHexString(half) + "\r\n")
          .write(Arrays.copyOf(whole, half))
          .write("\r\n0\r\n\r\n");
      assertEquals(400, connection.read().status());
      connection.write(head("GET", "/"));
      assertEquals(200, connection.read().status());
    }
  }

  @Test
  void aBodyThatOnlyClaimsToBeGzipIsA400() {
    Reply reply = server.send("PUT", "/i/_doc/1", bytes("{\"a\":1}"), "Content-Encoding", "gzip");
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("no gzip data"), reply.body());
  }

  @Test
  void anUnknownEncodingIsA400WithAReason() {
    Reply reply = server.send("PUT", "/i/_doc/1", bytes("{\"a\":1}"), "Content-Encoding", "br");
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("\"error\""), reply.body());
  }

  @Test
  void aBodyThatUnpacksToMoreThanTheLimitIsRefusedAtTheLimit() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < 128; i++) {
        out.write(block);
      }
    }
    Reply reply = server.send("POST", "/_bulk", packed.toByteArray(), "Content-Encoding", "gzip");
    assertEquals(413, reply.status());
    assertEquals(200, server.get("/").status());
  }

  @Test
  void aDocumentOver16MiBIsA413AndOneOf16MiBIsKept() {
    int limit = 16 << 20;
    String start = "{\"s\":\"";
    String fits = start + "x".repeat(limit - start.length() - 2) + "\"}";
    assertEquals(201, server.put("/i/_doc/fits", fits).status());
    Reply reply = server.put("/i/_doc/over", fits.replaceFirst("x", "xx"));
    assertEquals(413, reply.status());
    assertEquals(404, server.get("/i/_doc/over").status());
    assertEquals(fits.length(), server.get("/i/_source/fits").bytes().length);
  }

  @Test
  void answersArePackedForClientsThatAskForIt() throws IOException {
    server.put("/i/_doc/1", "{\"a\":1}");
    Reply reply = server.send("GET", "/i/_source/1", new byte[0], "Accept-Encoding", "br, gzip");
    assertEquals("gzip", reply.header("content-encoding"));
    try (var in =
        new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(reply.bytes()))) {
      assertEquals("{\"a\":1}", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Reply plain = server.send("GET", "/i/_source/1", new byte[0], "Accept-Encoding", "gzip;q=0");
    assertEquals("{\"a\":1}", plain.body());
  }

  @Test
  void aMissingOrUnsupportedContentTypeIsA406() throws IOException {
    Reply form =
        server.send(
            "PUT", "/i/_doc/1", bytes("{}"), "Content-Type", "application/x-www-form-urlencoded");
    assertEquals(406, form.status());
    assertEquals(
        "{\"error\":\"Content-Type header [application/x-www-form-urlencoded] is not supported\","
            + "\"status\":406}",
        form.body());
    try (RawConnection connection = server.connect()) {
      connection.write(head("PUT", "/i/_doc/1", "Content-Length: 2") + "{}");
      Reply missing = connection.read();
      assertEquals(406, missing.status());
      assertEquals("{\"error\":\"Content-Type header is missing\",\"status\":406}", missing.body());
    }
  }

  @Test
  void aConnectionThatTheClientWantsClosedIsClosedBehindTheAnswer() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(head("GET", "/", "Connection: close"));
      assertEquals(200, connection.read().status());
      assertEquals(0, connection.bytesUntilClosed());
    }
  }

  @Test
  void brokenFramingGetsAnErrorOfTheUsualShape() throws IOException {
    try (RawConnection connection = server.connect()) {
      connection.write(head("PUT", "/i/_doc/1", RawConnection.JSON, "Content-Length: many"));
      Reply reply = connection.read();
      assertEquals(400, reply.status());
      assertTrue(reply.body().startsWith("{\"error\":{\"root_cause\":["), reply.body());
    }
  }
}
