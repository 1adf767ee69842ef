package dev.tidemark.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Keeps documents in memory, and answers as the real server does as far as the bench looks.
class TinyServer implements AutoCloseable {
  final Map<String, String> documents = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  TinyServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + address().getPort());
  }

  /// The answer to a write; a test may spoil it.
  Answer put(String id, String document) {
    documents.put(id, document);
    return new Answer(201, "{\"_id\":\"" + id + "\",\"result\":\"created\"}");
  }

  /// The answer to a read; a test may spoil it.
  Answer get(String id) {
    @Nullable String found = documents.get(id);
    return found == null
        ? new Answer(404, "{\"_id\":\"" + id + "\",\"found\":false}")
        : new Answer(200, "{\"_id\":\"" + id + "\",\"found\":true,\"_source\":" + found + "}");
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String id = path.substring(path.lastIndexOf('/') + 1);
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Answer answer =
        switch (exchange.getRequestMethod()) {
          case "PUT" -> put(id, body);
          case "GET" -> get(id);
          default -> {
            documents.clear();
            yield new Answer(200, "{}");
          }
        };
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }

  record Answer(int status, String body) {}
}
