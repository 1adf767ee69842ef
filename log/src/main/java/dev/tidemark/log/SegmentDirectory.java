package dev.tidemark.log;

import dev.tidemark.log.spi.Clock;
import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/// The log's segments, in LSN order; the last one is active, the others are finished.
///
/// Readers look at an immutable list. Adding (by the holder of the commit role), trimming and
/// retaining for a reader exclude each other by the lock, which no commit takes but one that adds a
/// segment.
final class SegmentDirectory {
  /// A segment under this suffix is being made and holds nothing yet.
  static final String UNFINISHED = ".tmp";

  private final Storage storage;
  private final WindowFiller windows;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile List<Segment> segments;

  /// Trimmed while they were held: their files are open until their readers let go. Guarded by the
  /// lock.
  private List<Segment> trimmed = List.of();

  private volatile Runnable whenAdded = () -> {};

  /// A segment was deleted, and the directory's sync failed: its file may come back.
  private boolean deletionInDoubt;

  SegmentDirectory(Storage storage, WindowFiller windows, List<Segment> segments) {
    this.storage = storage;
    this.windows = windows;
    this.segments = List.copyOf(segments);
  }

  List<Segment> segments() {
    return segments;
  }

  Segment active() {
    return segments.getLast();
  }

  /// Adds an empty segment behind the active one, which ends at `previousSealOffset` and holds
  /// nothing above `lastLsn`.
  ///
  /// @param timeMs log-clock time
  Segment add(long lastLsn, Segment previous, long previousSealOffset, long timeMs)
      throws IOException {
    SegmentHeader header =
        new SegmentHeader(
            otherSaltThan(previous.header().salt()),
            lastLsn + 1,
            timeMs,
            previous.header().salt(),
            lastLsn,
            previousSealOffset);
    Segment segment = create(storage, windows, header);
    lock.lock();
    try {
      List<Segment> longer = new ArrayList<>(segments);
      longer.add(segment);
      segments = List.copyOf(longer);
    } finally {
      lock.unlock();
    }
    whenAdded.run();
    return segment;
  }

  /// Has it told, in a few steps that wait for nothing, when a segment was added.
  void whenAdded(Runnable action) {
    whenAdded = action;
  }

  /// Makes the first segment of a new log.
  static Segment createFirst(Storage storage, Clock clock, WindowFiller windows)
      throws IOException {
    return create(
        storage, windows, new SegmentHeader(otherSaltThan(0), 1, clock.millis(), 0, 0, 0));
  }

