package dev.tidemark.server.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// An answer of the server.
///
/// @param method the request's method
/// @param status the status code
/// @param body what the text parses to, the text itself if it is no JSON by its content type; for
///   HEAD requests, which have no body, whether the status is a success
record RestAnswer(String method, int status, @Nullable Object body) {
  private static final int SHOWN = 400;

  static RestAnswer of(String method, int status, String contentType, String text) {
    if (method.equals("HEAD")) {
      return new RestAnswer(method, status, status < 400);
    }
    if (!contentType.contains("json")) {
      return new RestAnswer(method, status, text);
    }
    try {
      return new RestAnswer(method, status, Json.read(text));
    } catch (JacksonException e) {
      throw new AssertionError("the answer says it is JSON, but is [" + text + "]", e);
    }
  }

  /// Whether it fails a call that expects no error. A HEAD that finds nothing is an answer, no
  /// error.
  boolean isError() {
    return status >= 400 && !(method.equals("HEAD") && status == 404);
  }

  /// The text of the error in the body, names and values without JSON's escapes; the body's text if
  /// it is no JSON.
  String errorText() {
    return body instanceof Map<?, ?> map ? String.valueOf(map.get("error")) : String.valueOf(body);
  }

  /// The status and the start of the body, for messages.
  String describe() {
    String text = body instanceof String string ? string : Json.write(body);
    return "the answer was "
        + status
        + " "
        + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text);
  }
}
