package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.nio.charset.StandardCharsets;

/// One request as the routes see it. The connection's thread owns it.
final class ApiRequest {
  /// The methods that routes know.
  enum Verb {
    GET,
    HEAD,
    PUT,
    POST,
    DELETE,
    OPTIONS,
    OTHER
  }

  private final Verb verb;
  private final RequestPath path;
  private final RequestParameters parameters;
  private final String accept;
  private final byte[] content;

  ApiRequest(
      Verb verb, RequestPath path, RequestParameters parameters, String accept, byte[] content) {
    this.verb = verb;
    this.path = path;
    this.parameters = parameters;
    this.accept = accept;
    this.content = content;
  }

  Verb verb() {
    return verb;
  }

  RequestPath path() {
    return path;
  }

  RequestParameters parameters() {
    return parameters;
  }

  /// How the answer should look, as far as the route can choose: what `format` says, or else the
  /// header `Accept`.
  String format() {
    String format = parameters.text("format");
    if (format != null) {
      return format;
    }
    return switch (accept) {
      case "application/json" -> "json";
      case "application/yaml" -> "yaml";
      default -> "";
    };
  }

  /// The body, decoded; empty if there is none.
  byte[] content() {
    return content;
  }

  /// The body, or what the parameter `source` gives in its place; empty if neither is there.
  byte[] contentOrSource() {
    String source = content.length > 0 ? null : parameters.text("source");
    return source == null ? content : source.getBytes(StandardCharsets.UTF_8);
  }

  /// A JSON object that a request needs, checked and compacted.
  JsonCursor requiredObject() {
    byte[] body = contentOrSource();
    if (body.length == 0) {
      throw ApiException.badRequest("parse_exception", "request body is required");
    }
    return object(body);
  }

  /// Walks the JSON object that `body` holds.
  ///
  /// @throws dev.tidemark.store.InvalidJsonException if it is no JSON
  static JsonCursor object(byte[] body) {
    JsonCursor cursor = new JsonCursor(JsonText.parse(body));
    if (!cursor.atObject()) {
      throw ApiException.badRequest(
          "parsing_exception",
          "the request body must be an object, but it starts with [" + cursor.kind() + "]");
    }
    return cursor;
  }
}
