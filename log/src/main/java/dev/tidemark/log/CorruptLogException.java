package dev.tidemark.log;

/// Bytes that had been acknowledged are damaged. Nothing on disk was changed.
public final class CorruptLogException extends LogException {
  private static final long serialVersionUID = 1L;
  private final String segment;
  private final long offset;
  private final long firstLsn;
  private final long lastLsn;

  CorruptLogException(String segment, long offset, long firstLsn, long lastLsn, String what) {
    super(
        "%s at byte %d: %s; records %s are at stake; nothing was changed on disk: restore this file from a copy, or keep it and ask what it still holds"
            .formatted(segment, offset, what, range(firstLsn, lastLsn)),
        null);
    this.segment = segment;
    this.offset = offset;
    this.firstLsn = firstLsn;
    this.lastLsn = lastLsn;
  }

  private static String range(long firstLsn, long lastLsn) {
    return lastLsn == Long.MAX_VALUE
        ? "from LSN " + firstLsn + " on"
        : "with LSN " + firstLsn + " to " + lastLsn;
  }

  /// The damaged file's name.
  public String segment() {
    return segment;
  }

  /// Where the damage begins, in bytes from the start of the file.
  public long offset() {
    return offset;
  }

  /// The first LSN that the damage may have taken.
  public long firstLsn() {
    return firstLsn;
  }

  /// The last LSN that the damage may have taken; [Long#MAX_VALUE] where that is not known.
  public long lastLsn() {
    return lastLsn;
  }
}
