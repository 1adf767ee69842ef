package dev.tidemark.log;

import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;

/// Reads single records by position, each checked by its own CRC: one read for a record of up to 4
/// KiB less its header, two for a longer one. Any thread may use it.
final class PointReader {
  private static final int BUFFER_BYTES = 4096;

  private final Arena arena;
  private final Queue<MemorySegment> idle = new ConcurrentLinkedQueue<>();

  private final long mappedBytes;

  /// @param arena holds the buffers, one for each thread that reads at the same moment
  /// @param mappedBytes how much of a segment is mapped: its largest usual size
  PointReader(Arena arena, long mappedBytes) {
    this.arena = arena;
    this.mappedBytes = mappedBytes;
  }

  byte[] read(Segment segment, long offset) {
    long end = segment.durableEnd();
    if (offset < SegmentHeader.BYTES + Frame.HEADER_BYTES || offset + RECORD_HEADER_BYTES > end) {
      throw new RecordNotFoundException(
          "%s has no durable record at byte %d".formatted(segment.name(), offset));
    }
    MemorySegment mapped = segment.mapped(mappedBytes);
    if (mapped != null && end <= mapped.byteSize()) {
      return readMapped(segment, offset, end, mapped);
    }
    MemorySegment buffer = idle.poll();
    if (buffer == null) {
      buffer = arena.allocate(BUFFER_BYTES, 4096);
    }
    try {
      return read(segment, offset, end, buffer);
    } catch (IOException e) {
      throw new LogIoException("reading " + segment.name() + " failed, trying again is safe", e);
    } finally {
      idle.add(buffer);
    }
  }

  private static byte[] readMapped(Segment segment, long offset, long end, MemorySegment mapped) {
    try {
      int length = mapped.get(U32, offset);
      if (length < 0 || length > end - offset - RECORD_HEADER_BYTES) {
        throw damaged(segment, offset);
      }
      byte[] payload = new byte[length];
      MemorySegment.copy(mapped, JAVA_BYTE, offset + RECORD_HEADER_BYTES, payload, 0, length);
      verify(payload, mapped.get(U32, offset + 4), segment, offset);
      return payload;
    } catch (InternalError e) {
      // So the JVM reports a page that the file system could not bring.
      throw new LogIoException(
          "reading " + segment.name() + " failed, trying again is safe",
          new IOException("a page at byte " + offset + " could not be read", e));
    }
  }

  private static void verify(byte[] payload, int storedCrc, Segment segment, long offset) {
    CRC32C crc = new CRC32C();
    crc.update(payload);
    if (((int) crc.getValue() ^ segment.mask()) != storedCrc) {
      throw damaged(segment, offset);
    }
  }

  private static byte[] read(Segment segment, long offset, long end, MemorySegment buffer)
      throws IOException {
    long wanted = Math.min(BUFFER_BYTES, end - offset);
    long got = segment.file().read(buffer.asSlice(0, wanted), offset);
    int length = got < RECORD_HEADER_BYTES ? -1 : buffer.get(U32, 0);
    if (length < 0 || length > end - offset - RECORD_HEADER_BYTES) {
      throw damaged(segment, offset);
    }
    int storedCrc = buffer.get(U32, 4);
    byte[] payload = new byte[length];
    int have = (int) Math.min(length, got - RECORD_HEADER_BYTES);
    MemorySegment.copy(buffer, JAVA_BYTE, RECORD_HEADER_BYTES, payload, 0, have);
    if (have < length) {
      readRest(segment, offset + RECORD_HEADER_BYTES + have, payload, have);
    }
    verify(payload, storedCrc, segment, offset);
    return payload;
  }

  private static void readRest(Segment segment, long offset, byte[] payload, int have)
      throws IOException {
    int rest = payload.length - have;
    try (Arena once = Arena.ofConfined()) {
      MemorySegment more = once.allocate(rest);
      segment.file().read(more, offset);
      MemorySegment.copy(more, JAVA_BYTE, 0, payload, have, rest);
    }
  }

  private static CorruptLogException damaged(Segment segment, long offset) {
    return new CorruptLogException(
        segment.name(),
        offset,
        segment.firstLsn(),
        segment.lastLsn(),
        "no record begins here, or it is damaged");
  }
}
