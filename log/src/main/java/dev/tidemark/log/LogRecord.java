package dev.tidemark.log;

/// A record with bytes of its own.
///
/// @param lsn its log sequence number, from 1
/// @param position where it lies
/// @param timeMs log-clock time of its commit, milliseconds since 1970; never falls with the LSN
/// @param payload its bytes, the caller's to keep
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed over, never compared
public record LogRecord(long lsn, Position position, long timeMs, byte[] payload) {}
