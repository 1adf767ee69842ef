package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private static final Duration MOMENT = Duration.ofMillis(200);
  private static final int CONNECTIONS = 5;

  @Test
  void whatIsWrittenIsWhatTheServerHasAndReadsFindIt() throws IOException {
    try (TinyServer server = new TinyServer();
        LoadGenerator generator = LoadGenerator.connect(server.address(), CONNECTIONS)) {
      Documents documents = documents();
      LoadGenerator.Load puts = generator.run(documents.puts(), MOMENT);
      assertTrue(puts.count() >= CONNECTIONS);
      assertEquals(puts.count(), documents.written());
      assertEquals(puts.count(), server.documents.size());
      assertTrue(puts.rate() > 0);
      assertTrue(puts.micros(50) > 0 && puts.micros(50) <= puts.micros(99));
      LoadGenerator.Load gets = generator.run(documents.gets(), MOMENT);
      assertTrue(gets.count() >= CONNECTIONS);
      generator.run(documents.puts(), MOMENT);
      assertEquals(documents.written(), server.documents.size());
    }
  }

  @Test
  void everyDocumentIsItsOwnAndAllHaveOneLength() {
    String first = Documents.text(0);
    assertTrue(first.length() >= 140 && first.length() <= 160, first);
    Json.object(first);
    for (long key = 1; key < 1_000; key++) {
      String text = Documents.text(key);
      Json.object(text);
      assertEquals(first.length(), text.length(), text);
      assertNotEquals(first, text);
      assertEquals(text, Documents.text(key));
    }
    assertEquals("w002-000000017", Documents.id(2_000_000_017L));
  }

  @Test
  void aWrongStatusIsAnErrorThatShowsTheAnswer() throws IOException {
    try (TinyServer server =
            new TinyServer() {
              @Override
              Answer put(String id, String document) {
                return new Answer(503, "{\"error\":\"disk full\"}");
              }
            };
        LoadGenerator generator = LoadGenerator.connect(server.address(), 1)) {
      IOException e =
          assertThrows(IOException.class, () -> generator.run(documents().puts(), MOMENT));
      assertTrue(e.toString().contains("503"), e::toString);
      assertTrue(e.toString().contains("disk full"), e::toString);
      assertTrue(e.toString().contains("w000-000000000"), e::toString);
    }
  }

  @Test
  void aDocumentThatChangedIsAnError() throws IOException {
    try (TinyServer server =
            new TinyServer() {
              @Override
              Answer get(String id) {
                Answer right = super.get(id);
                return new Answer(
                    right.status(), right.body().replace("\"bytes\":", "\"bytes\": "));
              }
            };
        LoadGenerator generator = LoadGenerator.connect(server.address(), CONNECTIONS)) {
      Documents documents = documents();
      generator.run(documents.puts(), MOMENT);
      IOException e =
          assertThrows(IOException.class, () -> generator.run(documents.gets(), MOMENT));
      assertTrue(e.toString().contains("\"_source\":"), e::toString);
    }
  }

  @Test
  void anAnswerMayComeByteByByte() throws Exception {
    String body = "{\"_id\":\"w000-000000000\",\"result\":\"created\"}";
    String head = "HTTP/1.1 201 Created\r\ncontent-LENGTH: " + body.length() + "\r\nX: y\r\n\r\n";
    try (ServerSocket listening = answering(head + body, 1);
        LoadGenerator generator = LoadGenerator.connect(addressOf(listening), 1)) {
      assertEquals(1, generator.run(documents().puts(), Duration.ofNanos(1)).count());
    }
  }

  @Test
  void anAnswerMayBeLargerThanTheBuffer() throws Exception {
    String body = "{\"_id\":\"w000-000000000\",\"result\":\"created\"}" + " ".repeat(100_000);
    String head = "HTTP/1.1 201 Created\r\nContent-Length: " + body.length() + "\r\n\r\n";
    try (ServerSocket listening = answering(head + body, 1 << 20);
        LoadGenerator generator = LoadGenerator.connect(addressOf(listening), 1)) {
      assertEquals(1, generator.run(documents().puts(), Duration.ofNanos(1)).count());
    }
  }

  @Test
  void anAnswerWithoutALengthIsAnError() throws Exception {
    String answer = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    try (ServerSocket listening = answering(answer, 1 << 20);
        LoadGenerator generator = LoadGenerator.connect(addressOf(listening), 1)) {
      IOException e =
          assertThrows(IOException.class, () -> generator.run(documents().puts(), MOMENT));
      assertTrue(e.toString().contains("without Content-Length"), e::toString);
    }
  }

  @Test
  void aClosedConnectionIsAnError() throws Exception {
    try (ServerSocket listening = answering("", 1);
        LoadGenerator generator = LoadGenerator.connect(addressOf(listening), 1)) {
      IOException e =
          assertThrows(IOException.class, () -> generator.run(documents().puts(), MOMENT));
      assertTrue(e.toString().contains("closed connection 0"), e::toString);
    }
  }

  private static Documents documents() {
    return new Documents("localhost", "bench", CONNECTIONS);
  }

  private static InetSocketAddress addressOf(ServerSocket listening) {
    return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
  }

  /// Takes one connection, waits for the end of its request, sends the answer in pieces of this
  /// many bytes and closes.
  private static ServerSocket answering(String answer, int piece) throws IOException {
    ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = listening.accept()) {
                socket.setTcpNoDelay(true);
                readUntilBrace(socket.getInputStream());
                byte[] bytes = answer.getBytes(StandardCharsets.US_ASCII);
                OutputStream out = socket.getOutputStream();
                for (int at = 0; at < bytes.length; at += piece) {
                  out.write(bytes, at, Math.min(piece, bytes.length - at));
                  out.flush();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return listening;
  }

  private static void readUntilBrace(InputStream in) throws IOException {
    int read;
    do {
      read = in.read();
    } while (read >= 0 && read != '}');
  }
}
