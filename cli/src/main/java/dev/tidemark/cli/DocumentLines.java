package dev.tidemark.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One document on each line.
final class DocumentLines implements Entries {
  private final LineReader lines;
  private final @Nullable String idField;

  DocumentLines(LineReader lines, @Nullable String idField) {
    this.lines = lines;
    this.idField = idField;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    byte[] line = lines.next();
    if (line == null) {
      return null;
    }
    return lines.isCut()
        ? Entry.Unreadable.tooLong(lines.number(), line)
        : Entries.document(lines.number(), line, idField);
  }
}
