package dev.tidemark.log;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One file of the log, and how far it is durable.
///
/// The directory holds it once; each reader that may come to it holds it once more. The handle is
/// closed when the last holder lets go, so that a trim never takes a file from under a reader. The
/// holder of the commit role alone moves the ends, after its sync.
final class Segment {
  /// See [#recentBase].
  static final long NEVER_RECENT = Long.MIN_VALUE;

  private final SegmentHeader header;
  private final String name;
  private final int mask;
  private final StorageFile file;
  private final AtomicInteger holders = new AtomicInteger(1);
  private volatile long durableEnd;
  private volatile long lastLsn;
  private final ReentrantLock mapping = new ReentrantLock();
  private volatile @Nullable MemorySegment mapped;
  private volatile boolean mappingTried;
  private volatile long recentBase = NEVER_RECENT;
  private long allocated;

  /// @param durableEnd where the next frame goes
  /// @param lastLsn the last durable LSN in it, `firstLsn - 1` for none
  /// @param allocated the file's size
  Segment(SegmentHeader header, StorageFile file, long durableEnd, long lastLsn, long allocated) {
    this.header = header;
    this.name = SegmentHeader.fileName(header.firstLsn());
    this.mask = header.mask();
    this.file = file;
    this.durableEnd = durableEnd;
    this.lastLsn = lastLsn;
    this.allocated = allocated;
  }

  SegmentHeader header() {
    return header;
  }

  String name() {
    return name;
  }

  long firstLsn() {
    return header.firstLsn();
  }

  long lastLsn() {
    return lastLsn;
  }

  int mask() {
    return mask;
  }

  StorageFile file() {
    return file;
  }

  /// Where the durable frames end; readers go no further.
  long durableEnd() {
    return durableEnd;
  }

  /// Where to begin to look for a record, or for where it will be: behind all that is there, if
  /// what is there comes before it.
  long startFor(long lsn) {
    long end = durableEnd; // first: what ends here has an LSN up to the one read next
    return lsn > lastLsn ? end : SegmentHeader.BYTES;
  }

  /// Maps the file, unless that was tried before.
  ///
  /// @param bytes how much of it; it may be more than the file has yet
  void map(long bytes) {
    if (!mappingTried) {
      mapping.lock();
      try {
        if (!mappingTried) {
          mapped = file.map(bytes);
          mappingTried = true;
        }
      } finally {
        mapping.unlock();
      }
    }
  }

  /// The file as memory; null before [#map], and where it cannot be had. Every access throws
  /// [IllegalStateException] once nobody holds the segment.
  @Nullable MemorySegment mapped() {
    return mapped;
  }

  /// Whether it holds any record; a witness or a close is none.
  boolean hasRecords() {
    return lastLsn >= header.firstLsn();
  }

  /// The file's size, as far as this log made it.
  long allocated() {
    return allocated;
  }

  /// Records that the file is at least this long.
  void allocatedTo(long end) {
    allocated = Math.max(allocated, end);
  }

  /// Moves the ends over a frame that is durable now. The LSN first: who sees the end sees it.
  void advance(long newEnd, long newLastLsn) {
    lastLsn = newLastLsn;
    durableEnd = newEnd;
  }

  /// The address of the file's beginning in [RecentFrames], [#NEVER_RECENT] if no frame of it was
  /// kept there.
  long recentBase() {
    return recentBase;
  }

  void setRecentBase(long address) {
    recentBase = address;
  }

  /// Holds the segment, unless its handle is closed already.
  boolean retain() {
    return holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /// Whether its bytes are still its own. What was read before this was called and answered true
  /// was the segment's.
  boolean isHeld() {
    VarHandle.loadLoadFence();
    return holders.get() > 0;
  }

  /// Lets go; the last one closes the handle.
  void release() {
    if (holders.decrementAndGet() == 0) {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing is lost: what was acknowledged was synced, and the handle is gone either way.
        System.getLogger(Segment.class.getName())
            .log(System.Logger.Level.WARNING, "closing " + name + " failed", e);
      }
    }
  }
}
