package dev.tidemark.server;

import java.util.ArrayList;
import java.util.List;

/// Reads the fields of request bodies, and says which field has the wrong kind of value.
final class BodyFields {
  private BodyFields() {}

  static String text(JsonCursor json, String field) {
    if (!json.atScalar()) {
      throw wrongKind(json, field, "a simple value");
    }
    return json.text();
  }

  /// One simple value, or an array of them.
  static List<String> texts(JsonCursor json, String field) {
    if (!json.atArray()) {
      return List.of(text(json, field));
    }
    List<String> texts = new ArrayList<>();
    json.enter();
    while (json.more()) {
      texts.add(text(json, field));
    }
    return texts;
  }

  static boolean flag(JsonCursor json, String field) {
    String text = text(json, field);
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw ApiException.illegalArgument(
              "Failed to parse value ["
                  + text
                  + "] of field ["
                  + field
                  + "] as only [true] or [false] are allowed.");
    };
  }

  static long number(JsonCursor json, String field) {
    String text = text(json, field);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.illegalArgument(
          "field [" + field + "] takes a whole number, but has [" + text + "]");
    }
  }

  static void requireObject(JsonCursor json, String field) {
    if (!json.atObject()) {
      throw wrongKind(json, field, "an object");
    }
  }

  private static ApiException wrongKind(JsonCursor json, String field, String expected) {
    return ApiException.badRequest(
        "parsing_exception",
        "field [" + field + "] takes " + expected + ", but has [" + json.kind() + "]");
  }
}
