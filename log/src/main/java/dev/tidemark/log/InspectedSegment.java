package dev.tidemark.log;

/// What one segment's file holds, as far as it is intact.
///
/// @param name the file's
/// @param fileBytes its size, zeros at its end included
/// @param createdMs log-clock time at which it was made, milliseconds since 1970
/// @param lastTimeMs log-clock time of its last frame, or of its creation
/// @param firstLsn the LSN that it was made for
/// @param lastLsn the last LSN found in it, `firstLsn - 1` for none
/// @param records found in it
/// @param frames found in it, without the seal
/// @param payloadBytes of those records
/// @param usedBytes where its frames end, the seal included
/// @param end how it ends
public record InspectedSegment(
    String name,
    long fileBytes,
    long createdMs,
    long lastTimeMs,
    long firstLsn,
    long lastLsn,
    long records,
    long frames,
    long payloadBytes,
    long usedBytes,
    End end) {
  /// How a segment ends.
  public enum End {
    /// With a seal: it is finished.
    SEALED,
    /// With the mark of a log that was closed in order.
    CLOSED,
    /// With a whole frame: the log is in use, or was not closed.
    OPEN,
    /// With bytes of a write that was never acknowledged.
    TORN,
    /// Its header cannot be read, so that nothing in it can be told from noise.
    UNREADABLE
  }
}
