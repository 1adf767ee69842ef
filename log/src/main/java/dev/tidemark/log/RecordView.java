package dev.tidemark.log;

import java.lang.foreign.MemorySegment;

/// A record as it lies in a reader's buffer: borrowed, valid until that reader's next call. Used by
/// the thread that uses the reader.
public interface RecordView {
  /// Its log sequence number, from 1.
  long lsn();

  /// Where it lies.
  Position position();

  /// Log-clock time of its commit, milliseconds since 1970.
  long timeMs();

  /// The payload's length in bytes.
  int length();

  /// The payload, read-only, not copied.
  MemorySegment payload();

  /// A copy of the payload, the caller's to keep.
  byte[] toBytes();

  /// The record with bytes of its own.
  default LogRecord toRecord() {
    return new LogRecord(lsn(), position(), timeMs(), toBytes());
  }
}
