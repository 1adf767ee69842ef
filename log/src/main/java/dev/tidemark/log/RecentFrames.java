package dev.tidemark.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The last bytes of the active segment that became durable, kept in memory while tails follow the
/// log, so that one that keeps up reads no file. Without tails there is no memory, and a commit
/// pays a look at a field.
///
/// The holder of the commit role puts frames in, once they are durable; any thread reads, without a
/// lock. What is overwritten during a read is noticed behind it, and the read is for nothing.
final class RecentFrames {
  private static final int BYTES = 1 << 20;

  private volatile @Nullable Ring ring;

  /// Begins to keep frames.
  void start() {
    ring = new Ring();
  }

  /// Gives the memory free.
  void stop() {
    ring = null;
  }

  /// As the holder of the commit role: keeps a frame that is durable.
  void keep(Segment segment, long offset, MemorySegment frame) {
    Ring current = ring;
    if (current != null) {
      current.put(segment, offset, frame);
    }
  }

  /// A segment's bytes, from here if they are here, else from its file, which the reader holds.
  FrameReader.Source bytesOf(Segment segment) {
    return (target, offset) ->
        read(segment, offset, target) ? target.byteSize() : segment.file().read(target, offset);
  }

  /// Reads into `target` from the segment's byte `offset` on.
  ///
  /// @return whether all of it was here; if not, what is in the target means nothing
  private boolean read(Segment segment, long offset, MemorySegment target) {
    Ring current = ring;
    return current != null && current.get(segment, offset, target);
  }

  /// The bytes, those of a file's byte `n` at `n` modulo the size.
  private static final class Ring {
    private final byte[] bytes = new byte[BYTES];
    private volatile @Nullable Window window;

    void put(Segment segment, long offset, MemorySegment frame) {
      long size = frame.byteSize();
      long end = offset + size;
      Window current = window;
      if (current == null || current.segment != segment || current.end != offset || size > BYTES) {
        current = new Window(segment, size > BYTES ? end : offset);
        window = current;
      } else {
        current.start = Math.max(current.start, end - BYTES);
      }
      if (size <= BYTES) {
        // A reader that meets one of the bytes to come must also meet the window that excludes it.
        VarHandle.storeStoreFence();
        int at = (int) (offset % BYTES);
        int first = (int) Math.min(size, BYTES - at);
        MemorySegment.copy(frame, JAVA_BYTE, 0, bytes, at, first);
        MemorySegment.copy(frame, JAVA_BYTE, first, bytes, 0, (int) size - first);
        current.end = end;
      }
    }

    boolean get(Segment segment, long offset, MemorySegment target) {
      Window seen = window;
      long size = target.byteSize();
      if (seen == null
          || seen.segment != segment
          || offset + size > seen.end
          || offset < seen.start) {
        return false;
      }
      int at = (int) (offset % BYTES);
      int first = (int) Math.min(size, BYTES - at);
      MemorySegment.copy(bytes, at, target, JAVA_BYTE, 0, first);
      MemorySegment.copy(bytes, 0, target, JAVA_BYTE, first, (int) size - first);
      VarHandle.loadLoadFence();
      return window == seen && offset >= seen.start;
    }
  }

  /// What of a segment is here.
  private static final class Window {
    private final Segment segment;
    private volatile long start;
    private volatile long end;

    Window(Segment segment, long start) {
      this.segment = segment;
      this.start = start;
      this.end = start;
    }
  }
}
