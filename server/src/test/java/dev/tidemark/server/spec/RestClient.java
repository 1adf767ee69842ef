package dev.tidemark.server.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/// Sends the calls of a suite to one server. For one thread.
final class RestClient implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String server;

  /// @param server its address, without a slash at the end
  RestClient(String server) {
    this.server = server;
  }

  /// Sends a call with these headers, which take the place of the client's own of the same names.
  RestAnswer send(RestCall call, Map<String, String> headers) {
    String body = call.body();
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + call.target()))
            .timeout(LONGEST)
            .method(call.method(), publisher);
    if (body != null) {
      request.setHeader("Content-Type", call.contentType());
    }
    headers.forEach(request::setHeader);
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      String contentType = response.headers().firstValue("Content-Type").orElse("");
      return RestAnswer.of(call.method(), response.statusCode(), contentType, response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(call.method() + " " + call.target() + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an answer", e);
    }
  }

  /// Deletes every index, closed and hidden ones as well, as each test begins with none.
  void wipe() {
    RestAnswer answer = send(RestCall.withoutBody("DELETE", "/*?expand_wildcards=all"), Map.of());
    if (answer.isError()) {
      throw new AssertionError("the indices of a test could not be deleted: " + answer.describe());
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
