package dev.tidemark.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Lines as `dump` writes them. Ids, routing and sources are taken; versions and sequence numbers
/// are the new index's own.
final class DumpLines implements Entries {
  private final LineReader lines;

  DumpLines(LineReader lines) {
    this.lines = lines;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    byte[] line = lines.next();
    if (line == null) {
      return null;
    }
    if (lines.isCut()) {
      return Entry.Unreadable.tooLong(lines.number(), line);
    }
    try {
      return change(line);
    } catch (JacksonException e) {
      return new Entry.Unreadable(lines.number(), line, "not JSON: " + e.getOriginalMessage());
    }
  }

  private Entry change(byte[] line) {
    String id = null;
    String routing = null;
    byte[] source = null;
    try (JsonParser parser = Json.parser(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "_id" -> id = value == JsonToken.VALUE_STRING ? parser.getString() : null;
          case "_routing" -> routing = value == JsonToken.VALUE_STRING ? parser.getString() : null;
          case "_source" ->
              source = value == JsonToken.START_OBJECT ? Json.slice(parser, line) : null;
          default -> parser.skipChildren();
        }
        // A value of an unexpected kind still has to be passed.
        parser.skipChildren();
      }
    }
    return id != null && source != null
        ? new Entry.Change(lines.number(), line, BulkAction.index(id, routing), source)
        : new Entry.Unreadable(lines.number(), line, "no _id and _source, as a line of a dump has");
  }
}
