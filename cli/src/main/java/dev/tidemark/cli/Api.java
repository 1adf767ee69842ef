package dev.tidemark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A server, spoken to over HTTP. Any number of threads.
final class Api implements AutoCloseable {
  private static final int ERROR_BYTES_MAX = 64 << 10;

  private final String base;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  /// @throws UserError if `url` is none
  Api(String url) {
    try {
      var uri = new URI(url);
      String scheme = uri.getScheme();
      if (uri.getHost() == null
          || !("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))) {
        throw new UserError(
            "--url %s is no address of a server: one looks like http://127.0.0.1:9200"
                .formatted(url));
      }
    } catch (URISyntaxException e) {
      throw new UserError(
          "--url %s is no address of a server: one looks like http://127.0.0.1:9200".formatted(url),
          e);
    }
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  String base() {
    return base;
  }

  /// A name as one segment of a path.
  static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  HttpResponse<InputStream> get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  HttpResponse<InputStream> post(String path, String contentType, byte[] body)
      throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .POST(BodyPublishers.ofByteArray(body))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path));
  }

  private HttpResponse<InputStream> send(HttpRequest request)
      throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofInputStream());
  }

  /// What to tell a person when a request got no answer.
  UserError failure(IOException e) {
    return e instanceof ConnectException || e instanceof HttpConnectTimeoutException
        ? new UserError(
            "No server answers at %s. Start one with 'tidemark serve', or name another with --url."
                .formatted(base),
            e)
        : new UserError("The connection to %s was lost: %s".formatted(base, e.getMessage()), e);
  }

  /// What a refusal says, for a person.
  UserError refusal(HttpResponse<InputStream> response) {
    return refusal(response.uri().getPath(), response.statusCode(), errorBody(response));
  }

  /// As [#refusal(HttpResponse)], of an answer whose body was read.
  UserError refusal(String path, int status, byte[] body) {
    String reason = reasonIn(body);
    String what = "%s%s answered %d".formatted(base, path, status);
    return new UserError(reason.isEmpty() ? what : what + ": " + reason);
  }

  private static byte[] errorBody(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      return body.readNBytes(ERROR_BYTES_MAX);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /// The type and reason of an error's body; empty where it has none.
  static String reasonIn(byte[] body) {
    String type = "";
    try (JsonParser parser = Json.parser(body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          if (parser.nextToken() != JsonToken.VALUE_STRING) {
            continue;
          }
          if (name.equals("type") && type.isEmpty()) {
            type = parser.getString();
          } else if (name.equals("reason") && !type.isEmpty()) {
            return type + ": " + parser.getString();
          }
        }
      }
    } catch (JacksonException e) {
      return type;
    }
    return type;
  }

  /// Gives up what is still under way.
  @Override
  public void close() {
    client.shutdownNow();
  }
}
