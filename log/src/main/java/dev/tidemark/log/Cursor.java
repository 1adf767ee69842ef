package dev.tidemark.log;

/// A consumer's mark in a log, kept durably beside it under a name: records from [#lsn] on are
/// still needed, and no trim takes them while the cursor is within
/// [LogOptions.Builder#cursorLagMax].
///
/// After a crash a cursor stands where an [#advance] has put it that returned, or one that was
/// under way; never further. So a consumer gets each record at least once if it advances behind
/// what it has done with the records before. Any thread; all cursors of one name are the same.
///
/// ```
/// Cursor cursor = log.cursor("index");
/// try (Tail tail = log.tail(cursor.lsn())) {
///   for (RecordView r = tail.next(); r != null; r = tail.next()) {
///     ... // and after some records, once what was made of them is durable:
///     cursor.advance(r.lsn() + 1);
///   }
/// }
/// ```
public final class Cursor {
  private final Cursors cursors;
  private final String name;

  Cursor(Cursors cursors, String name) {
    this.cursors = cursors;
    this.name = name;
  }

  /// Its name.
  public String name() {
    return name;
  }

  /// The first LSN that the consumer still needs, where its [Log#tail] begins. If the cursor was
  /// *passed*, that one throws [RecordNotFoundException]: records were trimmed that it had not
  /// released. [CursorStatus#lostRecords] says how many; `advance(log.firstLsn())` goes on behind
  /// them.
  ///
  /// @throws InvalidRecordException if the cursor was removed
  public long lsn() {
    return cursors.mark(name);
  }

  /// Releases the records below `lsn`. Durable when it returns: it costs a write and a sync of its
  /// own, so a consumer advances once for many records. The mark it has already costs nothing.
  ///
  /// @param lsn from [#lsn] to one above the durable LSN
  /// @throws InvalidRecordException if it is none of those, or the cursor was removed; nothing was
  ///   changed
  /// @throws LogFailedException if the marks could not be written, now or before: trims keep below
  ///   the last mark that is durable, and no cursor moves until the log was opened again. The log
  ///   itself goes on
  /// @throws LogClosedException if the log is closed
  public void advance(long lsn) {
    cursors.advance(name, lsn);
  }
}
