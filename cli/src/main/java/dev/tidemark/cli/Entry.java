package dev.tidemark.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a file to load holds at one place.
sealed interface Entry {
  /// The line it begins at, from 1.
  long line();

  /// What stands there, to show it when it was not taken.
  byte[] text();

  /// A change to send.
  final class Change implements Entry {
    private final long line;
    private final byte @Nullable [] whole;
    private final BulkAction action;
    private final byte @Nullable [] document;

    /// @param whole the file's line that became the change; null where action and document stand in
    ///   the file as they are sent
    /// @param document what follows the action; null if nothing does
    Change(long line, byte @Nullable [] whole, BulkAction action, byte @Nullable [] document) {
      this.line = line;
      this.whole = whole;
      this.action = action;
      this.document = document;
    }

    @Override
    public long line() {
      return line;
    }

    @Override
    public byte[] text() {
      if (whole != null) {
        return whole;
      }
      var request = new ByteArrayOutputStream(bytes());
      writeTo(request);
      // Without the last line's end.
      return Arrays.copyOf(request.toByteArray(), bytes() - 1);
    }

    /// The document's id; null if the server chooses one.
    @Nullable String id() {
      return action.id();
    }

    /// What it takes in a bulk request.
    int bytes() {
      return action.line().length + 1 + (document != null ? document.length + 1 : 0);
    }

    /// Writes its lines of a bulk request.
    void writeTo(ByteArrayOutputStream request) {
      request.writeBytes(action.line());
      request.write('\n');
      if (document != null) {
        request.writeBytes(document);
        request.write('\n');
      }
    }
  }

  /// Something that can't be sent.
  final class Unreadable implements Entry {
    private final long line;
    private final byte[] text;
    private final String reason;

    Unreadable(long line, byte[] text, String reason) {
      this.line = line;
      this.text = text;
      this.reason = reason;
    }

    static Unreadable tooLong(long line, byte[] beginning) {
      String text = new String(beginning, StandardCharsets.UTF_8) + "...";
      return new Unreadable(
          line,
          text.getBytes(StandardCharsets.UTF_8),
          "longer than " + (LineReader.LINE_BYTES_MAX >> 20) + " MiB");
    }

    @Override
    public long line() {
      return line;
    }

    @Override
    public byte[] text() {
      return text;
    }

    String reason() {
      return reason;
    }
  }
}