  /// Makes a segment's file: under a passing name until its header is durable, so that no crash
  /// leaves a segment with half a header.
  private static Segment create(Storage storage, WindowFiller windows, SegmentHeader header)
      throws IOException {
    String name = SegmentHeader.fileName(header.firstLsn());
    StorageFile file = storage.create(name + UNFINISHED);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(SegmentHeader.BYTES, SegmentHeader.BYTES);
      header.encode(block);
      file.write(block, 0);
      long allocated = windows.fill(file, SegmentHeader.BYTES);
      file.sync();
      storage.rename(name + UNFINISHED, name);
      storage.syncDirectory();
      return new Segment(header, file, SegmentHeader.BYTES, header.firstLsn() - 1, allocated);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// A random salt whose mask is not the other's, so that no frame of one segment is valid in the
  /// other even where their bytes come to lie in the same file.
  static long otherSaltThan(long other) {
    int otherMask = new SegmentHeader(other, 0, 0, 0, 0, 0).mask();
    while (true) {
      long salt = ThreadLocalRandom.current().nextLong();
      if (salt != 0 && new SegmentHeader(salt, 0, 0, 0, 0, 0).mask() != otherMask) {
        return salt;
      }
    }
  }

  /// The segments that hold `fromLsn` and what follows, each retained for the caller.
  ///
  /// @throws RecordNotFoundException if `fromLsn` was trimmed
  /// @throws LogClosedException if the log was closed
  List<Segment> retainFrom(long fromLsn) {
    lock.lock();
    try {
      List<Segment> all = segments;
      List<Segment> held = all.subList(indexFor(all, fromLsn), all.size());
      for (int i = 0; i < held.size(); i++) {
        if (!held.get(i).retain()) {
          held.subList(0, i).forEach(Segment::release);
          throw new LogClosedException("the log was closed: open it again");
        }
      }
      return held;
    } finally {
      lock.unlock();
    }
  }

  /// The segment that holds `lsn`, or will, retained for the caller.
  ///
  /// @throws RecordNotFoundException if `lsn` was trimmed
  /// @throws LogClosedException if the log was closed
  Segment retainHolding(long lsn) {
    List<Segment> held = retainFrom(lsn);
    held.subList(1, held.size()).forEach(Segment::release);
    return held.getFirst();
  }

  private static int indexFor(List<Segment> all, long lsn) {
    int index = lastUpTo(all, lsn);
    if (all.get(index).firstLsn() > lsn) {
      throw new RecordNotFoundException(
          "LSN %d was trimmed: the first one kept is %d".formatted(lsn, all.getFirst().firstLsn()));
    }
    return index;
  }

  /// Within [#exclusively]: the segment that holds `lsn`, or will.
  Segment holding(long lsn) {
    return segments.get(indexFor(segments, lsn));
  }

  /// The segment of that first LSN, retained for the caller.
  ///
  /// @throws RecordNotFoundException if there is none
  Segment retain(long firstLsn) {
    Segment segment = find(firstLsn);
    if (!segment.retain()) {
      throw notFound(firstLsn);
    }
    return segment;
  }

  /// The segment of that first LSN, which a trim may take at any moment.
  ///
  /// @throws RecordNotFoundException if there is none
  Segment find(long firstLsn) {
    List<Segment> all = segments;
    Segment segment = all.get(lastUpTo(all, firstLsn));
    if (segment.firstLsn() != firstLsn) {
      throw notFound(firstLsn);
    }
    return segment;
  }

  /// The index of the last segment that begins at or before `lsn`; 0 if none does.
  private static int lastUpTo(List<Segment> all, long lsn) {
    int low = 0;
    int high = all.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (all.get(middle).firstLsn() <= lsn) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static RecordNotFoundException notFound(long firstLsn) {
    return new RecordNotFoundException(
        "there is no segment %s: it was trimmed, or never was"
            .formatted(SegmentHeader.fileName(firstLsn)));
  }

  /// Deletes finished segments whose records all lie below `lsn`, oldest first. Each deletion is
  /// durable before the next: whatever a crash leaves has no gap.
  TrimResult trimBefore(long lsn) throws IOException {
    lock.lock();
    try {
      int count = 0;
      long bytes = 0;
      if (deletionInDoubt) {
        storage.syncDirectory();
        deletionInDoubt = false;
      }
      while (segments.size() > 1 && segments.get(1).firstLsn() <= lsn) {
        Segment oldest = segments.getFirst();
        storage.delete(oldest.name());
        segments = List.copyOf(segments.subList(1, segments.size()));
        bytes += oldest.allocated();
        count++;
        oldest.release();
        noteTrimmed(oldest);
        deletionInDoubt = true;
        storage.syncDirectory();
        deletionInDoubt = false;
      }
      return new TrimResult(count, bytes, segments.getFirst().firstLsn());
    } finally {
      lock.unlock();
    }
  }

  /// A change that excludes every other, and readers that come to hold a segment.
  interface Change {
    void make() throws IOException;
  }

  void exclusively(Change change) throws IOException {
    lock.lock();
    try {
      change.make();
    } finally {
      lock.unlock();
    }
  }

  /// Within [#exclusively]: deletes the active segment, durably; the one before it is the last.
  void deleteLast() throws IOException {
    Segment last = segments.getLast();
    storage.delete(last.name());
    segments = List.copyOf(segments.subList(0, segments.size() - 1));
    last.release();
    noteTrimmed(last);
    storage.syncDirectory();
  }

  /// Within [#exclusively]: puts another file in the place of the last segment's, durably.
  ///
  /// @param passingName of the file, which is durable
  void replaceLast(String passingName, Segment with) throws IOException {
    Segment last = segments.getLast();
    storage.replace(passingName, last.name());
    List<Segment> replaced = new ArrayList<>(segments);
    replaced.set(replaced.size() - 1, with);
    segments = List.copyOf(replaced);
    last.release();
    noteTrimmed(last);
    storage.syncDirectory();
  }

  private void noteTrimmed(Segment segment) {
    if (segment.isHeld()) {
      List<Segment> more = new ArrayList<>(trimmed);
      more.removeIf(before -> !before.isHeld());
      more.add(segment);
      trimmed = List.copyOf(more);
    }
  }

  /// The segments whose files are open: those of the log, and trimmed ones that somebody reads.
  List<Segment> open() {
    lock.lock();
    try {
      List<Segment> open = new ArrayList<>(trimmed);
      open.addAll(segments);
      open.removeIf(segment -> !segment.isHeld());
      return open;
    } finally {
      lock.unlock();
    }
  }

  /// The first LSN of the last segments that have up to `bytes` bytes together, and of the active
  /// one at the least.
  long firstLsnOfLast(long bytes) {
    List<Segment> all = segments;
    int first = all.size() - 1;
    long sum = all.get(first).allocated();
    while (first > 0 && sum + all.get(first - 1).allocated() <= bytes) {
      first--;
      sum += all.get(first).allocated();
    }
    return all.get(first).firstLsn();
  }

  /// Lets go of every segment; readers keep theirs.
  void release() {
    segments.forEach(Segment::release);
  }
}
