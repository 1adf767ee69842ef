package dev.tidemark.log;

import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static dev.tidemark.log.Frame.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads single records by position, each checked by its own CRC. Any thread may use it.
///
/// From a mapping of the segment where there is one; else by one read call for a record of up to 4
/// KiB less its header, and two for a longer one. Whatever a mapping does not give as it should is
/// read by call, which tells damage, a trim and an error of the file system from each other.
///
/// The JVM throws a fault in a mapping some time after the access, or ends the process if it comes
/// within the computation of a CRC. So CRCs are taken of copies, and nothing counts before its CRC
/// was right.
final class PointReader {
  private static final int BUFFER_BYTES = 4096;
  private static final int FIRST_OFFSET = SegmentHeader.BYTES + Frame.HEADER_BYTES;

  private final SegmentDirectory directory;
  private final Arena arena;
  private final Queue<MemorySegment> idle = new ConcurrentLinkedQueue<>();

  private final long mappedBytes;

  /// @param arena holds the buffers, one for each thread that reads at the same moment
  /// @param mappedBytes how much of a segment is mapped: its largest usual size
  PointReader(SegmentDirectory directory, Arena arena, long mappedBytes) {
    this.directory = directory;
    this.arena = arena;
    this.mappedBytes = mappedBytes;
  }

  /// The payload, the caller's to keep.
  byte[] read(Position position) {
    try {
      byte[] payload = readUnheld(directory.find(position.segment()), position.offset());
      return payload != null ? payload : readHeld(position);
    } catch (InternalError e) {
      throw faulted(position, e);
    }
  }

  /// What `use` makes of the payload, which it has until it returns.
  <R extends @Nullable Object> R view(
      Position position, Function<? super MemorySegment, ? extends R> use) {
    Segment segment = directory.retain(position.segment());
    try {
      long offset = position.offset();
      segment.map(mappedBytes);
      MemorySegment payload = mappedPayload(segment, offset);
      if (payload == null) {
        payload = MemorySegment.ofArray(readByCall(segment, offset)).asReadOnly();
      }
      return use.apply(payload);
    } catch (InternalError e) {
      throw faulted(position, e);
    } finally {
      segment.release();
    }
  }

  /// Reads from the mapping without holding the segment, for that would take longer than the read.
  /// The mapping of a segment that nobody holds any more is closed, and an access throws; what was
  /// read before the segment is seen to be still held was read in its time.
  ///
  /// @return null if it has to be read otherwise
  private static byte @Nullable [] readUnheld(Segment segment, long offset) {
    MemorySegment mapped = segment.mapped();
    if (mapped == null) {
      return null;
    }
    try {
      long end = segment.durableEnd();
      long header = mapped.get(U64, offset);
      int length = (int) header;
      if (length < 0 || offset + RECORD_HEADER_BYTES + length > end) {
        return null;
      }
      byte[] payload = new byte[length];
      MemorySegment.copy(mapped, JAVA_BYTE, offset + RECORD_HEADER_BYTES, payload, 0, length);
      CRC32C crc = new CRC32C();
      crc.update(payload, 0, length);
      boolean right = ((int) crc.getValue() ^ segment.mask()) == (int) (header >>> 32);
      return right && segment.isHeld() ? payload : null;
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return null; // unmapped meanwhile, or not in the mapping
    }
  }

  /// The payload as it lies in the mapping of a segment that is held; null if it has to be read
  /// otherwise.
  private static @Nullable MemorySegment mappedPayload(Segment segment, long offset) {
    MemorySegment mapped = segment.mapped();
    long end = segment.durableEnd();
    if (mapped == null || !mayBegin(offset, end) || end > mapped.byteSize()) {
      return null;
    }
    int length = mapped.get(U32, offset);
    if (length < 0 || length > end - offset - RECORD_HEADER_BYTES) {
      return null;
    }
    MemorySegment payload = mapped.asSlice(offset + RECORD_HEADER_BYTES, length);
    CRC32C crc = new CRC32C();
    byte[] part = new byte[Math.min(length, BUFFER_BYTES)];
    for (int at = 0; at < length; at += part.length) {
      int bytes = Math.min(part.length, length - at);
      MemorySegment.copy(payload, JAVA_BYTE, at, part, 0, bytes);
      crc.update(part, 0, bytes);
    }
    boolean right = ((int) crc.getValue() ^ segment.mask()) == mapped.get(U32, offset + 4);
    return right ? payload : null;
  }

  private static boolean mayBegin(long offset, long end) {
    return offset >= FIRST_OFFSET && offset <= end - RECORD_HEADER_BYTES;
  }

  private byte[] readHeld(Position position) {
    Segment segment = directory.retain(position.segment());
    try {
      segment.map(mappedBytes); // for the reads to come
      return readByCall(segment, position.offset());
    } finally {
      segment.release();
    }
  }

  private byte[] readByCall(Segment segment, long offset) {
    long end = segment.durableEnd();
    if (!mayBegin(offset, end)) {
      throw new RecordNotFoundException(
          "%s has no durable record at byte %d".formatted(segment.name(), offset));
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

  private static byte[] read(Segment segment, long offset, long end, MemorySegment buffer)
      throws IOException {
    long wanted = Math.min(BUFFER_BYTES, end - offset);
    long got = segment.file().read(buffer.asSlice(0, wanted), offset);
    int length = got < RECORD_HEADER_BYTES ? -1 : buffer.get(U32, 0);
    if (length < 0 || length > end - offset - RECORD_HEADER_BYTES) {
      throw damaged(segment, offset);
    }
    int stored = buffer.get(U32, 4) ^ segment.mask();
    byte[] payload = new byte[length];
    int have = (int) Math.min(length, got - RECORD_HEADER_BYTES);
    MemorySegment.copy(buffer, JAVA_BYTE, RECORD_HEADER_BYTES, payload, 0, have);
    if (have < length) {
      readRest(segment, offset + RECORD_HEADER_BYTES + have, payload, have);
    }
    CRC32C crc = new CRC32C();
    crc.update(payload);
    if ((int) crc.getValue() != stored) {
      throw damaged(segment, offset);
    }
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

  private static LogIoException faulted(Position position, InternalError fault) {
    String name = SegmentHeader.fileName(position.segment());
    return new LogIoException(
        "reading " + name + " failed, trying again is safe",
        new IOException("a page at byte " + position.offset() + " could not be read", fault));
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
