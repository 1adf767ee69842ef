package dev.tidemark.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A record of the soak: all of it follows from who wrote it and as which of theirs, so that
/// whoever finds it can tell that it is whole.
///
/// Bytes, little-endian: writer (4), number (8), place in its batch (4), size of its batch (4),
/// then up to [#FILL_BYTES_MAX] bytes that follow from writer and number.
///
/// @param writer from 0
/// @param number of this writer's records, from 1, without gaps
/// @param index its place in its batch, from 0
/// @param count how many records its batch has, 1 for one on its own
record SoakRecord(int writer, long number, int index, int count) {
  /// The longest filling.
  static final int FILL_BYTES_MAX = 1_000;

  private static final int FILL_BYTES_MIN = 8;
  private static final int HEAD_BYTES = 20;

  /// The payload.
  byte[] bytes() {
    byte[] bytes = new byte[HEAD_BYTES + fillBytes()];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(writer).putLong(number).putInt(index).putInt(count);
    long state = mixed(mixed(number * 31 + writer) + ((long) index << 32) + count);
    while (buffer.hasRemaining()) {
      state = mixed(state);
      if (buffer.remaining() >= Long.BYTES) {
        buffer.putLong(state);
      } else {
        buffer.put((byte) state);
      }
    }
    return bytes;
  }

  private int fillBytes() {
    long varied = mixed(number ^ ((long) writer << 40));
    return FILL_BYTES_MIN
        + (int) Long.remainderUnsigned(varied, FILL_BYTES_MAX - FILL_BYTES_MIN + 1);
  }

  /// The record that these bytes are.
  ///
  /// @throws SoakFailure if they are none that was ever written
  static SoakRecord of(ByteBuffer payload, long lsn) {
    ByteBuffer buffer = payload.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (buffer.remaining() < HEAD_BYTES) {
      throw new SoakFailure(
          "the record of LSN " + lsn + " has " + buffer.remaining() + " bytes: nobody wrote it");
    }
    SoakRecord record =
        new SoakRecord(buffer.getInt(), buffer.getLong(), buffer.getInt(), buffer.getInt());
    if (!payload.equals(ByteBuffer.wrap(record.bytes()))) {
      throw new SoakFailure("the record of LSN " + lsn + " says it is " + record + ", and is not");
    }
    return record;
  }

  private static long mixed(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
