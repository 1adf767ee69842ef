package dev.tidemark.log;

import static dev.tidemark.log.Frame.HEADER_BYTES;
import static dev.tidemark.log.Frame.RECORD_HEADER_BYTES;
import static dev.tidemark.log.Frame.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The records that are made durable by one write and one sync, laid out as the frame that goes to
/// disk, and those who wait for it.
///
/// Filled under the [Appender]'s lock; once taken it belongs to the holder of the commit role
/// alone, but for its waiters, who are still enlisted under the lock. There are two groups, used in
/// turn: one is filled while the other is written.
final class CommitGroup {
  private static final int INITIAL_BYTES = 256 << 10;

  private NativeBuffer buffer = new NativeBuffer(INITIAL_BYTES);
  private MemorySegment bytes = buffer.bytes();
  private final CRC32C crc = new CRC32C();
  private int end;
  private int records;
  private long firstLsn;
  private long payloadBytes;
  private int mask;
  private Waiters waiters = new Waiters();

  /// Empties the group for records from `firstLsn` on, whose CRCs are masked with `mask`.
  void begin(long firstLsn, int mask) {
    this.end = HEADER_BYTES;
    this.records = 0;
    this.payloadBytes = 0;
    this.firstLsn = firstLsn;
    this.mask = mask;
    this.waiters = new Waiters();
  }

  /// Adds a record.
  ///
  /// @param payloadCrc CRC-32C of the payload, not masked
  void add(byte[] payload, int payloadCrc) {
    add(payload, 0, payload.length, payloadCrc);
  }

  /// As [#add(byte[], int)], for a part of an array.
  void add(byte[] array, int from, int length, int payloadCrc) {
    int at = openRecord(length, payloadCrc);
    MemorySegment.copy(array, from, bytes, JAVA_BYTE, at, length);
  }

  /// Adds the remaining bytes of a buffer, whose position stays. Their CRC is taken of the copy:
  /// for a CRC of the buffer itself its position would have to move, or a duplicate be allocated.
  void add(ByteBuffer payload) {
    int length = payload.remaining();
    reserve((long) RECORD_HEADER_BYTES + length);
    int at = end + RECORD_HEADER_BYTES;
    // First: if the buffer's memory is gone this throws, and no record was begun.
    buffer.view().clear().put(at, payload, payload.position(), length);
    openRecord(length, Frame.crc(crc, buffer.view(), at, length));
  }

  private int openRecord(int length, int payloadCrc) {
    reserve((long) RECORD_HEADER_BYTES + length);
    bytes.set(U32, end, length);
    bytes.set(U32, end + 4, payloadCrc ^ mask);
    int at = end + RECORD_HEADER_BYTES;
    end = at + length;
    records++;
    payloadBytes += length;
    return at;
  }

  /// Makes room for so many bytes of records and their headers, so that adding them cannot fail.
  void reserve(long more) {
    // The frame's padding must fit as well.
    long needed = end + more + Frame.ALIGNMENT;
    if (needed > bytes.byteSize()) {
      resize(Math.max(needed, Math.min(2 * bytes.byteSize(), Integer.MAX_VALUE)));
    }
  }

  private void resize(long size) {
    NativeBuffer next = new NativeBuffer(size);
    MemorySegment.copy(bytes, 0, next.bytes(), 0, Math.min(end, size));
    buffer.close();
    buffer = next;
    bytes = next.bytes();
  }

  /// Gives back what a batch above `bytesMax` had made the buffer grow to.
  void shrinkTo(int bytesMax) {
    if (bytes.byteSize() > Math.max(bytesMax, INITIAL_BYTES)) {
      end = 0;
      resize(INITIAL_BYTES);
    }
  }

  void free() {
    buffer.close();
  }

  /// Masks the records' CRCs for another segment than the one they were added for.
  void maskFor(int newMask) {
    int change = mask ^ newMask;
    if (change != 0) {
      for (int at = HEADER_BYTES; at < end; ) {
        int length = bytes.get(U32, at);
        bytes.set(U32, at + 4, bytes.get(U32, at + 4) ^ change);
        at += RECORD_HEADER_BYTES + length;
      }
      mask = newMask;
    }
  }

  /// The whole frame, its header stamped.
  MemorySegment frame(long durableLsn, long timeMs) {
    Frame.stamp(
        bytes,
        buffer.view(),
        bodyBytes(),
        records,
        firstLsn,
        durableLsn,
        timeMs,
        Frame.KIND_RECORDS,
        mask);
    return bytes.asSlice(0, Frame.sizeOf(bodyBytes()));
  }

  boolean isEmpty() {
    return records == 0;
  }

  int records() {
    return records;
  }

  int bodyBytes() {
    return end - HEADER_BYTES;
  }

  long payloadBytes() {
    return payloadBytes;
  }

  long firstLsn() {
    return firstLsn;
  }

  long lastLsn() {
    return firstLsn + records - 1;
  }

  /// Those who wait for the group. They outlive its turn: the group may be filled again while they
  /// are being woken.
  Waiters waiters() {
    return waiters;
  }
}
