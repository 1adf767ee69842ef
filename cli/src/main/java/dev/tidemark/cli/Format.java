package dev.tidemark.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// What a file to load looks like. The names are those of `--format`.
enum Format {
  /// One document on each line.
  ndjson,
  /// One JSON array of documents.
  array,
  /// Lines as `dump` writes them: `_id`, `_source` and more.
  dump,
  /// OpenSearch's bulk format: an action on one line, its document on the next.
  bulk;

  /// How much of the input is looked at.
  private static final int PEEK_BYTES = 64 << 10;

  /// Tells the format by the first value, which stays to be read. Anything that isn't one of the
  /// others is [#ndjson].
  static Format detect(BufferedInputStream in) throws IOException {
    in.mark(PEEK_BYTES);
    byte[] head = in.readNBytes(PEEK_BYTES);
    in.reset();
    for (byte b : head) {
      if (b == '[') {
        return array;
      }
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        break;
      }
    }
    try (JsonParser parser = Json.parser(head)) {
      return ofFirstObject(parser);
    } catch (JacksonException e) {
      return ndjson;
    }
  }

  private static Format ofFirstObject(JsonParser parser) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return ndjson;
    }
    boolean hasId = false;
    boolean first = true;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (first && BulkAction.isName(name) && value == JsonToken.START_OBJECT) {
        parser.skipChildren();
        return parser.nextToken() == JsonToken.END_OBJECT ? bulk : ndjson;
      }
      if (hasId && name.equals("_source") && value == JsonToken.START_OBJECT) {
        return dump;
      }
      if (!name.startsWith("_")) {
        return ndjson;
      }
      hasId |= name.equals("_id") && value == JsonToken.VALUE_STRING;
      first = false;
      parser.skipChildren();
    }
    return ndjson;
  }
}
