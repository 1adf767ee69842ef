package dev.tidemark.server.spec;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// JSON to plain values and back: maps in the order of their text, lists, strings, booleans, null,
/// and numbers as Integer, Long or BigInteger where the text has no fraction, else Double.
/// Stateless.
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /// The one value that `text` holds.
  ///
  /// @throws tools.jackson.core.JacksonException if it is no JSON
  static @Nullable Object read(String text) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      return value(parser);
    }
  }

  /// Members of a JSON object whose shape is known, as a description of an API has.
  @SuppressWarnings("unchecked") // Values of this class's own making, with string keys throughout.
  static Map<String, @Nullable Object> members(@Nullable Object value) {
    if (value instanceof Map) {
      return (Map<String, @Nullable Object>) value;
    }
    throw new IllegalArgumentException("an object was expected, not " + write(value));
  }

  static String write(@Nullable Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      write(value, out);
    }
    return text.toString();
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default -> throw new IllegalArgumentException("no JSON value");
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<@Nullable Object> array(JsonParser parser) {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  private static void write(@Nullable Object value, JsonGenerator out) {
    switch (value) {
      case null -> out.writeNull();
      case Map<?, ?> map -> {
        out.writeStartObject();
        map.forEach(
            (name, member) -> {
              out.writeName(String.valueOf(name));
              write(member, out);
            });
        out.writeEndObject();
      }
      case List<?> list -> {
        out.writeStartArray();
        list.forEach(element -> write(element, out));
        out.writeEndArray();
      }
      case Boolean flag -> out.writeBoolean(flag);
      case Number number -> out.writeNumber(number.toString());
      default -> out.writeString(value.toString());
    }
  }
}
