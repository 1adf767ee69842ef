package dev.tidemark.server;

import io.helidon.common.media.type.MediaTypes;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import org.jspecify.annotations.Nullable;

/// Answers to what the web server itself refuses, before there is a request to route: broken
/// framing, endless headers, unknown encodings. They have the shape of all other errors.
final class TransportErrors implements DirectHandler {
  static DirectHandlers handlers() {
    TransportErrors handler = new TransportErrors();
    DirectHandlers.Builder builder = DirectHandlers.builder();
    for (EventType event : EventType.values()) {
      builder.addHandler(event, handler);
    }
    return builder.build();
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType eventType,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    int code = status.code();
    String reason =
        code >= 500 || message == null || message.isEmpty() ? status.reasonPhrase() : message;
    String type =
        switch (code) {
          case 413, 414 -> "too_long_frame_exception";
          case 503 -> "node_closed_exception";
          default -> code < 500 ? "illegal_argument_exception" : "internal_server_error";
        };
    JsonOutput body = ErrorBody.answer(ApiException.of(code, type, reason)).body();
    TransportResponse.Builder response =
        TransportResponse.builder().status(status).headers(headers).keepAlive(false);
    response.header(HeaderNames.CONTENT_TYPE, MediaTypes.APPLICATION_JSON.text());
    if (body != null && !request.method().equals("HEAD")) {
      response.entity(body.toBytes());
    }
    return response.build();
  }
}
