package dev.tidemark.log;

/// A write or sync failed, so the log accepts nothing more until it is opened again. Records up to
/// [#durableLsn] are durable; what lies above, up to [#appendedLsn], may or may not be found by the
/// recovery of the next open. The cause is the first failure's.
///
/// Thrown by what changes a [Cursor] it says that of the cursors alone: the log itself goes on.
public final class LogFailedException extends LogException {
  private static final long serialVersionUID = 1L;
  private final long durableLsn;
  private final long appendedLsn;

  LogFailedException(String message, Throwable cause, long durableLsn, long appendedLsn) {
    super(message, cause);
    this.durableLsn = durableLsn;
    this.appendedLsn = appendedLsn;
  }

  /// The last LSN known to be durable.
  public long durableLsn() {
    return durableLsn;
  }

  /// The last LSN that had been accepted when the log failed.
  public long appendedLsn() {
    return appendedLsn;
  }
}
