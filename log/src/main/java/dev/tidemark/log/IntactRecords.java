package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The records that a [LogInspection] found intact, in LSN order; where there was damage, LSNs are
/// left out. Used by one thread.
public final class IntactRecords implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Storage storage;
  private final List<IntactRange> ranges;
  private final long fromLsn;
  private int next;
  private @Nullable RecordCursor cursor;

  IntactRecords(Storage storage, List<IntactRange> ranges, long fromLsn) {
    this.storage = storage;
    this.ranges = ranges;
    this.fromLsn = fromLsn;
  }

  /// The next record, borrowed until the next call; null at the end, or once closed.
  ///
  /// @throws RecordNotFoundException if it was trimmed since the inspection
  /// @throws LogIoException if it could not be read
  /// @throws CorruptLogException if it was damaged since the inspection
  public @Nullable RecordView next() {
    while (cursor != null || next < ranges.size()) {
      RecordCursor current = cursor;
      if (current == null) {
        IntactRange range = ranges.get(next++);
        if (range.lastLsn() >= fromLsn) {
          cursor = open(range);
        }
      } else if (advance(current)) {
        return current;
      } else {
        closeCursor();
      }
    }
    return null;
  }

  private boolean advance(RecordCursor current) {
    try {
      return current.advance();
    } catch (CorruptLogException e) {
      // Once the file is no segment any more, anything may be written into it.
      throw isHere(current.segment().name())
          ? e
          : new RecordNotFoundException(
              "LSN %d was trimmed while the records were read".formatted(current.nextLsn()));
    }
  }

  private boolean isHere(String name) {
    try {
      return storage.list().contains(name);
    } catch (IOException e) {
      throw new LogIoException("looking for " + name + " failed", e);
    }
  }

  private RecordCursor open(IntactRange range) {
    String name = SegmentHeader.fileName(range.header().firstLsn());
    try {
      StorageFile file = storage.openForReading(name);
      Segment segment =
          new Segment(range.header(), file, range.end(), range.lastLsn(), range.end());
      return RecordCursor.at(
          segment, range.offset(), Math.max(fromLsn, range.firstLsn()), BUFFER_BYTES);
    } catch (NoSuchFileException e) {
      throw new RecordNotFoundException(
          "LSN %d was trimmed before it was read".formatted(range.firstLsn()));
    } catch (IOException e) {
      throw new LogIoException("opening " + name + " failed", e);
    }
  }

  private void closeCursor() {
    RecordCursor current = cursor;
    if (current != null) {
      cursor = null;
      current.close();
      current.segment().release();
    }
  }

  /// Closes the file being read; done by itself at the end.
  @Override
  public void close() {
    next = ranges.size();
    closeCursor();
  }
}
