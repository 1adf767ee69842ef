package dev.tidemark.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a route answers: a status, a body in memory or a stream of one, and the few headers that
/// depend on the request.
///
/// @param status the HTTP status
/// @param kind what the body is
/// @param body the body, or null if it is streamed
/// @param stream writes the body, if it is too large to hold; null if it is not
/// @param location where a new document is, or null
/// @param allow the methods a path takes, with a 405; else null
record Answer(
    int status,
    Kind kind,
    @Nullable JsonOutput body,
    @Nullable BodyStream stream,
    @Nullable String location,
    @Nullable String allow) {

  /// What a body is, and so what may be done with it.
  enum Kind {
    /// JSON that `filter_path` and `pretty` apply to.
    JSON,
    /// JSON of an error: `filter_path` does not apply.
    ERROR,
    /// A table or a sentence.
    TEXT,
    /// JSON values, one a line.
    LINES
  }

  /// Writes a body as it comes.
  interface BodyStream {
    void writeTo(OutputStream out) throws IOException;
  }

  static Answer json(int status, JsonOutput body) {
    return new Answer(status, Kind.JSON, body, null, null, null);
  }

  static Answer json(JsonOutput body) {
    return json(200, body);
  }

  static Answer created(JsonOutput body, String location) {
    return new Answer(201, Kind.JSON, body, null, location, null);
  }

  static Answer error(int status, JsonOutput body, @Nullable String allow) {
    return new Answer(status, Kind.ERROR, body, null, null, allow);
  }

  static Answer text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    JsonOutput body = new JsonOutput(bytes.length).append(bytes, 0, bytes.length);
    return new Answer(200, Kind.TEXT, body, null, null, null);
  }

  static Answer lines(BodyStream stream) {
    return new Answer(200, Kind.LINES, null, stream, null, null);
  }

  /// An answer without a body, for `HEAD` and `OPTIONS`.
  static Answer bare(int status, @Nullable String allow) {
    return new Answer(status, Kind.TEXT, new JsonOutput(0), null, null, allow);
  }

  /// `{"acknowledged":true}`.
  static Answer acknowledged() {
    return json(new JsonOutput().openObject().field("acknowledged", true).closeObject());
  }
}
