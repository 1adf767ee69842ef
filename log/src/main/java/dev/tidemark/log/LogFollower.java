package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Records of a log as another process writes them, in LSN order, across segments. It takes no
/// lock, changes nothing, and looks for news a hundred times a second. Within the process that
/// writes, [Log#tail] is the better way.
///
/// It shows what the log itself proves to be durable: a group as soon as the next one is written,
/// or the witness that an idle log writes some milliseconds later. Of a log that nobody writes the
/// last group may stay unproven, and is not shown.
///
/// It holds one file. Used by one thread.
public final class LogFollower implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Storage storage;

  /// Ends of frames that nothing proves yet.
  private final Queue<Unproven> unproven = new ArrayDeque<>();

  private Segment segment;
  private RecordCursor cursor;
  private FrameReader reader;
  private SegmentScan scan;

  /// How far it is known that nothing lies behind.
  private long checkedEnd;

  private boolean closed;

  private record Unproven(long end, long lastLsn) {}

  private LogFollower(Storage storage, String name, long fromLsn) throws IOException {
    this.storage = storage;
    StorageFile file = storage.openForReading(name);
    try {
      SegmentHeader header = SegmentHeader.read(file, name);
      this.segment = empty(header, file);
      this.cursor = new RecordCursor(segment, fromLsn, BUFFER_BYTES);
      this.reader = new FrameReader(file, header.mask(), BUFFER_BYTES);
      this.scan = new SegmentScan(reader, name, header, SegmentScan.Depth.FRAMES);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// Follows the log in `directory`.
  ///
  /// @throws RecordNotFoundException if `fromLsn` was trimmed, or is below 1
  /// @throws LogIoException if there is no log, or it cannot be read
  /// @throws CorruptLogException if the header of the segment that holds `fromLsn` is damaged
  public static LogFollower from(Path directory, long fromLsn) {
    return from(LogInspection.storage(directory), fromLsn);
  }

  /// As [#from(Path, long)], on a storage of the caller's.
  public static LogFollower from(Storage storage, long fromLsn) {
    try {
      List<String> names = segmentNames(storage);
      if (names.isEmpty()) {
        throw new NoSuchFileException(storage.name(), null, "there is no log");
      }
      String name = names.getFirst();
      if (SegmentHeader.firstLsnIn(name) > fromLsn) {
        throw trimmed(fromLsn);
      }
      for (String later : names) {
        name = SegmentHeader.firstLsnIn(later) <= fromLsn ? later : name;
      }
      return new LogFollower(storage, name, fromLsn);
    } catch (IOException e) {
      throw new LogIoException("the log in " + storage.name() + " cannot be followed", e);
    }
  }

  private static List<String> segmentNames(Storage storage) throws IOException {
    return storage.list().stream().filter(SegmentHeader::isFileName).sorted().toList();
  }

  private static RecordNotFoundException trimmed(long lsn) {
    return new RecordNotFoundException("LSN " + lsn + " was trimmed: follow from a kept one");
  }

  private static Segment empty(SegmentHeader header, StorageFile file) {
    return new Segment(header, file, SegmentHeader.BYTES, header.firstLsn() - 1, 0);
  }

  /// The next record, borrowed until the next call; waits for it. Null when `timeout` has passed,
  /// or once closed.
  ///
  /// @throws RecordNotFoundException if it was trimmed before the follower came to it
  /// @throws CorruptLogException if it is damaged
  /// @throws LogInterruptedException if the thread is interrupted while it waits
  /// @throws LogIoException if the file system refused something
  public @Nullable RecordView poll(Duration timeout) {
    long since = System.nanoTime();
    while (!closed) {
      try {
        if (cursor.advance()) {
          return cursor;
        }
        if (look() || moveOn() || provenByDamage()) {
          continue;
        }
        refuseIfTrimmed();
      } catch (CorruptLogException e) {
        throw isHere() ? e : trimmed(cursor.nextLsn());
      } catch (IOException e) {
        throw new LogIoException("reading " + segment.name() + " failed, trying again is safe", e);
      }
      long left = timeout.toNanos() - (System.nanoTime() - since);
      if (left <= 0) {
        return null;
      }
      LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
      if (Thread.currentThread().isInterrupted()) {
        throw new LogInterruptedException(cursor.nextLsn());
      }
    }
    return null;
  }

  /// Reads what the segment has more than when it was last looked at; answers whether the cursor
  /// may go further now.
  private boolean look() throws IOException {
    long size = segment.file().size();
    boolean more = scan.retry(size);
    while (more) {
      unproven.add(new Unproven(scan.end(), scan.nextLsn() - 1));
      more = scan.next(size);
    }
    boolean moved = false;
    for (Unproven next = unproven.peek();
        next != null && next.lastLsn <= scan.durableNamed();
        next = unproven.peek()) {
      segment.advance(next.end, next.lastLsn);
      unproven.remove();
      moved = true;
    }
    return moved;
  }

  /// Goes on with the next segment, if this one is finished and that one is there.
  private boolean moveOn() throws IOException {
    if (!scan.sealed()) {
      return false;
    }
    String name = SegmentHeader.fileName(scan.nextLsn());
    StorageFile file;
    try {
      file = storage.openForReading(name);
    } catch (NoSuchFileException e) {
      return false;
    }
    try {
      SegmentHeader header = SegmentHeader.read(file, name);
      Segment following = empty(header, file);
      cursor.moveTo(following);
      reader.moveTo(file, header.mask());
      scan = new SegmentScan(reader, name, header, SegmentScan.Depth.FRAMES);
      segment.release();
      segment = following;
      return true;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void refuseIfTrimmed() throws IOException {
    List<String> names = segmentNames(storage);
    boolean later =
        !names.isEmpty() && SegmentHeader.firstLsnIn(names.getLast()) > segment.firstLsn();
    if (later
        && !names.contains(segment.name())
        && !names.contains(SegmentHeader.fileName(scan.nextLsn()))) {
      throw trimmed(cursor.nextLsn());
    }
  }

  /// Whether the file is still a segment; once it is none, anything may be written into it.
  private boolean isHere() {
    try {
      return segmentNames(storage).contains(segment.name());
    } catch (IOException e) {
      throw new LogIoException("looking for " + segment.name() + " failed", e);
    }
  }

  /// Looks behind the end, once, for a frame that proves more to have been acknowledged: then a
  /// frame is damaged there.
  ///
  /// @return whether that proof lets the cursor go further first
  private boolean provenByDamage() throws IOException {
    if (scan.end() == checkedEnd || scan.sealed()) {
      return false;
    }
    long end = scan.end();
    long proven = scan.proven(segment.file().size());
    // Read again behind what proves it: a frame that was there by then is seen now.
    if (proven < scan.nextLsn() || look() || scan.end() != end) {
      checkedEnd = end;
      return false;
    }
    if (!unproven.isEmpty()) {
      unproven.clear();
      segment.advance(end, scan.nextLsn() - 1);
      return true;
    }
    throw new CorruptLogException(
        segment.name(),
        end,
        scan.nextLsn(),
        proven,
        "the frame here is damaged, and a later one says that it had been acknowledged");
  }

  /// Lets go of the file.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      cursor.close();
      reader.close();
      segment.release();
    }
  }
}
