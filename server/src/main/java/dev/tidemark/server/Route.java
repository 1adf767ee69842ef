package dev.tidemark.server;

import java.util.Locale;
import java.util.Set;

/// One method on one path, and what it takes.
///
/// @param handler answers the request
/// @param parameters what it takes beyond the parameters every route takes
/// @param pathNames the names of the path's variable steps
/// @param content what kind of body it takes
record Route(Action handler, Set<String> parameters, Set<String> pathNames, Content content) {

  /// Answers a request.
  interface Action {
    Answer handle(ApiRequest request);
  }

  /// What kind of body a route takes.
  enum Content {
    NONE,
    JSON,
    /// JSON values, one a line.
    LINES
  }

  /// Refuses a body that the route does not take, or whose kind is not said or not known.
  ///
  /// @param contentType as the request says; empty if it does not
  void checkContent(ApiRequest.Verb verb, RequestPath path, String contentType) {
    if (contentType.isEmpty()) {
      throw ApiException.sentence(406, "Content-Type header is missing");
    }
    int semicolon = contentType.indexOf(';');
    String plain = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    String kind = plain.strip().toLowerCase(Locale.ROOT);
    boolean known =
        kind.equals("application/json")
            || (content == Content.LINES && kind.equals("application/x-ndjson"));
    if (!known) {
      throw ApiException.sentence(
          406, "Content-Type header [" + contentType + "] is not supported");
    }
    if (content == Content.NONE) {
      throw ApiException.illegalArgument(
          "request [" + verb + " " + path.text() + "] does not support having a body");
    }
  }
}
