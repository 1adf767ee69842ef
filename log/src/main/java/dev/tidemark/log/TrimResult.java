package dev.tidemark.log;

/// What a trim gave back.
///
/// @param segments files deleted
/// @param bytes their sizes together
/// @param firstLsn the first LSN still kept
public record TrimResult(int segments, long bytes, long firstLsn) {}
