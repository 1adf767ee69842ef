package dev.tidemark.log;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/// Fills a segment with zeros ahead of its records, a window at a time, so that a commit overwrites
/// blocks that already hold data: a sync then writes data alone, where a write that grows the file
/// or meets an unwritten extent costs a commit of the file system's journal as well.
///
/// Used by the holder of the commit role. A window that cannot be filled is left unfilled: the
/// commit that needs its space tells whether there is none.
final class WindowFiller {
  private final int windowBytes;
  private final MemorySegment zeros;
  private final AtomicLong filled = new AtomicLong();

  /// @param windowBytes a multiple of 4 KiB, or 0 for no windows
  WindowFiller(int windowBytes, Arena arena) {
    this.windowBytes = windowBytes;
    this.zeros = arena.allocate(Math.max(windowBytes, 4096), 4096);
  }

  /// How many windows were filled; read by anyone.
  long filled() {
    return filled.getOpaque();
  }

  /// Makes sure that no byte of the segment's windows up to `end` is unwritten once the bytes
  /// before `end` have been: fills what lies behind them in the last window.
  void fill(Segment segment, long end) {
    if (windowBytes > 0 && end > segment.allocated()) {
      segment.allocatedTo(fill(segment.file(), end));
    }
  }

  /// Fills a file from `from` to the end of the window that `from` lies in. Windows end at
  /// multiples of their size.
  ///
  /// @return how far it is filled
  long fill(StorageFile file, long from) {
    if (windowBytes == 0 || from % windowBytes == 0) {
      return from;
    }
    long windowEnd = (from / windowBytes + 1) * windowBytes;
    try {
      file.write(zeros.asSlice(0, windowEnd - from), from);
      filled.setOpaque(filled.getPlain() + 1);
      return windowEnd;
    } catch (IOException e) {
      return from;
    }
  }

  /// Overwrites what lies between two offsets of a file with zeros.
  void zero(StorageFile file, long from, long end) throws IOException {
    for (long at = from; at < end; ) {
      long length = Math.min(zeros.byteSize(), end - at);
      file.write(zeros.asSlice(0, length), at);
      at += length;
    }
  }
}
