package dev.tidemark.log;

import static dev.tidemark.log.Frame.U32;
import static dev.tidemark.log.Frame.U64;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The first block of a segment's file, 4 KiB, written and synced under another name before the
/// file gets its own: a file that is named as a segment has a whole header, or has been damaged.
///
/// ```
///    0 u64 magic, "TIDEMARK"
///    8 u32 format version
///   12 u32 header length, 4096
///   16 u64 salt, random
///   24 u64 first LSN
///   32 i64 log-clock time of its creation, milliseconds since 1970
///   40 u64 the previous segment's salt, 0 if there never was one
///   48 u64 the previous segment's last LSN
///   56 u64 offset of the previous segment's seal
///   64     zeros
/// 4092 u32 CRC-32C of bytes 0 to 4091
/// ```
///
/// Magic, version and CRC stay where they are in every later version, so that damage is told from
/// novelty.
///
/// @param salt makes every CRC in the segment its own
/// @param firstLsn the LSN of the first record that the segment was made for
/// @param createdMs log-clock time: a frame of the segment has none below it
/// @param previousSalt the salt of the segment before it
/// @param previousLastLsn the last LSN of the segment before it
/// @param previousSealOffset where that segment's seal lies
record SegmentHeader(
    long salt,
    long firstLsn,
    long createdMs,
    long previousSalt,
    long previousLastLsn,
    long previousSealOffset) {
  static final int BYTES = 4096;
  static final int VERSION = 1;
  static final String SUFFIX = ".seg";

  private static final long MAGIC = 0x4b52414d45444954L;
  private static final int AT_CRC = BYTES - 4;

  /// The segment's file name: its first LSN in 20 digits.
  static String fileName(long firstLsn) {
    return "%020d%s".formatted(firstLsn, SUFFIX);
  }

  /// Whether a file of this name is a segment.
  static boolean isFileName(String name) {
    return name.matches("\\d{20}\\" + SUFFIX);
  }

  /// The first LSN that a segment's name says.
  static long firstLsnIn(String name) {
    return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
  }

  /// The header of the segment before another one, as far as that one tells of it: enough to verify
  /// its frames.
  static SegmentHeader before(SegmentHeader following, long firstLsn) {
    return new SegmentHeader(following.previousSalt, firstLsn, 0, 0, 0, 0);
  }

  /// The same segment's header with another salt.
  SegmentHeader withSalt(long other) {
    return new SegmentHeader(
        other, firstLsn, createdMs, previousSalt, previousLastLsn, previousSealOffset);
  }

  /// What the CRCs of the segment's frames are XORed with.
  int mask() {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, salt));
    return (int) crc.getValue();
  }

  /// Writes the block to the start of `block`, which is all zeros.
  void encode(MemorySegment block) {
    block.set(U64, 0, MAGIC);
    block.set(U32, 8, VERSION);
    block.set(U32, 12, BYTES);
    block.set(U64, 16, salt);
    block.set(U64, 24, firstLsn);
    block.set(U64, 32, createdMs);
    block.set(U64, 40, previousSalt);
    block.set(U64, 48, previousLastLsn);
    block.set(U64, 56, previousSealOffset);
    block.set(U32, AT_CRC, Frame.crc(block.asByteBuffer(), 0, AT_CRC));
  }

  /// Reads a file's header; throws as [#decode].
  static SegmentHeader read(StorageFile file, String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(BYTES, BYTES);
      return decode(block, file.read(block, 0), name);
    }
  }

  /// Reads the block at the start of `block`.
  ///
  /// @param bytes how many of the block's bytes the file had
  /// @param name the file's, for messages
  /// @throws UnsupportedFormatException if a newer version wrote it
  /// @throws CorruptLogException if it is no header, or not that of a file of this name
  static SegmentHeader decode(MemorySegment block, long bytes, String name) {
    long firstLsn = firstLsnIn(name);
    if (bytes < BYTES
        || block.get(U64, 0) != MAGIC
        || block.get(U32, AT_CRC) != Frame.crc(block.asByteBuffer(), 0, AT_CRC)) {
      throw new CorruptLogException(
          name, 0, firstLsn, Long.MAX_VALUE, "the segment's header is damaged");
    }
    int version = block.get(U32, 8);
    if (version != VERSION) {
      throw new UnsupportedFormatException(
          "%s has format version %d, and this code reads version %d; nothing was changed: open it with the newer version of Tidemark that wrote it"
              .formatted(name, version, VERSION));
    }
    SegmentHeader header =
        new SegmentHeader(
            block.get(U64, 16),
            block.get(U64, 24),
            block.get(U64, 32),
            block.get(U64, 40),
            block.get(U64, 48),
            block.get(U64, 56));
    if (header.firstLsn != firstLsn) {
      throw new CorruptLogException(
          name,
          0,
          firstLsn,
          Long.MAX_VALUE,
          "the file was made for first LSN " + header.firstLsn + ", not for that of its name");
    }
    return header;
  }
}
