package dev.tidemark.log;

/// Counts since the log was opened, and sizes now.
///
/// @param records records made durable
/// @param payloadBytes their payloads
/// @param groups commit groups that held records
/// @param writes write calls on segments, those of windows and headers excepted
/// @param syncs data syncs of segments' frames
/// @param windows zero-filled windows
/// @param rotations segments finished
/// @param witnesses frames without records, written when the log fell idle
/// @param stagedBytes accepted and not yet written
/// @param segments files now
/// @param diskBytes their sizes together
/// @param access how the log reaches the disk: `native` or `nio`
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
    int segments,
    long diskBytes,
    String access) {}
