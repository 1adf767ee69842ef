package dev.tidemark.cli;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/// The little JSON that the commands read and write themselves. Documents pass through as bytes:
/// what is valid is for the server to say, so no limit is set here.
final class Json {
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Json() {}

  /// A string literal with its quotes.
  static String quote(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
  }

  /// As [#quote(String)], for text that may be no UTF-8: such bytes become U+FFFD.
  static String quote(byte[] text) {
    return quote(new String(text, StandardCharsets.UTF_8));
  }

  static JsonParser parser(byte[] json) {
    return FACTORY.createParser(ObjectReadContext.empty(), json);
  }

  /// The value of a field of the outermost object, as an id: a string's text, a number as it is
  /// written; null if there is no such field or it is something else.
  ///
  /// @throws tools.jackson.core.JacksonException if the text ends or breaks before the field
  static @Nullable String idIn(byte[] json, String field) {
    try (JsonParser parser = parser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean wanted = parser.currentName().equals(field);
        JsonToken value = parser.nextToken();
        if (wanted) {
          return switch (value) {
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getString();
            case null, default -> null;
          };
        }
        parser.skipChildren();
      }
      return null;
    }
  }

  /// The bytes of the value at which the parser of `json` stands; it then stands at the value's
  /// last token. Objects and arrays only.
  static byte[] slice(JsonParser parser, byte[] json) {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    return Arrays.copyOfRange(json, from, (int) parser.currentLocation().getByteOffset());
  }
}
