package dev.tidemark.log;

/// What opening the directory found, and what it dropped. Nothing that was acknowledged is ever
/// dropped: where that would be needed, opening throws [CorruptLogException] instead.
public sealed interface RecoveryReport {
  /// The last LSN that survived, 0 if none ever was.
  long lastLsn();

  /// The directory held no log; one was created.
  record Created() implements RecoveryReport {
    @Override
    public long lastLsn() {
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
}
