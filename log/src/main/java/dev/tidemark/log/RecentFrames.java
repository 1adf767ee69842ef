package dev.tidemark.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The last bytes of the log that became durable, kept in memory while tails follow it, so that one
/// that keeps up reads no file. Without tails there is no memory, and a commit pays a look at a
/// field.
///
/// The segments' bytes lie behind each other in one sequence of addresses, that only rise:
/// [Segment#recentBase] is a segment's beginning there.
///
/// The holder of the commit role puts frames in, once they are durable; any thread reads, without a
/// lock. What is overwritten during a read is noticed behind it, and the read is for nothing.
final class RecentFrames {
  private static final int BYTES = 1 << 20;

  private volatile @Nullable Ring ring;

  /// The first address that was never used; only the holder of the commit role looks.
  private long unused;

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
      if (segment.recentBase() == Segment.NEVER_RECENT) {
        segment.setRecentBase(unused - offset);
      }
      long address = segment.recentBase() + offset;
      current.put(address, frame);
      unused = address + frame.byteSize();
    }
  }

  /// As the holder of the commit role: the next frame may be of a segment of which earlier ones are
  /// not here, so that nothing may lie right before it.
  void leaveGap() {
    unused++;
  }

  /// A segment's bytes, from here if they are here, else from its file, which the reader holds. Not
  /// to be asked for bytes behind the segment's durable end.
  FrameReader.Source bytesOf(Segment segment) {
    return (target, offset) -> {
      Ring current = ring;
      long base = segment.recentBase();
      return current != null && base != Segment.NEVER_RECENT && current.get(base + offset, target)
          ? target.byteSize()
          : segment.file().read(target, offset);
    };
  }

  /// The bytes of the addresses from `start` to `end`, each at its address modulo the size.
  private static final class Ring {
    private final byte[] bytes = new byte[BYTES];
    private volatile long start;
    private volatile long end;

    void put(long address, MemorySegment frame) {
      long size = frame.byteSize();
      if (size > BYTES) {
        beginAt(address + size);
        return;
      }
      if (address != end) {
        beginAt(address);
      }
      start = Math.max(start, address + size - BYTES);
      // Who reads a byte that is written from here on finds it excluded afterwards.
      VarHandle.storeStoreFence();
      int at = (int) (address % BYTES);
      int first = (int) Math.min(size, BYTES - at);
      MemorySegment.copy(frame, JAVA_BYTE, 0, bytes, at, first);
      MemorySegment.copy(frame, JAVA_BYTE, first, bytes, 0, (int) size - first);
      end = address + size;
    }

    private void beginAt(long address) {
      start = address;
      end = address;
    }

    /// Answers whether all of the target was here; if not, what is in it means nothing.
    boolean get(long address, MemorySegment target) {
      if (address + target.byteSize() > end || address < start) {
        return false;
      }
      int size = (int) target.byteSize();
      int at = (int) (address % BYTES);
      int first = Math.min(size, BYTES - at);
      MemorySegment.copy(bytes, at, target, JAVA_BYTE, 0, first);
      MemorySegment.copy(bytes, 0, target, JAVA_BYTE, first, size - first);
      VarHandle.loadLoadFence();
      return address >= start;
    }
  }
}
