package dev.tidemark.log;

import static dev.tidemark.log.Frame.HEADER_BYTES;
import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes the frames of a segment up to an LSN into another file, each at the offset where it was:
/// a position names the same record in both. The other file has a salt of its own, so every CRC is
/// made anew. The frame that holds records on both sides of the LSN becomes one of those up to it.
/// The seal is left out. Used once, by one thread.
///
/// A frame names as durable what had been acknowledged before it was written, and so nothing above
/// its own records: no frame that is kept tells of one that is not.
final class SegmentPrefix implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final Segment segment;
  private final StorageFile target;
  private final long lastLsn;
  private final int mask;
  private final FrameReader reader;
  private NativeBuffer chunk = new NativeBuffer(CHUNK_BYTES);
  private int staged;
  private long written = SegmentHeader.BYTES;
  private long records;
  private long frames;
  private long payloadBytes;
  private long timeMs;
  private long durableNamed;

  /// @param target a file that has its header
  /// @param lastLsn of the last record to be kept
  /// @param mask of the target
  SegmentPrefix(Segment segment, StorageFile target, long lastLsn, int mask) {
    this.segment = segment;
    this.target = target;
    this.lastLsn = lastLsn;
    this.mask = mask;
    this.reader = new FrameReader(segment.file(), segment.mask(), CHUNK_BYTES);
    this.timeMs = segment.header().createdMs();
    this.durableNamed = segment.firstLsn() - 1;
  }

  /// Writes all of it, and does not sync.
  ///
  /// @throws CorruptLogException if a frame is damaged
  Recovery.ActiveState write() throws IOException {
    long limit = segment.durableEnd();
    long offset = SegmentHeader.BYTES;
    while (offset < limit) {
      if (!reader.header(offset, limit) || !reader.body(limit)) {
        throw damaged(offset, "the frame here is damaged");
      }
      // A witness belongs to the records before it.
      long firstLsn = reader.firstLsn() - 1 + Math.min(reader.records(), 1);
      if (firstLsn > lastLsn || reader.kind() == Frame.KIND_SEAL) {
        break;
      }
      long following = offset + reader.frameBytes();
      keep(offset);
      offset = following;
    }
    flush();
    if (segment.firstLsn() - 1 + records != lastLsn) {
      throw damaged(offset, "the segment ends before the records that it should hold");
    }
    return new Recovery.ActiveState(
        records, frames, payloadBytes, timeMs, durableNamed >= lastLsn, false, written);
  }

  /// Makes the frame that was read last anew, as far as it is to be kept.
  private void keep(long offset) throws IOException {
    long firstLsn = reader.firstLsn();
    int count = (int) Math.min(reader.records(), lastLsn - firstLsn + 1);
    long available = HEADER_BYTES + (long) reader.bodyBytes();
    MemorySegment from = reader.buffer().asSlice(reader.frameStart(), available);
    int bodyBytes = 0;
    for (int i = 0; i < count; i++) {
      bodyBytes += recordBytes(from, HEADER_BYTES + (long) bodyBytes, offset);
    }
    MemorySegment frame = stage(Frame.sizeOf(bodyBytes));
    MemorySegment.copy(from, 0, frame, 0, HEADER_BYTES + (long) bodyBytes);
    maskRecords(frame, count);
    Frame.stamp(
        frame,
        frame.asByteBuffer(),
        bodyBytes,
        count,
        firstLsn,
        reader.durableLsn(),
        reader.timeMs(),
        reader.kind(),
        mask);
    frames++;
    records += count;
    payloadBytes += bodyBytes - (long) count * RECORD_HEADER_BYTES;
    timeMs = Math.max(timeMs, reader.timeMs());
    durableNamed = Math.max(durableNamed, reader.durableLsn());
  }

  /// How many bytes the record at `at` takes.
  private int recordBytes(MemorySegment frame, long at, long offset) {
    long room = frame.byteSize() - at - RECORD_HEADER_BYTES;
    int length = room < 0 ? -1 : frame.get(U32, at);
    if (length < 0 || length > room) {
      throw damaged(offset, "a record does not fit into its frame");
    }
    return RECORD_HEADER_BYTES + length;
  }

  /// Masks the records' CRCs for the target.
  private void maskRecords(MemorySegment frame, int count) {
    int change = segment.mask() ^ mask;
    long at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      frame.set(U32, at + 4, frame.get(U32, at + 4) ^ change);
      at += RECORD_HEADER_BYTES + frame.get(U32, at);
    }
  }

  /// Room for so many bytes behind those that are to be written.
  private MemorySegment stage(long size) throws IOException {
    if (staged + size > chunk.bytes().byteSize()) {
      flush();
    }
    if (size > chunk.bytes().byteSize()) {
      chunk.close();
      chunk = new NativeBuffer(size);
    }
    staged += (int) size;
    return chunk.bytes().asSlice(staged - size, size);
  }

  private void flush() throws IOException {
    if (staged > 0) {
      target.write(chunk.bytes().asSlice(0, staged), written);
      written += staged;
      staged = 0;
    }
  }

  private CorruptLogException damaged(long offset, String what) {
    return new CorruptLogException(
        segment.name(), offset, segment.firstLsn() + records, segment.lastLsn(), what);
  }

  @Override
  public void close() {
    reader.close();
    chunk.close();
  }
}
