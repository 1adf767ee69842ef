package dev.tidemark.log;

import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Steps through the durable records of a segment, and of others after it, and is the view of the
/// one it stands on. [Replay] and [Tail] say how far it may go. Used by one thread.
///
/// The frame that it stands in lies in its buffer as a whole, so that it needs the file only to
/// come to the next frame. Everything it reads was acknowledged, so that a frame that does not
/// check is damage.
final class RecordCursor implements RecordView {
  /// Where the bytes of a segment come from.
  interface Bytes {
    FrameReader.Source of(Segment segment);
  }

  private final Bytes bytes;
  private final FrameReader reader;
  private Segment segment;
  private long nextFrame;
  private MemorySegment buffer = MemorySegment.NULL;
  private long frameOffset;
  private int frameStart;
  private int frameEnd;
  private long frameTime;
  private long frameLastLsn;
  private long lsn;
  private int payloadStart;
  private int payloadBytes;

  /// Stands before the record `fromLsn`.
  RecordCursor(Segment segment, long fromLsn, Bytes bytes, int chunkBytes) {
    this.bytes = bytes;
    this.segment = segment;
    this.lsn = fromLsn - 1;
    this.frameLastLsn = lsn;
    this.nextFrame = segment.startFor(fromLsn);
    this.reader = new FrameReader(bytes.of(segment), segment.mask(), chunkBytes);
  }

  /// As the other, with the bytes of the segments' files.
  RecordCursor(Segment segment, long fromLsn, int chunkBytes) {
    this(segment, fromLsn, of -> of.file()::read, chunkBytes);
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

  /// The LSN that is looked for next.
  long nextLsn() {
    return lsn + 1;
  }

  /// The last LSN of the frame that it stands in.
  long frameLastLsn() {
    return frameLastLsn;
  }

  /// Shows no record above `last` of the frame that it stands in.
  void endAt(long last) {
    frameLastLsn = Math.min(frameLastLsn, last);
  }

  /// Stands behind the record `lastLsn` as if it had come to no frame behind that.
  void standBehind(long lastLsn) {
    lsn = lastLsn;
    frameLastLsn = lastLsn;
  }

  /// Goes on with another segment.
  void moveTo(Segment following) {
    segment = following;
    nextFrame = following.startFor(nextLsn());
    reader.moveTo(bytes.of(following), following.mask());
  }

  /// Steps to the next record of this segment.
  ///
  /// @return false if the segment has no further durable one
  boolean advance() {
    return step() || nextFrame();
  }

  /// Steps to the next record of the frame that it stands in.
  ///
  /// @return false if that has no further one
  boolean step() {
    if (lsn >= frameLastLsn) {
      return false;
    }
    int at = payloadStart + payloadBytes;
    payloadBytes = checkedLength(at);
    payloadStart = at + RECORD_HEADER_BYTES;
    lsn++;
    return true;
  }

  private int checkedLength(int at) {
    int room = frameEnd - at - RECORD_HEADER_BYTES;
    int length = room < 0 ? -1 : buffer.get(U32, at);
    if (length < 0 || length > room) {
      throw damaged(frameOffset, "a record does not fit into its frame");
    }
    return length;
  }

  /// Brings the next frame of this segment that holds a record to be shown, and steps to it.
  ///
  /// @return false if the segment has no further durable one
  boolean nextFrame() {
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
        if (firstLsn + records <= nextLsn()) {
          nextFrame = following; // all of it lies before the first one wanted
          continue;
        }
        if (firstLsn > nextLsn()) {
          throw damaged(offset, "the frame begins with LSN " + firstLsn + ", not " + nextLsn());
        }
        if (!reader.body(end)) {
          throw damaged(offset, "a frame's body is damaged");
        }
        enter(offset, firstLsn, records);
        // Only now: a read that failed before is tried again at the same frame.
        nextFrame = following;
        return step();
      }
      return false;
    } catch (IOException e) {
      throw new LogIoException("reading " + segment.name() + " failed, trying again is safe", e);
    }
  }

  private void enter(long offset, long firstLsn, int records) {
    buffer = reader.buffer();
    frameOffset = offset;
    frameStart = reader.frameStart();
    frameEnd = frameStart + Frame.HEADER_BYTES + reader.bodyBytes();
    frameTime = reader.timeMs();
    int at = frameStart + Frame.HEADER_BYTES;
    for (long skip = firstLsn; skip < nextLsn(); skip++) {
      at += RECORD_HEADER_BYTES + checkedLength(at);
    }
    payloadStart = at;
    payloadBytes = 0;
    frameLastLsn = firstLsn + records - 1;
  }

  private CorruptLogException damaged(long offset, String what) {
    return new CorruptLogException(segment.name(), offset, nextLsn(), segment.lastLsn(), what);
  }

  void close() {
    frameLastLsn = lsn;
    reader.close();
  }

  @Override
  public long lsn() {
    return lsn;
  }

  @Override
  public Position position() {
    return new Position(
        segment.firstLsn(), frameOffset + payloadStart - RECORD_HEADER_BYTES - frameStart);
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
    return buffer.asSlice(payloadStart, payloadBytes).asReadOnly();
  }

  @Override
  public byte[] toBytes() {
    byte[] payload = new byte[payloadBytes];
    MemorySegment.copy(buffer, JAVA_BYTE, payloadStart, payload, 0, payloadBytes);
    return payload;
  }
}
