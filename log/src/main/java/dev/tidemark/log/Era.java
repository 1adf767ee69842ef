package dev.tidemark.log;

import org.jspecify.annotations.Nullable;

/// The time between two truncations, within which an LSN names one record. Who goes by an LSN over
/// some time keeps the era in which it began, and asks it whether the LSN still names the same.
///
/// Ended by the holder of the commit role; any thread may ask.
final class Era {
  private volatile @Nullable Era next;

  /// Of the truncation that ended it; written before `next`.
  private long keptLsn;

  /// Ends it by a truncation; answers the era that begins.
  Era endAfter(long lsn) {
    keptLsn = lsn;
    Era following = new Era();
    next = following;
    return following;
  }

  boolean ended() {
    return next != null;
  }

  /// The last LSN that all truncations since have kept.
  long kept() {
    long kept = Long.MAX_VALUE;
    Era era = this;
    for (Era following = era.next; following != null; following = era.next) {
      kept = Math.min(kept, era.keptLsn);
      era = following;
    }
    return kept;
  }

  /// Whether the record that had this LSN in this era has been truncated since.
  boolean hasLost(long lsn) {
    return next != null && lsn > kept();
  }

  /// @throws LogTruncatedException if the record that had this LSN in this era has been truncated
  void throwIfLost(long lsn) {
    if (hasLost(lsn)) {
      throw new LogTruncatedException(lsn, kept());
    }
  }
}
