package dev.tidemark.log;

/// Where a record lies: valid until its segment is trimmed, across restarts.
///
/// @param segment the first LSN of the segment, which is its file's name
/// @param offset bytes from the start of the file to the record
public record Position(long segment, long offset) {}
