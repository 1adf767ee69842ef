package dev.tidemark.log;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The bytes of a frame: one commit group, which is on disk whole or not at all.
///
/// ```
///   0 u32 header CRC, over bytes 4 to 47
///   4 u32 body CRC, over the body without its padding
///   8 u32 body length
///  12 u32 record count
///  16 u64 LSN of the first record; of the next record, where there is none
///  24 u64 durable LSN: the last acknowledged one when the frame was written
///  32 i64 log-clock time, milliseconds since 1970
///  40 u32 magic
///  44 u32 kind
///  48     body: the records, each u32 length, u32 CRC, payload; then zeros up to 8 bytes
/// ```
///
/// Little-endian. A stored CRC is CRC-32C of the bytes, XORed with the segment's mask (see
/// [SegmentHeader]), so that what an earlier life of the file left behind never validates. The
/// header has a CRC of its own because a length must be trusted before the body can be read.
/// docs/FORMAT.md is the reference.
final class Frame {
  static final ValueLayout.OfInt U32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final int HEADER_BYTES = 48;
  static final int RECORD_HEADER_BYTES = 8;
  static final int ALIGNMENT = 8;
  static final int SEAL_BODY_BYTES = 32;

  /// "TDFR"
  static final int MAGIC = 0x52464454;

  /// A commit group's records.
  static final int KIND_RECORDS = 1;

  /// No records: proves, by its durable LSN, what an idle log had acknowledged.
  static final int KIND_WITNESS = 2;

  /// The end of a finished segment; its body counts what the segment holds.
  static final int KIND_SEAL = 3;

  /// The log was closed in order. Records may follow: the next open goes on behind it.
  static final int KIND_CLOSE = 4;

  static final int AT_HEADER_CRC = 0;
  static final int AT_BODY_CRC = 4;
  static final int AT_BODY_BYTES = 8;
  static final int AT_RECORDS = 12;
  static final int AT_FIRST_LSN = 16;
  static final int AT_DURABLE_LSN = 24;
  static final int AT_TIME = 32;
  static final int AT_MAGIC = 40;
  static final int AT_KIND = 44;

  private Frame() {}

  /// The bytes of a frame on disk, for a body of this many.
  static long sizeOf(long bodyBytes) {
    return HEADER_BYTES + ((bodyBytes + ALIGNMENT - 1) & -ALIGNMENT);
  }

  /// CRC-32C of `length` bytes of a direct buffer; moves the buffer's position.
  static int crc(ByteBuffer buffer, int offset, int length) {
    return crc(new CRC32C(), buffer, offset, length);
  }

  /// As the other, for who has many to compute.
  ///
  /// @param crc computes it; what it held is lost
  static int crc(CRC32C crc, ByteBuffer buffer, int offset, int length) {
    crc.reset();
    crc.update(buffer.limit(offset + length).position(offset));
    return (int) crc.getValue();
  }

  /// Completes the frame that begins at the start of `frame`, whose body is in place: zeros the
  /// padding and writes the header.
  ///
  /// @param view the same bytes as `frame`
  static void stamp(
      MemorySegment frame,
      ByteBuffer view,
      int bodyBytes,
      int records,
      long firstLsn,
      long durableLsn,
      long timeMs,
      int kind,
      int mask) {
    long padding = sizeOf(bodyBytes) - HEADER_BYTES - bodyBytes;
    frame.asSlice(HEADER_BYTES + bodyBytes, padding).fill((byte) 0);
    frame.set(U32, AT_BODY_CRC, crc(view, HEADER_BYTES, bodyBytes) ^ mask);
    frame.set(U32, AT_BODY_BYTES, bodyBytes);
    frame.set(U32, AT_RECORDS, records);
    frame.set(U64, AT_FIRST_LSN, firstLsn);
    frame.set(U64, AT_DURABLE_LSN, durableLsn);
    frame.set(U64, AT_TIME, timeMs);
    frame.set(U32, AT_MAGIC, MAGIC);
    frame.set(U32, AT_KIND, kind);
    frame.set(U32, AT_HEADER_CRC, headerCrc(new CRC32C(), view, 0) ^ mask);
  }

  /// Whether a header with a right CRC begins at `at`. Says nothing of the body.
  ///
  /// @param crc computes it
  static boolean headerValid(CRC32C crc, MemorySegment bytes, ByteBuffer view, int at, int mask) {
    return bytes.get(U32, at + AT_MAGIC) == MAGIC
        && bytes.get(U32, at + AT_HEADER_CRC) == (headerCrc(crc, view, at) ^ mask);
  }

  private static int headerCrc(CRC32C crc, ByteBuffer view, int at) {
    return crc(crc, view, at + AT_BODY_CRC, HEADER_BYTES - AT_BODY_CRC);
  }
}
