package dev.tidemark.log;

/// Frames of a segment that follow each other and check.
///
/// @param header the segment's
/// @param offset of the first frame
/// @param end of the last one
/// @param firstLsn of the records; there is at least one
/// @param lastLsn of the records
record IntactRange(SegmentHeader header, long offset, long end, long firstLsn, long lastLsn) {}
