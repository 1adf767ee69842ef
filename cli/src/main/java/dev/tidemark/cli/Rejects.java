package dev.tidemark.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The file of what was not taken: for each its line, the reason, and the text as it stands in the
/// source. The file is made with the first reject, in place of an older one. Any number of threads.
final class Rejects implements AutoCloseable {
  private final Path file;
  private @Nullable OutputStream out;
  private long count;

  Rejects(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  synchronized long count() {
    return count;
  }

  /// @throws UserError if the file can't be written: a reject must not be lost unseen
  synchronized void add(Entry entry, String reason) {
    count++;
    String row =
        "{\"line\":%d,\"reason\":%s,\"text\":%s}\n"
            .formatted(entry.line(), Json.quote(reason), Json.quote(entry.text()));
    try {
      if (out == null) {
        out = new BufferedOutputStream(Files.newOutputStream(file));
      }
      out.write(row.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private UserError unwritable(IOException e) {
    return new UserError(
        "The file of rejects, %s, can't be written (%s): name another with --rejects."
            .formatted(file, e.getMessage()),
        e);
  }
}
