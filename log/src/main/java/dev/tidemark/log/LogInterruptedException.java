package dev.tidemark.log;

/// The thread was interrupted while it waited. The record stays accepted: it becomes durable, or
/// the log fails, as if nothing had happened. The thread's interrupt status is set again.
public final class LogInterruptedException extends LogException {
  private static final long serialVersionUID = 1L;
  private final long lsn;

  LogInterruptedException(long lsn) {
    super(
        "interrupted while waiting for LSN "
            + lsn
            + " to be durable; the record stays accepted, awaitDurable("
            + lsn
            + ") tells its outcome",
        null);
    this.lsn = lsn;
  }

  /// The LSN that was waited for.
  public long lsn() {
    return lsn;
  }
}
