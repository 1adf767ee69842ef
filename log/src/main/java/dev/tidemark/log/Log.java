package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// A write-ahead log in one directory. Any number of threads, platform or virtual, may use it.
public final class Log implements AutoCloseable {
  private Log() {}

  /// Opens the log in `directory`, which is created where it is missing, and recovers it.
  public static Log open(Path directory, LogOptions options) {
    throw unwritten();
  }

  /// Opens the log on a storage of the caller's.
  public static Log open(Storage storage, LogOptions options) {
    throw unwritten();
  }

  private static IllegalStateException unwritten() {
    return new IllegalStateException("not there yet");
  }

  /// Accepts a record and answers its LSN. It is not durable yet: see [#awaitDurable].
  public long append(byte[] payload) {
    throw unwritten();
  }

  /// As [#append(byte[])], for the buffer's remaining bytes, which stay unconsumed.
  public long append(ByteBuffer payload) {
    throw unwritten();
  }

  /// Accepts records that become durable together or not at all.
  public LsnRange appendBatch(List<byte[]> payloads) {
    throw unwritten();
  }

  /// Waits until the record with this LSN, and so all before it, is durable.
  public void awaitDurable(long lsn) {
    throw unwritten();
  }

  /// Appends a record and waits until it is durable.
  public long write(byte[] payload) {
    throw unwritten();
  }

  /// Appends a record; the stage completes when it is durable, on a thread of the log.
  public CompletionStage<Long> writeAsync(byte[] payload) {
    throw unwritten();
  }

  /// Appends a batch and waits until it is durable.
  public LsnRange writeBatch(List<byte[]> payloads) {
    throw unwritten();
  }

  /// Waits until all that was accepted before the call is durable; answers the durable LSN.
  public long sync() {
    throw unwritten();
  }

  /// Reads one durable record.
  public LogRecord read(Position position) {
    throw unwritten();
  }

  /// The durable records from `fromLsn` to the durable LSN of now; later trims do not touch it.
  public Replay replay(long fromLsn) {
    throw unwritten();
  }

  /// Durable records from `fromLsn` on, as they come.
  public Tail tail(long fromLsn) {
    throw unwritten();
  }

  /// Deletes segments that hold only records below `lsn`.
  public TrimResult trimBefore(long lsn) {
    throw unwritten();
  }

  /// The first LSN kept; `appendedLsn() + 1` when the log is empty.
  public long firstLsn() {
    throw unwritten();
  }

  /// The last LSN accepted.
  public long appendedLsn() {
    throw unwritten();
  }

  /// The last durable LSN.
  public long durableLsn() {
    throw unwritten();
  }

  /// What opening found.
  public RecoveryReport recovery() {
    throw unwritten();
  }

  /// Counts and sizes.
  public LogStats stats() {
    throw unwritten();
  }

  /// Makes everything accepted durable, says so on disk, and gives the directory free.
  @Override
  public void close() {
    throw unwritten();
  }
}
