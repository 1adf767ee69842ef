package dev.tidemark.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The entries of a file, one after the other. One thread.
interface Entries {
  /// The next one; null behind the last.
  ///
  /// @throws BrokenFileException if what is behind this place can't be told apart any more
  @Nullable Entry next() throws IOException;

  /// The entries of `in`.
  ///
  /// @param idField the field of each document that holds its id; null for ids as the format has
  ///   them, or the server's
  static Entries of(Format format, BufferedInputStream in, @Nullable String idField) {
    if (idField != null && format != Format.ndjson && format != Format.array) {
      throw new UserError(
          "--id-field goes with plain documents; this file is in the format '%s', which has ids of its own. If it isn't, say so with --format."
              .formatted(format));
    }
    return switch (format) {
      case ndjson -> new DocumentLines(new LineReader(in), idField);
      case array -> new ArrayElements(in, idField);
      case dump -> new DumpLines(new LineReader(in));
      case bulk -> new BulkLines(new LineReader(in));
    };
  }

  /// A document that stands alone, its id taken from a field if one is named.
  static Entry document(long line, byte[] text, @Nullable String idField) {
    if (idField == null) {
      return new Entry.Change(line, text, BulkAction.index(null, null), text);
    }
    String id;
    try {
      id = Json.idIn(text, idField);
    } catch (tools.jackson.core.JacksonException e) {
      return new Entry.Unreadable(line, text, "not JSON: " + e.getOriginalMessage());
    }
    return id != null
        ? new Entry.Change(line, text, BulkAction.index(id, null), text)
        : new Entry.Unreadable(
            line, text, "no string or number in the field " + Json.quote(idField) + " for an id");
  }
}
