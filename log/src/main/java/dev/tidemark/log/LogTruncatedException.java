package dev.tidemark.log;

/// The log was truncated below the record that the caller had come to or waited for
/// ([Log#truncateAfter]). The record is gone, and its LSN is another's as soon as one is appended.
/// Records up to [#keptLsn] are the ones that they were.
public final class LogTruncatedException extends LogException {
  private static final long serialVersionUID = 1L;
  private final long keptLsn;

  LogTruncatedException(long lsn, long keptLsn) {
    this(
        "LSN %d is gone: the log was truncated after LSN %d; go on from LSN %d"
            .formatted(lsn, keptLsn, keptLsn + 1),
        keptLsn);
  }

  LogTruncatedException(String message, long keptLsn) {
    super(message, null);
    this.keptLsn = keptLsn;
  }

  /// The last LSN that still names the record that it did.
  public long keptLsn() {
    return keptLsn;
  }
}
