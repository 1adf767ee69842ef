package dev.tidemark.log;

import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Steps through the durable records of the segments, one after the other, and is the view of the
/// one it stands on. [Replay] and [Tail] say how far it may go. Used by one thread.
///
/// Everything it reads was acknowledged, so that a frame that does not check is damage.
final class RecordCursor implements RecordView {
  private final FrameReader reader;
  private Segment segment;
  private long nextFrame = SegmentHeader.BYTES;
  private long nextLsn;
  private long frameOffset;
  private long frameTime;
  private int recordsLeft;
  private int bodyEnd;
  private int next;
  private long lsn;
  private int payloadStart;
  private int payloadBytes;

  RecordCursor(Segment segment, long fromLsn, int bufferBytes) {
    this.segment = segment;
    this.nextLsn = fromLsn;
    this.reader = new FrameReader(segment.file(), segment.mask(), bufferBytes);
  }

  /// A cursor that begins at a frame in the middle of a segment, or at its start.
  static RecordCursor at(Segment segment, long frameOffset, long fromLsn, int bufferBytes) {
    RecordCursor cursor = new RecordCursor(segment, fromLsn, bufferBytes);
    cursor.nextFrame = frameOffset;
    return cursor;
  }

  Segment segment() {
    return segment;
  }

  /// The LSN that [#advance] looks for.
  long nextLsn() {
    return nextLsn;
  }

  /// Goes on with the segment that follows.
  void moveTo(Segment following) {
    segment = following;
    nextFrame = SegmentHeader.BYTES;
    reader.moveTo(following.file(), following.mask());
  }

  /// Steps to the next record of this segment.
  ///
  /// @return false if the segment has no further durable one
  boolean advance() {
    while (recordsLeft == 0) {
      if (!nextFrame()) {
        return false;
      }
    }
    step();
    return true;
  }

  private void step() {
    payloadBytes = checkedLength();
    payloadStart = next + RECORD_HEADER_BYTES;
    next = payloadStart + payloadBytes;
    lsn = nextLsn++;
    recordsLeft--;
  }

  private int checkedLength() {
    int length = next + RECORD_HEADER_BYTES > bodyEnd ? -1 : reader.buffer().get(U32, next);
    if (length < 0 || length > bodyEnd - next - RECORD_HEADER_BYTES) {
      throw damaged(frameOffset, "a record does not fit into its frame");
    }
    return length;
  }

  /// Brings the next frame that holds a record to be shown, and stands before that record.
  private boolean nextFrame() {
    long end = segment.durableEnd();
    try {
      while (nextFrame < end) {
        long offset = nextFrame;
        if (!reader.header(offset, end)) {
          throw damaged(offset, "a frame's header is damaged");
        }
        long following = offset + reader.frameBytes();
        long firstLsn = reader.firstLsn();
        int records = reader.records();
        if (firstLsn + records <= nextLsn) {
          nextFrame = following; // all of it lies before the first one wanted
          continue;
        }
        if (firstLsn > nextLsn) {
          throw damaged(offset, "the frame begins with LSN " + firstLsn + ", not " + nextLsn);
        }
        if (!reader.body(end)) {
          throw damaged(offset, "a frame's body is damaged");
        }
        open(offset, firstLsn, records);
        // Only now: a read that failed before is tried again at the same frame.
        nextFrame = following;
        return true;
      }
      return false;
    } catch (IOException e) {
      throw new LogIoException("reading " + segment.name() + " failed, trying again is safe", e);
    }
  }

  private void open(long offset, long firstLsn, int records) {
    frameOffset = offset;
    frameTime = reader.timeMs();
    recordsLeft = records;
    next = reader.frameStart() + Frame.HEADER_BYTES;
    bodyEnd = next + reader.bodyBytes();
    for (long skip = firstLsn; skip < nextLsn; skip++) {
      next += RECORD_HEADER_BYTES + checkedLength();
      recordsLeft--;
    }
  }

  private CorruptLogException damaged(long offset, String what) {
    return new CorruptLogException(segment.name(), offset, nextLsn, segment.lastLsn(), what);
  }

  void close() {
    reader.close();
  }

  @Override
  public long lsn() {
    return lsn;
  }

  @Override
  public Position position() {
    return new Position(
        segment.firstLsn(), frameOffset + payloadStart - RECORD_HEADER_BYTES - reader.frameStart());
  }

  @Override
  public long timeMs() {
    return frameTime;
  }

  @Override
  public int length() {
    return payloadBytes;
  }

  @Override
  public MemorySegment payload() {
    return reader.buffer().asSlice(payloadStart, payloadBytes).asReadOnly();
  }

  @Override
  public byte[] toBytes() {
    byte[] bytes = new byte[payloadBytes];
    MemorySegment.copy(reader.buffer(), JAVA_BYTE, payloadStart, bytes, 0, payloadBytes);
    return bytes;
  }
}
