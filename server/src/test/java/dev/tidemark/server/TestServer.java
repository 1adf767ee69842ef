package dev.tidemark.server;

import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// A server on a free port over a real store, and a client that knows no more than HTTP.
final class TestServer implements AutoCloseable {
  /// What came back.
  static final class Reply {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] bytes;

    Reply(int status, Map<String, String> headers, byte[] bytes) {
      this.status = status;
      this.headers = headers;
      this.bytes = bytes;
    }

    int status() {
      return status;
    }

    /// A header's value, whatever the case of its name; empty if it is not there.
    String header(String name) {
      return headers.getOrDefault(name, "");
    }

    byte[] bytes() {
      return bytes;
    }

    String body() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  final DocumentStore store;
  final TidemarkServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private TestServer(DocumentStore store) {
    this.store = store;
    this.server = TidemarkServer.start(store, "127.0.0.1", 0);
  }

  static TestServer start(Path directory) {
    return new TestServer(DocumentStore.open(directory, StoreOptions.defaults()));
  }

  Reply get(String path) {
    return send("GET", path, new byte[0]);
  }

  Reply head(String path) {
    return send("HEAD", path, new byte[0]);
  }

  Reply delete(String path) {
    return send("DELETE", path, new byte[0]);
  }

  Reply put(String path, String json) {
    return send("PUT", path, json.getBytes(StandardCharsets.UTF_8));
  }

  Reply post(String path, String json) {
    return send("POST", path, json.getBytes(StandardCharsets.UTF_8));
  }

  Reply bulk(String lines) {
    return send("POST", "/_bulk", lines.getBytes(StandardCharsets.UTF_8));
  }

  Reply send(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(
                method,
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (body.length > 0) {
      request.header("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    try {
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      Map<String, String> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      response.headers().map().forEach((name, values) -> byName.put(name, values.getFirst()));
      return new Reply(response.statusCode(), byName, response.body());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /// A connection whose bytes the test writes itself.
  RawConnection connect() throws IOException {
    return new RawConnection(server.port());
  }

  @Override
  public void close() {
    client.close();
    server.close();
    store.close();
  }
}
