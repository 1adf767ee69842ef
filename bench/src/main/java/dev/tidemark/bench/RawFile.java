package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A file as the plain loop uses it: one block of memory, given at opening, is written from and
/// read into. Used by one thread.
interface RawFile extends AutoCloseable {
  /// Writes the first `bytes` of the block at `offset`.
  void write(int bytes, long offset) throws IOException;

  /// Reads `bytes` from `offset` into the block.
  void read(int bytes, long offset) throws IOException;

  /// Makes what was written durable.
  void sync() throws IOException;

  @Override
  void close() throws IOException;

  /// The ways to a file that a plain Java program has.
  enum Access {
    /// `pwrite`, `pread` and `fdatasync`, called through the foreign-function API. Linux only.
    FOREIGN("pwrite, pread, fdatasync by foreign calls"),
    /// A `FileChannel`.
    CHANNEL("FileChannel");

    private final String label;

    Access(String label) {
      this.label = label;
    }

    /// What people read.
    String label() {
      return label;
    }

    /// Opens an existing file.
    RawFile open(Path file, MemorySegment block) throws IOException {
      return switch (this) {
        case FOREIGN -> new ForeignFile(file, block);
        case CHANNEL -> new ChannelFile(file, block);
      };
    }
  }
}
