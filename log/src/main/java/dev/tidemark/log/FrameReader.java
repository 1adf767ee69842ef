package dev.tidemark.log;

import static dev.tidemark.log.Frame.HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static dev.tidemark.log.Frame.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Reads the frames of a file in order through one buffer, and checks them. The buffer grows only
/// for a frame whose header is right and which the file is long enough to hold, and what a large
/// one made of it is given back behind that. Used by one thread.
final class FrameReader implements AutoCloseable {
  /// A buffer up to this size is kept for the frames to come.
  private static final int KEPT_BYTES = 4 << 20;

  private final int chunkBytes;

  /// One for all, so that nothing is allocated for a frame.
  private final CRC32C crc = new CRC32C();

  private NativeBuffer memory;
  private MemorySegment buffer;
  private ByteBuffer view;
  private Source source;
  private int mask;
  private long bufferStart;
  private long bufferBytes;
  private int at;

  /// Where a file's bytes come from.
  interface Source {
    /// As [dev.tidemark.log.spi.StorageFile#read].
    long read(MemorySegment target, long offset) throws IOException;
  }

  /// @param chunkBytes how much is read at once if no frame needs more, 4 KiB or more
  FrameReader(Source source, int mask, int chunkBytes) {
    this.source = source;
    this.mask = mask;
    this.chunkBytes = chunkBytes;
    this.memory = new NativeBuffer(chunkBytes);
    this.buffer = memory.bytes();
    this.view = memory.view();
  }

  /// As the other, on a file.
  FrameReader(StorageFile file, int mask, int chunkBytes) {
    this(file::read, mask, chunkBytes);
  }

  /// Goes on with another file.
  void moveTo(StorageFile file, int nextMask) {
    moveTo(file::read, nextMask);
  }

  /// Goes on with another source.
  void moveTo(Source nextSource, int nextMask) {
    this.source = nextSource;
    this.mask = nextMask;
    this.bufferBytes = 0;
  }

  /// Reads the header at `offset`.
  ///
  /// @param limit where the file's readable bytes end
  /// @return whether a right header lies there, whose frame ends at or before `limit`
  boolean header(long offset, long limit) throws IOException {
    if (limit - offset < HEADER_BYTES || !load(offset, HEADER_BYTES, limit)) {
      return false;
    }
    return Frame.headerValid(crc, buffer, view, at, mask)
        && bodyBytes() >= 0
        && records() >= 0
        && (long) records() * Frame.RECORD_HEADER_BYTES <= bodyBytes()
        && offset + frameBytes() <= limit;
  }

  /// Reads the body of the frame whose header was read last, and checks its CRC.
  ///
  /// @return whether the body is right
  boolean body(long limit) throws IOException {
    int bodyBytes = bodyBytes();
    long frame = bufferStart + at;
    if (buffer.byteSize() > KEPT_BYTES && HEADER_BYTES + (long) bodyBytes <= chunkBytes) {
      resize(chunkBytes, 0, 0);
      bufferBytes = 0;
    }
    return load(frame, HEADER_BYTES + (long) bodyBytes, limit)
        && Frame.crc(crc, view, at + HEADER_BYTES, bodyBytes)
            == (buffer.get(U32, at + Frame.AT_BODY_CRC) ^ mask);
  }

  /// Whether the records of the frame whose body was read last fill it, and each one has a right
  /// CRC of its own.
  boolean recordsRight() {
    if (kind() != Frame.KIND_RECORDS) {
      return true;
    }
    long offset = at + (long) HEADER_BYTES;
    long end = offset + bodyBytes();
    for (int i = records(); i > 0; i--) {
      int length = end - offset < Frame.RECORD_HEADER_BYTES ? -1 : buffer.get(U32, offset);
      long payload = offset + Frame.RECORD_HEADER_BYTES;
      if (length < 0
          || length > end - payload
          || Frame.crc(crc, view, (int) payload, length) != (buffer.get(U32, offset + 4) ^ mask)) {
        return false;
      }
      offset = payload + length;
    }
    return offset == end;
  }

  /// Reads anew what was read before: the file may have been written since.
  void forget() {
    bufferBytes = 0;
  }

  /// Brings `bytes` bytes from `offset` into the buffer and points at them.
  private boolean load(long offset, long bytes, long limit) throws IOException {
    if (offset < bufferStart || offset + bytes > bufferStart + bufferBytes) {
      boolean begun = offset >= bufferStart && offset < bufferStart + bufferBytes;
      int from = begun ? (int) (offset - bufferStart) : 0;
      long kept = begun ? bufferBytes - from : 0;
      if (bytes > buffer.byteSize()) {
        resize(Math.max(bytes, Math.min(2 * buffer.byteSize(), KEPT_BYTES)), from, kept);
      } else {
        MemorySegment.copy(buffer, from, buffer, 0, kept);
      }
      bufferStart = offset;
      bufferBytes = kept;
      // No more than a chunk, however large the buffer is: what was read is to be checked while it
      // is in the processor's cache.
      long missing = Math.min(Math.max(chunkBytes, bytes), limit - offset) - kept;
      if (missing > 0) {
        bufferBytes += source.read(buffer.asSlice(kept, missing), offset + kept);
      }
    }
    at = (int) (offset - bufferStart);
    return offset + bytes <= bufferStart + bufferBytes;
  }

  private void resize(long size, int from, long kept) {
    NativeBuffer next = new NativeBuffer(size);
    MemorySegment.copy(buffer, from, next.bytes(), 0, kept);
    memory.close();
    memory = next;
    buffer = next.bytes();
    view = next.view();
  }

  /// The offset of the next right header at or behind `from`, at a frame's alignment, whatever the
  /// length that it names; -1 for none before `limit`. Afterwards the fields are that header's.
  long findHeader(long from, long limit) throws IOException {
    for (long offset = from; limit - offset >= HEADER_BYTES; offset += Frame.ALIGNMENT) {
      if (!load(offset, HEADER_BYTES, limit)) {
        return -1;
      }
      if (Frame.headerValid(crc, buffer, view, at, mask)) {
        return offset;
      }
    }
    return -1;
  }

  /// The offset behind the last byte that is not zero from `from` to `limit`; `from` if all are.
  long endOfBytes(long from, long limit) throws IOException {
    long end = from;
    for (long offset = from; offset < limit; ) {
      if (!load(offset, 1, limit)) {
        return end;
      }
      long available = bufferStart + bufferBytes - offset;
      for (long i = 0; i < available; i++) {
        if (buffer.get(JAVA_BYTE, at + i) != 0) {
          end = offset + i + 1;
        }
      }
      offset += available;
    }
    return end;
  }

  /// The buffer, with the frame at [#frameStart].
  MemorySegment buffer() {
    return buffer;
  }

  int frameStart() {
    return at;
  }

  int bodyBytes() {
    return buffer.get(U32, at + Frame.AT_BODY_BYTES);
  }

  long frameBytes() {
    return Frame.sizeOf(bodyBytes());
  }

  int records() {
    return buffer.get(U32, at + Frame.AT_RECORDS);
  }

  long firstLsn() {
    return buffer.get(U64, at + Frame.AT_FIRST_LSN);
  }

  long durableLsn() {
    return buffer.get(U64, at + Frame.AT_DURABLE_LSN);
  }

  long timeMs() {
    return buffer.get(U64, at + Frame.AT_TIME);
  }

  int kind() {
    return buffer.get(U32, at + Frame.AT_KIND);
  }

  @Override
  public void close() {
    memory.close();
  }
}
