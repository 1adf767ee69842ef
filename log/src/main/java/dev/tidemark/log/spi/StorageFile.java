package dev.tidemark.log.spi;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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

  /// The first `bytes` bytes of the file as memory to be read, valid until the file is closed; null
  /// where that cannot be had. It may reach beyond the end of the file: what lies there may be
  /// touched only once the file has grown over it. The file never shrinks.
  default @Nullable MemorySegment map(long bytes) {
    return null;
  }

  /// Makes everything written so far durable, the file's size included. After an exception the
  /// state on the medium is unknown, and a later success proves nothing.
  void sync() throws IOException;

  /// The file's size now.
  long size() throws IOException;

  /// Closes the handle; a second close is harmless.
  @Override
  void close() throws IOException;
}
