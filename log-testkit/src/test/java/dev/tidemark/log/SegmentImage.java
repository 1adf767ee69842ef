package dev.tidemark.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// A segment's bytes, read and forged by the description of the format and without the log's code.
final class SegmentImage {
  static final int HEADER_BYTES = 4096;
  static final int FRAME_HEADER_BYTES = 48;
  static final int RECORD_HEADER_BYTES = 8;

  static final int KIND_RECORDS = 1;
  static final int KIND_WITNESS = 2;
  static final int KIND_SEAL = 3;
  static final int KIND_CLOSE = 4;

  private static final int AT_HEADER_CRC = HEADER_BYTES - 4;
  private static final int FRAME_MAGIC = 'T' | ('D' << 8) | ('F' << 16) | ('R' << 24);

  private final ByteBuffer bytes;

  /// @param bytes of the file; changes are made in place
  SegmentImage(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static String fileName(long firstLsn) {
    return "%020d.seg".formatted(firstLsn);
  }

  /// A frame that checks.
  record FrameAt(
      int offset,
      int kind,
      int bodyBytes,
      int records,
      long firstLsn,
      long durableLsn,
      long timeMs) {
    int bodyOffset() {
      return offset + FRAME_HEADER_BYTES;
    }

    /// Where the next frame begins.
    int end() {
      return bodyOffset() + (bodyBytes + 7) / 8 * 8;
    }

    /// Whether the byte is padding, which no CRC covers.
    boolean pads(int at) {
      return at >= bodyOffset() + bodyBytes && at < end();
    }
  }

  byte[] array() {
    return bytes.array();
  }

  long magic() {
    return bytes.getLong(0);
  }

  int version() {
    return bytes.getInt(8);
  }

  long salt() {
    return bytes.getLong(16);
  }

  long firstLsn() {
    return bytes.getLong(24);
  }

  long previousSalt() {
    return bytes.getLong(40);
  }

  long previousLastLsn() {
    return bytes.getLong(48);
  }

  long previousSealOffset() {
    return bytes.getLong(56);
  }

  boolean headerChecks() {
    return bytes.getInt(AT_HEADER_CRC) == crc(0, AT_HEADER_CRC);
  }

  /// Makes it the segment of another format version, valid in all else.
  SegmentImage withVersion(int version) {
    bytes.putInt(8, version);
    bytes.putInt(AT_HEADER_CRC, crc(0, AT_HEADER_CRC));
    return this;
  }

  int getInt(int offset) {
    return bytes.getInt(offset);
  }

  long getLong(int offset) {
    return bytes.getLong(offset);
  }

  SegmentImage putInt(int offset, int value) {
    bytes.putInt(offset, value);
    return this;
  }

  SegmentImage putLong(int offset, long value) {
    bytes.putLong(offset, value);
    return this;
  }

  /// Makes the CRC of a frame's header right again.
  SegmentImage fixFrameHeader(int offset) {
    bytes.putInt(offset, crc(offset + 4, FRAME_HEADER_BYTES - 4) ^ mask());
    return this;
  }

  /// Makes both CRCs of a frame right again.
  SegmentImage fixFrame(FrameAt frame) {
    bytes.putInt(frame.offset + 4, crc(frame.bodyOffset(), frame.bodyBytes) ^ mask());
    return fixFrameHeader(frame.offset);
  }

  /// All frames from the header on, up to the first that does not check.
  List<FrameAt> frames() {
    List<FrameAt> frames = new ArrayList<>();
    int offset = HEADER_BYTES;
    while (frameChecks(offset)) {
      frames.add(frameAt(offset));
      offset = frames.getLast().end();
    }
    return frames;
  }

  /// All frames of one kind.
  List<FrameAt> frames(int kind) {
    return frames().stream().filter(frame -> frame.kind == kind).toList();
  }

  private FrameAt frameAt(int offset) {
    return new FrameAt(
        offset,
        bytes.getInt(offset + 44),
        bytes.getInt(offset + 8),
        bytes.getInt(offset + 12),
        bytes.getLong(offset + 16),
        bytes.getLong(offset + 24),
        bytes.getLong(offset + 32));
  }

  private boolean frameChecks(int offset) {
    if (offset + FRAME_HEADER_BYTES > bytes.limit()
        || bytes.getInt(offset + 40) != FRAME_MAGIC
        || bytes.getInt(offset) != (crc(offset + 4, FRAME_HEADER_BYTES - 4) ^ mask())) {
      return false;
    }
    int bodyBytes = bytes.getInt(offset + 8);
    return bodyBytes >= 0
        && bodyBytes <= bytes.limit() - offset - FRAME_HEADER_BYTES
        && bytes.getInt(offset + 4) == (crc(offset + FRAME_HEADER_BYTES, bodyBytes) ^ mask());
  }

  private int mask() {
    return crc(16, 8);
  }

  private int crc(int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), offset, length);
    return (int) crc.getValue();
  }

  /// A copy whose bytes from `from` to `to` are zero.
  static byte[] zeroed(byte[] bytes, int from, int to) {
    byte[] copy = bytes.clone();
    Arrays.fill(copy, from, to, (byte) 0);
    return copy;
  }
}
