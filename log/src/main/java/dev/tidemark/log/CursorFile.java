package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The file `CURSORS`: where the log's cursors stand. Two blocks of 32 KiB, each of which holds all
/// cursors; generation `g` lies in block `g mod 2`. A change overwrites the older block and syncs
/// it, so that a torn write leaves the other.
///
/// ```
///    0 u64 magic, "TIDECURS"
///    8 u32 format version
///   12 u32 length of the header, the entries and the CRC
///   16 u64 generation
///   24 u32 number of entries
///   28 u32 zero
///   32     entries: u64 LSN, u16 length of the name, name in UTF-8
///  end u32 CRC-32C of all before it
/// ```
///
/// The file is made whole under another name, as a segment is. After an exception of a write or a
/// sync it is not to be written until it is read again. Used by one thread at a time.
final class CursorFile implements AutoCloseable {
  static final String NAME = "CURSORS";
  static final int BLOCK_BYTES = 32 << 10;
  static final int VERSION = 1;

  private static final String UNFINISHED = NAME + ".tmp";
  private static final long MAGIC = 0x5352554345444954L;
  private static final int HEADER_BYTES = 32;
  private static final int CRC_BYTES = 4;

  private final StorageFile file;
  private long generation;

  /// What a file says.
  ///
  /// @param generation of the newest block that is whole, 0 if there is no file
  /// @param marks LSN by name
  record Content(long generation, SortedMap<String, Long> marks) {
    static final Content NONE = new Content(0, Collections.emptySortedMap());
  }

  private CursorFile(StorageFile file, long generation) {
    this.file = file;
    this.generation = generation;
  }

  /// What the directory's file says, without a change.
  ///
  /// @throws UnsupportedFormatException if a newer version wrote it
  /// @throws CorruptLogException if neither block is whole
  static Content read(Storage storage) throws IOException {
    if (!storage.list().contains(NAME)) {
      return Content.NONE;
    }
    try (StorageFile file = storage.openForReading(NAME);
        NativeBuffer buffer = new NativeBuffer(2 * BLOCK_BYTES)) {
      file.read(buffer.bytes(), 0);
      Content first = decode(block(buffer, 0));
      Content second = decode(block(buffer, 1));
      if (first == null && second == null) {
        throw new CorruptLogException(
            NAME,
            0,
            1,
            Long.MAX_VALUE,
            "both blocks are damaged, so that nobody knows what the cursors still need (without"
                + " this file the log opens with no cursors, and trims hold nothing back for them)");
      }
      if (first == null) {
        return Objects.requireNonNull(second);
      }
      if (second == null) {
        return first;
      }
      return first.generation > second.generation ? first : second;
    }
  }

  private static ByteBuffer block(NativeBuffer buffer, int index) {
    return buffer.view().slice(index * BLOCK_BYTES, BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// @return null if it is not whole
  private static @Nullable Content decode(ByteBuffer block) {
    int length = block.getInt(12);
    if (block.getLong(0) != MAGIC
        || length < HEADER_BYTES + CRC_BYTES
        || length > BLOCK_BYTES
        || block.getInt(length - CRC_BYTES) != crc(block, length - CRC_BYTES)) {
      return null;
    }
    int version = block.getInt(8);
    if (version != VERSION) {
      throw new UnsupportedFormatException(
          "%s has format version %d, and this code reads version %d; nothing was changed: open it with the newer version of Tidemark that wrote it"
              .formatted(NAME, version, VERSION));
    }
    SortedMap<String, Long> marks = new TreeMap<>();
    int count = block.getInt(24);
    block.position(HEADER_BYTES);
    for (int i = 0; i < count; i++) {
      long lsn = block.getLong();
      byte[] name = new byte[Short.toUnsignedInt(block.getShort())];
      block.get(name);
      marks.put(new String(name, StandardCharsets.UTF_8), lsn);
    }
    return new Content(block.getLong(16), marks);
  }

  private static int crc(ByteBuffer block, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(0, bytes));
    return (int) crc.getValue();
  }

  /// Makes a file with these marks in both blocks, under a passing name: it is nobody's before
  /// [#publish]. What an earlier attempt has left is deleted.
  static CursorFile prepare(Storage storage, SortedMap<String, Long> marks) throws IOException {
    if (storage.list().contains(UNFINISHED)) {
      storage.delete(UNFINISHED);
    }
    CursorFile made = new CursorFile(storage.create(UNFINISHED), 2);
    try (NativeBuffer zeros = new NativeBuffer(2 * BLOCK_BYTES)) {
      // All of it: no later write needs space.
      made.file.write(zeros.bytes(), 0);
      made.write(1, marks);
      made.write(2, marks);
      made.file.sync();
      return made;
    } catch (IOException | RuntimeException | Error e) {
      made.file.close();
      throw e;
    }
  }

  /// Gives the file its name, durably.
  void publish(Storage storage) throws IOException {
    storage.rename(UNFINISHED, NAME);
    storage.syncDirectory();
  }

  /// Opens the file in which that was found. What a killed process has written may be on its way to
  /// the medium, or after a failed sync never get there: it is written again and synced, before the
  /// other block is touched.
  static CursorFile reopen(Storage storage, Content found) throws IOException {
    CursorFile reopened = new CursorFile(storage.open(NAME), found.generation);
    try {
      reopened.write(found.generation, found.marks);
      reopened.file.sync();
      return reopened;
    } catch (IOException | RuntimeException | Error e) {
      reopened.file.close();
      throw e;
    }
  }

  /// Writes the marks; they are durable when it returns, and after a crash before that these or the
  /// ones before are found.
  void store(SortedMap<String, Long> marks) throws IOException {
    write(generation + 1, marks);
    file.sync();
    generation++;
  }

  /// As [#store], in one block and then in the other: what was there before is found no more,
  /// whichever block is damaged.
  void storeTwice(SortedMap<String, Long> marks) throws IOException {
    store(marks);
    store(marks);
  }

  private void write(long of, SortedMap<String, Long> marks) throws IOException {
    try (NativeBuffer buffer = new NativeBuffer(BLOCK_BYTES)) {
      ByteBuffer block = buffer.view().order(ByteOrder.LITTLE_ENDIAN);
      block.position(HEADER_BYTES);
      for (Map.Entry<String, Long> mark : marks.entrySet()) {
        byte[] name = mark.getKey().getBytes(StandardCharsets.UTF_8);
        block.putLong(mark.getValue()).putShort((short) name.length).put(name);
      }
      int length = block.position() + CRC_BYTES;
      block.putLong(0, MAGIC).putInt(8, VERSION).putInt(12, length);
      block.putLong(16, of).putInt(24, marks.size());
      block.putInt(length - CRC_BYTES, crc(block, length - CRC_BYTES));
      MemorySegment bytes = buffer.bytes().asSlice(0, length);
      file.write(bytes, of % 2 * BLOCK_BYTES);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
