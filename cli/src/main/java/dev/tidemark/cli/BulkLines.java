package dev.tidemark.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// OpenSearch's bulk format. Behind a line that should be an action and is none, nothing tells
/// actions from documents any more: reading stops there, since a document that looks like a delete
/// must never be run as one.
final class BulkLines implements Entries {
  private final LineReader lines;

  BulkLines(LineReader lines) {
    this.lines = lines;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    byte[] line = lines.next();
    if (line == null) {
      return null;
    }
    long number = lines.number();
    BulkAction action = lines.isCut() ? null : BulkAction.parse(line);
    if (action == null) {
      throw new BrokenFileException(
          number, "a bulk action, such as {\"index\":{\"_id\":\"1\"}}, should stand here");
    }
    if (action.body() == BulkAction.Body.NONE) {
      return new Entry.Change(number, null, action, null);
    }
    byte[] document = lines.next();
    if (document == null) {
      return new Entry.Unreadable(
          number, line, "the file ends where this action's document should be");
    }
    if (lines.isCut()) {
      return Entry.Unreadable.tooLong(number, document);
    }
    return new Entry.Change(number, null, action, document);
  }
}
