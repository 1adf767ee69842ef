package dev.tidemark.log;

/// The LSNs of a batch, which are contiguous.
///
/// @param first the first record's LSN
/// @param last the last record's; `first - 1` for an empty batch
public record LsnRange(long first, long last) {}
