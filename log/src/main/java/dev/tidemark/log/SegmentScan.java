package dev.tidemark.log;

import java.io.IOException;

/// The frames of one segment, counted from its header on to the first that does not check. A scan
/// can go on later, where the file has grown since. Used by one thread.
final class SegmentScan {
  private final FrameReader reader;
  private final Depth depth;
  private final String name;
  private final SegmentHeader header;
  private long end = SegmentHeader.BYTES;
  private long nextLsn;
  private long records;
  private long frames;
  private long payloadBytes;
  private long timeMs;
  private long durableNamed;
  private int lastKind;
  private long lastFrame;

  /// What is checked of a frame.
  enum Depth {
    /// Its header, and the CRC of its body.
    FRAMES,
    /// Each of its records as well.
    RECORDS
  }

  /// @param reader of the segment's file, which stays the caller's
  SegmentScan(FrameReader reader, String name, SegmentHeader header, Depth depth) {
    this.reader = reader;
    this.depth = depth;
    this.name = name;
    this.header = header;
    this.nextLsn = header.firstLsn();
    this.durableNamed = header.firstLsn() - 1;
    this.timeMs = header.createdMs();
  }

  /// Goes on to the first frame that does not check, or to the seal.
  ///
  /// @param fileBytes the file's size
  SegmentScan run(long fileBytes) throws IOException {
    while (next(fileBytes)) {
      // counted
    }
    return this;
  }

  /// Goes over one frame.
  ///
  /// @return false if there is no further one
  boolean next(long fileBytes) throws IOException {
    if (sealed() || !isNext(end, fileBytes) || reader.firstLsn() != nextLsn) {
      return false;
    }
    lastKind = reader.kind();
    lastFrame = end;
    timeMs = Math.max(timeMs, reader.timeMs());
    durableNamed = Math.max(durableNamed, reader.durableLsn());
    if (sealed()) {
      return false;
    }
    frames++;
    records += reader.records();
    nextLsn += reader.records();
    if (lastKind == Frame.KIND_RECORDS) {
      payloadBytes += reader.bodyBytes() - (long) reader.records() * Frame.RECORD_HEADER_BYTES;
    }
    end += reader.frameBytes();
    return true;
  }

  /// Whether a frame that may come next lies at `offset`.
  private boolean isNext(long offset, long fileBytes) throws IOException {
    return reader.header(offset, fileBytes)
        && reader.firstLsn() >= nextLsn
        && reader.kind() >= Frame.KIND_RECORDS
        && reader.kind() <= Frame.KIND_CLOSE
        && reader.body(fileBytes)
        && (depth == Depth.FRAMES || reader.recordsRight());
  }

  /// The highest LSN that any frame header of this segment names as durable, those behind the end
  /// included: at or above [#nextLsn] it proves that acknowledged records are missing there.
  long proven(long fileBytes) throws IOException {
    long proven = durableNamed;
    if (!sealed()) {
      for (long at = reader.findHeader(end, fileBytes);
          at >= 0;
          at = reader.findHeader(at + Frame.ALIGNMENT, fileBytes)) {
        proven = Math.max(proven, reader.durableLsn());
      }
    }
    return proven;
  }

  /// The offset behind the last byte behind the end that is not zero; the end if all are, or if the
  /// segment is sealed.
  long endOfBytes(long fileBytes) throws IOException {
    return sealed() ? end : reader.endOfBytes(end, fileBytes);
  }

  /// Whether the segment is sealed, and the other one continues it.
  boolean isFollowedBy(SegmentHeader other) {
    return sealed()
        && other.previousSalt() == header.salt()
        && other.previousSealOffset() == end
        && other.firstLsn() == nextLsn;
  }

  /// Goes on behind damage, at the next frame that checks.
  ///
  /// @return false if there is none
  boolean resume(long fileBytes) throws IOException {
    for (long at = reader.findHeader(end, fileBytes);
        at >= 0;
        at = reader.findHeader(at + Frame.ALIGNMENT, fileBytes)) {
      if (isNext(at, fileBytes)) {
        end = at;
        nextLsn = reader.firstLsn();
        return true;
      }
    }
    return false;
  }

  /// Goes on at the end of what was read, should the file have been written since.
  ///
  /// @return whether it has a further frame now
  boolean retry(long fileBytes) throws IOException {
    reader.forget();
    boolean wasSealed = sealed();
    return next(fileBytes) || (sealed() && !wasSealed);
  }

  String name() {
    return name;
  }

  SegmentHeader header() {
    return header;
  }

  /// Where the frames end; the seal is not counted.
  long end() {
    return end;
  }

  /// The LSN behind the last one.
  long nextLsn() {
    return nextLsn;
  }

  long records() {
    return records;
  }

  /// Without the seal.
  long frames() {
    return frames;
  }

  /// Of all records together.
  long payloadBytes() {
    return payloadBytes;
  }

  /// Log-clock time of the last frame, or of the segment's creation.
  long timeMs() {
    return timeMs;
  }

  /// The highest LSN that a whole frame names as durable.
  long durableNamed() {
    return durableNamed;
  }

  boolean sealed() {
    return lastKind == Frame.KIND_SEAL;
  }

  /// Whether the last frame says that the log was closed in order.
  boolean closed() {
    return lastKind == Frame.KIND_CLOSE;
  }

  /// Where the last frame begins, a seal included; 0 if there is none.
  long lastFrame() {
    return lastFrame;
  }

  /// Where the last frame ends, a seal included.
  long lastFrameEnd() {
    return end + (sealed() ? Frame.sizeOf(Frame.SEAL_BODY_BYTES) : 0);
  }
}
