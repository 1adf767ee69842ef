package dev.tidemark.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// JSON as maps, lists, strings, doubles and nulls, for the tests to look at.
final class Json {
  private Json() {}

  /// Parses a text that holds one value and nothing else.
  static @Nullable Object parse(String text) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new AssertionError("more behind the JSON value: " + text);
      }
      return value;
    }
  }

  /// The rows of a report.
  @SuppressWarnings("unchecked") // a report has this form, or the test fails
  static List<Map<String, @Nullable Object>> rows(String report) {
    return (List<Map<String, @Nullable Object>>) requireNonNull(object(report).get("rows"));
  }

  /// A text that holds one object.
  @SuppressWarnings("unchecked") // a report has this form, or the test fails
  static Map<String, @Nullable Object> object(String text) {
    return (Map<String, @Nullable Object>) requireNonNull(parse(text));
  }

  /// A number that must be there.
  static double number(Map<String, @Nullable Object> object, String name) {
    return (double) requireNonNull(object.get(name), () -> name + " of " + object);
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          object.put(name, value(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_NULL -> null;
      default -> throw new AssertionError("no such value in a report: " + parser.currentToken());
    };
  }
}
