package dev.tidemark.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A reader of a log's directory that knows what docs/FORMAT.md says and nothing else: it uses no
/// class of the log.
final class FormatDecoder {
  private static final int HEADER = 4096;
  private static final int FRAME_HEADER = 48;

  /// @param segment and `offset`: its position
  record Decoded(long lsn, long timeMs, long segment, long offset, ByteBuffer payload) {}

  private final List<Decoded> records = new ArrayList<>();
  private long nextLsn;
  private long lastTime;
  private long previousSalt;
  private long previousSeal;
  private boolean closed;

  /// @param files of the directory, by name
  static FormatDecoder of(SortedMap<String, ByteBuffer> files) {
    FormatDecoder decoder = new FormatDecoder();
    @Nullable String last = null;
    for (String name : files.keySet()) {
      if (name.matches("\\d{20}\\.seg")) {
        require(last == null || decoder.previousSeal > 0, last + " has no seal");
        decoder.segment(name, files.get(name).slice().order(ByteOrder.LITTLE_ENDIAN), last == null);
        last = name;
      }
    }
    return decoder;
  }

  List<Decoded> records() {
    return records;
  }

  /// Whether the log was closed in order.
  boolean closed() {
    return closed;
  }

  private void segment(String name, ByteBuffer file, boolean first) {
    byte[] magic = new byte[8];
    file.get(0, magic);
    require(new String(magic, StandardCharsets.US_ASCII).equals("TIDEMARK"), name + ": magic");
    require(file.getInt(8) == 1 && file.getInt(12) == HEADER, name + ": version and length");
    require(file.getInt(4092) == crc(file, 0, 4092), name + ": CRC of the header");
    long salt = file.getLong(16);
    long firstLsn = file.getLong(24);
    require(salt != 0 && firstLsn == Long.parseLong(name.substring(0, 20)), name + ": first LSN");
    if (first) {
      nextLsn = firstLsn;
    } else {
      require(file.getLong(40) == previousSalt, name + ": the previous segment's salt");
      require(file.getLong(48) == nextLsn - 1, name + ": the previous segment's last LSN");
      require(file.getLong(56) == previousSeal, name + ": the previous segment's seal");
    }
    require(firstLsn == nextLsn, name + ": continues");
    lastTime = Math.max(lastTime, file.getLong(32));
    previousSalt = salt;
    previousSeal = 0;
    frames(name, file, firstLsn, crc(file, 16, 8));
  }

  private void frames(String name, ByteBuffer file, long segment, int mask) {
    int count = 0;
    long frames = 0;
    long payloads = 0;
    int at = HEADER;
    closed = false;
    while (previousSeal == 0 && checks(file, at, mask)) {
      String where = name + " at " + at;
      int bodyBytes = file.getInt(at + 8);
      int body = at + FRAME_HEADER;
      require(Long.compareUnsigned(file.getLong(at + 24), nextLsn) < 0, where + ": durable LSN");
      require(file.getLong(at + 32) >= lastTime, where + ": the time never falls");
      lastTime = file.getLong(at + 32);
      closed = false;
      switch (file.getInt(at + 44)) {
        case 1 -> {
          int end = body;
          for (int i = 0; i < file.getInt(at + 12); i++) {
            int length = file.getInt(end);
            ByteBuffer payload = file.slice(end + 8, length);
            require(file.getInt(end + 4) == (crc(file, end + 8, length) ^ mask), where + ": CRC");
            records.add(new Decoded(nextLsn++, lastTime, segment, end, payload));
            payloads += length;
            count++;
            end += 8 + length;
          }
          require(end == body + bodyBytes, where + ": the records fill the body");
        }
        case 2 -> require(bodyBytes == 0, where + ": a witness has no body");
        case 3 -> {
          require(file.getLong(body) == nextLsn - 1, where + ": last LSN of the seal");
          require(file.getLong(body + 8) == count, where + ": records of the seal");
          require(file.getLong(body + 16) == frames, where + ": frames of the seal");
          require(file.getLong(body + 24) == payloads, where + ": payloads of the seal");
          previousSeal = at;
        }
        case 4 -> {
          require(bodyBytes == 0, where + ": a close has no body");
          closed = true;
        }
        default -> throw new AssertionError(where + ": kind " + file.getInt(at + 44));
      }
      frames++;
      at = body + (bodyBytes + 7) / 8 * 8;
    }
  }

  private boolean checks(ByteBuffer file, int at, int mask) {
    if (at + FRAME_HEADER > file.limit() || file.getInt(at) != (crc(file, at + 4, 44) ^ mask)) {
      return false;
    }
    byte[] magic = new byte[4];
    file.get(at + 40, magic);
    int bodyBytes = file.getInt(at + 8);
    return new String(magic, StandardCharsets.US_ASCII).equals("TDFR")
        && bodyBytes >= 0
        && bodyBytes <= file.limit() - at - FRAME_HEADER
        && file.getInt(at + 4) == (crc(file, at + FRAME_HEADER, bodyBytes) ^ mask)
        && file.getLong(at + 16) == nextLsn;
  }

  private static int crc(ByteBuffer file, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(file.slice(offset, length));
    return (int) crc.getValue();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not as docs/FORMAT.md says: " + what);
    }
  }
}
