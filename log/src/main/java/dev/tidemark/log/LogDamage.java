package dev.tidemark.log;

/// A place where acknowledged bytes are damaged or missing.
///
/// @param segment the file's name
/// @param offset where the damage begins, in bytes from the start of the file
/// @param end where the next intact frame begins, or the file ends
/// @param firstLsn the first LSN that is lost
/// @param lastLsn the last one; below `firstLsn` if no record is lost, [Long#MAX_VALUE] if it is
///   not known
/// @param what happened, in words
public record LogDamage(
    String segment, long offset, long end, long firstLsn, long lastLsn, String what) {}
