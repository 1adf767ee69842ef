package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/// A server that answers each request as a test says: what a real one can't be made to do at will.
final class BulkServer implements AutoCloseable {
  /// Answers one request's body with a status and a body.
  interface Answer {
    Reply to(String body) throws Exception;
  }

  record Reply(int status, String body) {}

  private final HttpServer server;
  private final Answer answer;

  BulkServer(Answer answer) throws IOException {
    this.answer = answer;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// As `answer`, and keeps each body in the order in which they came.
  static Answer recording(List<String> bodies, Answer answer) {
    return body -> {
      synchronized (bodies) {
        bodies.add(body);
      }
      return answer.to(body);
    };
  }

  /// Takes every change.
  static Reply takeAll(String body) {
    return new Reply(
        200,
        body.lines()
            .filter(line -> line.startsWith("{\"index\":"))
            .map(line -> "{\"index\":{\"status\":201}}")
            .collect(Collectors.joining(",", "{\"items\":[", "]}")));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Reply reply = answer.to(body);
      byte[] bytes = reply.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(reply.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
