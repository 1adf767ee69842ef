package dev.tidemark.log.spi;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// An open file of a [Storage]. Offsets and sizes are in bytes.
///
/// Reads may run beside each other and beside a write. The log makes one write or sync at a time.
/// Memory segments are native.
public interface StorageFile extends AutoCloseable {
  /// Writes all of `source` at `offset`, growing the file if need be. Not durable before [#sync].
  /// After an exception any part of it may have been written.
  void write(MemorySegment source, long offset) throws IOException;

  /// Reads into `target` from `offset` until it is full or the file ends; answers the number of
  /// bytes read, 0 at or behind the end.
  long read(MemorySegment target, long offset) throws IOException;

  /// Makes everything written so far durable, the file's size included. After an exception the
  /// state on the medium is unknown, and a later success proves nothing.
  void sync() throws IOException;

  /// The file's size now.
  long size() throws IOException;

  /// Closes the handle; a second close is harmless.
  @Override
  void close() throws IOException;
}
