package dev.tidemark.log;

import java.util.List;

/// What opening the directory found, and what it dropped. Nothing that was acknowledged there is
/// ever dropped: where that would be needed, opening throws [CorruptLogException] instead. Of a
/// copy that was made while the log was written, what is not whole is set aside ([IncompleteCopy]).
public sealed interface RecoveryReport {
  /// The last LSN that survived, 0 if none ever was.
  long lastLsn();

  /// How many records were verified, all of them in the last segment; of a copy, in all segments.
  long scannedRecords();

  /// The directory held no log; one was created.
  record Created() implements RecoveryReport {
    @Override
    public long lastLsn() {
      return 0;
    }

    @Override
    public long scannedRecords() {
      return 0;
    }
  }

  /// The log had been closed in order.
  ///
  /// @param lastLsn the last LSN
  /// @param segments how many segments it has
  /// @param scannedRecords records verified in the last segment
  record Clean(long lastLsn, int segments, long scannedRecords) implements RecoveryReport {}

  /// The log had not been closed, but ends with a whole frame.
  ///
  /// @param lastLsn the last LSN
  /// @param segments how many segments it has
  /// @param scannedRecords records verified in the last segment
  record Unclosed(long lastLsn, int segments, long scannedRecords) implements RecoveryReport {}

  /// Behind the last whole frame lay bytes of a write that was never acknowledged. They were
  /// overwritten with zeros.
  ///
  /// @param lastLsn the last LSN kept
  /// @param segments how many segments the log has
  /// @param scannedRecords records verified in the last segment
  /// @param segment the file
  /// @param offset where the dropped bytes began
  /// @param droppedBytes from there to the last byte that was not zero
  record TornTail(
      long lastLsn,
      int segments,
      long scannedRecords,
      String segment,
      long offset,
      long droppedBytes)
      implements RecoveryReport {}

  /// The directory was made by copying another one file by file while its log was written. The copy
  /// holds a log up to the first gap; what lies behind was set aside in the same directory, under
  /// names that no log reads, and nothing was deleted. The log it was copied from has those
  /// records.
  ///
  /// @param lastLsn the last LSN kept
  /// @param segments how many segments the log has
  /// @param scannedRecords records verified in the last segment
  /// @param segment the file in which the log ends
  /// @param offset where it ends there
  /// @param lastLsnSeen the highest LSN that anything in the copy tells of; the records behind
  ///   `lastLsn` up to this one were dropped, and there may have been more
  /// @param setAside the names of the files that hold what was dropped
  record IncompleteCopy(
      long lastLsn,
      int segments,
      long scannedRecords,
      String segment,
      long offset,
      long lastLsnSeen,
      List<String> setAside)
      implements RecoveryReport {}
}
