package dev.tidemark.cli;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// An action line of the bulk format.
final class BulkAction {
  private final byte[] line;
  private final @Nullable String id;
  private final Body body;

  private BulkAction(byte[] line, @Nullable String id, Body body) {
    this.line = line;
    this.id = id;
    this.body = body;
  }

  /// Whether a document follows on the next line.
  enum Body {
    FOLLOWS,
    NONE
  }

  /// The line, without its end.
  byte[] line() {
    return line;
  }

  /// The document's id; null if the server is to choose one.
  @Nullable String id() {
    return id;
  }

  Body body() {
    return body;
  }

  static boolean isName(String name) {
    return switch (name) {
      case "index", "create", "update", "delete" -> true;
      default -> false;
    };
  }

  /// An action that writes the document that follows it, whole.
  static BulkAction index(@Nullable String id, @Nullable String routing) {
    var line = new StringBuilder("{\"index\":{");
    if (id != null) {
      line.append("\"_id\":").append(Json.quote(id));
    }
    if (routing != null) {
      line.append(id != null ? "," : "").append("\"routing\":").append(Json.quote(routing));
    }
    return new BulkAction(
        line.append("}}").toString().getBytes(StandardCharsets.UTF_8), id, Body.FOLLOWS);
  }

  /// Reads an action line; null if it is none.
  static @Nullable BulkAction parse(byte[] line) {
    try (JsonParser parser = Json.parser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT
          || parser.nextToken() != JsonToken.PROPERTY_NAME
          || !isName(parser.currentName())) {
        return null;
      }
      Body body = parser.currentName().equals("delete") ? Body.NONE : Body.FOLLOWS;
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      String id = null;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isId = parser.currentName().equals("_id");
        JsonToken value = parser.nextToken();
        if (isId && value != null && value.isScalarValue() && value != JsonToken.VALUE_NULL) {
          id = parser.getString();
        }
        parser.skipChildren();
      }
      boolean ends = parser.nextToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
      return ends ? new BulkAction(line, id, body) : null;
    } catch (JacksonException e) {
      return null;
    }
  }
}
