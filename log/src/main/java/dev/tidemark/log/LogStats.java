package dev.tidemark.log;

/// Counts since the log was opened, and sizes now.
///
/// @param records records made durable
/// @param payloadBytes their payloads
/// @param groups commit groups that held records
/// @param writes write calls of frames; those of windows and headers are not counted
/// @param syncs data syncs of frames
/// @param windows zero-filled windows
/// @param rotations segments finished
/// @param witnesses frames without records, written when the log fell idle
/// @param stagedBytes accepted and not yet taken for a write, headers included
/// @param queue accepted and not yet durable
/// @param segments files now
/// @param diskBytes their sizes together
/// @param failuresTold calls and stages that ended with [LogFailedException]
/// @param access how the log reaches the disk: `native` or `nio`
/// @param groupSizes records in a commit group
/// @param writeNanos how long the write calls of frames took
/// @param syncNanos how long the data syncs of frames took
/// @param stalls of writes and syncs that exceeded [LogOptions.Builder#stallAfter]
/// @param handles files open now: the segments, trimmed ones that are still being read, and the
///   cursors' file; `LOCK` is not counted
/// @param mappings how many of them are mapped
/// @param retentionFailures attempts to delete what was due that failed; each is tried again
public record LogStats(
    long records,
    long payloadBytes,
    long groups,
    long writes,
    long syncs,
    long windows,
    long rotations,
    long witnesses,
    long stagedBytes,
    Queue queue,
    int segments,
    long diskBytes,
    long failuresTold,
    String access,
    LogHistogram groupSizes,
    LogHistogram writeNanos,
    LogHistogram syncNanos,
    Stalls stalls,
    int handles,
    int mappings,
    long retentionFailures) {

  /// Records that wait for their sync. After a failure it is those in doubt.
  ///
  /// @param records how many
  /// @param payloadBytes their payloads
  public record Queue(long records, long payloadBytes) {}

  /// Writes and syncs that ran, or run, for longer than the bound.
  ///
  /// @param count how many were reported, the running one included
  /// @param runningNanos how long the one that runs now has been running, 0 if there is none
  public record Stalls(long count, long runningNanos) {}
}
