package dev.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A bulk request's reply, as far as a loader needs it: each item's error, in the order of the
/// request, null where it was taken.
record BulkReply(List<@Nullable String> errors) {
  /// The part of the reply that [#parse] reads.
  static final String FILTER =
      "items.*.status,items.*.error.type,items.*.error.reason,items.*.error.caused_by.reason";

  /// @throws tools.jackson.core.JacksonException if the text is no JSON
  static BulkReply parse(byte[] json) {
    var errors = new ArrayList<@Nullable String>();
    try (JsonParser parser = Json.parser(json)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean items = parser.currentName().equals("items");
        if (parser.nextToken() == JsonToken.START_ARRAY && items) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            errors.add(item(parser));
          }
        } else {
          parser.skipChildren();
        }
      }
    }
    return new BulkReply(errors);
  }

  /// One item, such as `{"index":{"status":400,"error":{...}}}`.
  private static @Nullable String item(JsonParser parser) {
    String error = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isError = parser.currentName().equals("error");
        if (parser.nextToken() == JsonToken.START_OBJECT && isError) {
          error = error(parser);
        } else {
          parser.skipChildren();
        }
      }
    }
    return error;
  }

  private static String error(JsonParser parser) {
    var text = new StringBuilder();
    int depth = 1;
    while (depth > 0) {
      switch (parser.nextToken()) {
        case START_OBJECT -> depth++;
        case END_OBJECT -> depth--;
        case VALUE_STRING -> text.append(text.isEmpty() ? "" : ": ").append(parser.getString());
        case null -> depth = 0;
        default -> {}
      }
    }
    return text.toString();
  }
}
