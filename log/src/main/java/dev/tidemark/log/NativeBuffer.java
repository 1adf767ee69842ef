package dev.tidemark.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Memory off the heap, page-aligned, that is given back at once when it is closed. The view is the
/// same bytes, for the CRC, which knows no memory segments; its position and limit are the user's.
final class NativeBuffer implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment bytes;
  private final ByteBuffer view;

  /// @param size in bytes, up to 2 GiB less one
  NativeBuffer(long size) {
    this.bytes = arena.allocate(size, 4096);
    this.view = bytes.asByteBuffer();
  }

  MemorySegment bytes() {
    return bytes;
  }

  ByteBuffer view() {
    return view;
  }

  @Override
  public void close() {
    arena.close();
  }
}
