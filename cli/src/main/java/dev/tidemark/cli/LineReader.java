package dev.tidemark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Splits a stream into lines, however long the stream is: memory stays below a small multiple of
/// [#LINE_BYTES_MAX]. Blank lines are skipped (and counted); a carriage return before the line feed
/// is dropped. One thread.
final class LineReader {
  /// The longest line taken: a document of the largest size and what may stand around it.
  static final int LINE_BYTES_MAX = 17 << 20;

  /// How much is kept of a longer line, to show it.
  private static final int CUT_BYTES = 200;

  private static final int CHUNK_BYTES = 64 << 10;

  private final InputStream in;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkPosition;
  private int chunkLimit;
  private byte[] line = new byte[4 << 10];
  private int kept;
  private long length;
  private byte last;
  private long number;

  LineReader(InputStream in) {
    this.in = in;
  }

  /// The next line that is not blank, without its end; null behind the last one. Of a line longer
  /// than [#LINE_BYTES_MAX] only the beginning: see [#isCut].
  byte @Nullable [] next() throws IOException {
    while (readLine()) {
      if (!isBlank()) {
        return Arrays.copyOf(line, isCut() ? CUT_BYTES : kept);
      }
    }
    return null;
  }

  /// The last line's number, blank lines counted, from 1.
  long number() {
    return number;
  }

  /// Whether the last line was longer than [#LINE_BYTES_MAX].
  boolean isCut() {
    return length > LINE_BYTES_MAX;
  }

  private boolean readLine() throws IOException {
    kept = 0;
    length = 0;
    last = 0;
    boolean began = false;
    while (true) {
      if (chunkPosition == chunkLimit) {
        chunkPosition = 0;
        chunkLimit = Math.max(0, in.read(chunk));
        if (chunkLimit == 0) {
          if (began) {
            number++;
            dropCarriageReturn();
          }
          return began;
        }
      }
      began = true;
      int end = chunkPosition;
      while (end < chunkLimit && chunk[end] != '\n') {
        end++;
      }
      keep(end - chunkPosition);
      chunkPosition = end;
      if (end < chunkLimit) {
        chunkPosition++;
        number++;
        dropCarriageReturn();
        return true;
      }
    }
  }

  /// Adds `count` bytes of the chunk to the line, as long as it isn't too long to be taken.
  private void keep(int count) {
    if (count == 0) {
      return;
    }
    length += count;
    last = chunk[chunkPosition + count - 1];
    int wanted = (int) Math.min(length, LINE_BYTES_MAX) - kept;
    if (wanted <= 0) {
      return;
    }
    if (kept + wanted > line.length) {
      line =
          Arrays.copyOf(line, Math.min(LINE_BYTES_MAX, Math.max(kept + wanted, line.length * 2)));
    }
    System.arraycopy(chunk, chunkPosition, line, kept, wanted);
    kept += wanted;
  }

  /// The return may be the one byte too many to be kept: only the length knows it then.
  private void dropCarriageReturn() {
    if (last == '\r') {
      length--;
      kept = (int) Math.min(kept, length);
    }
  }

  private boolean isBlank() {
    for (int i = 0; i < kept; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }
}
