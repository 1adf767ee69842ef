package dev.tidemark.log.testkit;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The bytes of one file, whatever it is called: as processes see them (live), as the medium surely
/// has them (durable), and for each sector in doubt all contents that may be on the medium.
///
/// A sector is in doubt from its first write until a sync that began after its last write succeeds.
/// The system may have written it back at any time in between, so that the medium has the durable
/// content or the one after any of the writes. Sizes only grow and are in doubt alike. A sector
/// that a failed sync was to write counts as clean from then on, as the kernel has it: no later
/// sync takes the doubt away, only a new write and its sync.
///
/// Guarded by the storage that owns it.
final class CrashFile {
  private static final int SECTOR = 512;
  private static final int SIZE_MAX = 1 << 30;

  private byte[] live = {};
  private byte[] durable = {};
  private final SortedMap<Integer, Sector> doubtful = new TreeMap<>();
  private final List<Size> sizes = new ArrayList<>(List.of(new Size(0, 0)));
  private long writeNumber;

  /// A file whose bytes are all durable.
  static CrashFile ofDurable(byte[] bytes) {
    CrashFile file = new CrashFile();
    file.live = bytes.clone();
    file.durable = bytes.clone();
    file.sizes.set(0, new Size(0, bytes.length));
    return file;
  }

  int size() {
    return sizes.getLast().bytes;
  }

  byte[] bytes() {
    return Arrays.copyOf(live, size());
  }

  long read(MemorySegment target, long offset) {
    if (offset >= size()) {
      return 0;
    }
    long length = Math.min(target.byteSize(), size() - offset);
    MemorySegment.copy(MemorySegment.ofArray(live), offset, target, 0, length);
    return length;
  }

  void write(MemorySegment source, long offset) throws IOException {
    long end = offset + source.byteSize();
    if (end > SIZE_MAX) {
      throw new IOException("a write up to byte " + end + ": more than this storage holds");
    }
    if (source.byteSize() == 0) {
      return;
    }
    writeNumber++;
    live = grown(live, (int) end);
    MemorySegment.copy(source, 0, MemorySegment.ofArray(live), offset, source.byteSize());
    for (int i = (int) offset / SECTOR; i <= ((int) end - 1) / SECTOR; i++) {
      byte[] content = Arrays.copyOfRange(live, i * SECTOR, (i + 1) * SECTOR);
      doubtful.computeIfAbsent(i, k -> new Sector()).write(new Version(writeNumber, content));
    }
    if (end > size()) {
      sizes.add(new Size(writeNumber, (int) end));
    }
  }

  /// The last write that a sync that begins now covers.
  long beginSync() {
    return writeNumber;
  }

  /// Makes durable what had been written when the sync began.
  void endSync(long covered) {
    doubtful
        .entrySet()
        .removeIf(
            entry -> {
              byte[] content = entry.getValue().harden(covered);
              if (content.length > 0) {
                int at = entry.getKey() * SECTOR;
                durable = grown(durable, at + SECTOR);
                System.arraycopy(content, 0, durable, at, SECTOR);
              }
              return entry.getValue().versions.isEmpty();
            });
    while (sizes.size() > 1 && sizes.get(1).writeNumber <= covered) {
      sizes.removeFirst();
    }
  }

  /// Leaves what a sync was to cover in doubt, and clean.
  void failSync(long covered) {
    doubtful.values().forEach(sector -> sector.giveUp(covered));
  }

  /// What a power failure may leave.
  byte[] afterCrash(Fate fate) {
    fate.nextFile();
    int size = sizes.get(fate.choose(sizes.size())).bytes;
    byte[] left = Arrays.copyOf(durable, size);
    doubtful.forEach(
        (index, sector) -> {
          int at = index * SECTOR;
          if (at < size) {
            List<byte[]> contents = sector.contentsBut(durable, at);
            int chosen = fate.choose(1 + contents.size());
            if (chosen > 0) {
              System.arraycopy(contents.get(chosen - 1), 0, left, at, Math.min(SECTOR, size - at));
            }
          }
        });
    return left;
  }

  /// How many contents that may be, at the most.
  double fates() {
    double fates = sizes.size();
    for (Map.Entry<Integer, Sector> entry : doubtful.entrySet()) {
      fates *= 1 + entry.getValue().contentsBut(durable, entry.getKey() * SECTOR).size();
    }
    return fates;
  }

  CrashFile copy() {
    CrashFile copy = new CrashFile();
    copy.live = live.clone();
    copy.durable = durable.clone();
    copy.writeNumber = writeNumber;
    copy.sizes.clear();
    copy.sizes.addAll(sizes);
    doubtful.forEach((index, sector) -> copy.doubtful.put(index, sector.copy()));
    return copy;
  }

  private static byte[] grown(byte[] bytes, int size) {
    if (size <= bytes.length) {
      return bytes;
    }
    int sectors = (Math.max(size, (int) Math.min(SIZE_MAX, bytes.length * 2L)) - 1) / SECTOR + 1;
    return Arrays.copyOf(bytes, sectors * SECTOR);
  }

  /// A sector's content after one write.
  private static final class Version {
    private final long writeNumber;
    private final byte[] content;

    Version(long writeNumber, byte[] content) {
      this.writeNumber = writeNumber;
      this.content = content;
    }
  }

  private record Size(long writeNumber, int bytes) {}

  /// What may be on the medium in one sector's place, the durable content excepted.
  private static final class Sector {
    private static final byte[] NOTHING = {};
    private static final byte[] ZEROS = new byte[SECTOR];

    private final List<Version> versions = new ArrayList<>();
    private boolean dirty;

    void write(Version version) {
      versions.add(version);
      dirty = true;
    }

    /// The content that a sync makes durable; empty if it leaves this sector alone.
    byte[] harden(long covered) {
      byte[] content = NOTHING;
      while (dirty && !versions.isEmpty() && versions.getFirst().writeNumber <= covered) {
        content = versions.removeFirst().content;
      }
      return content;
    }

    void giveUp(long covered) {
      if (versions.getLast().writeNumber <= covered) {
        dirty = false;
      }
    }

    /// What may be in its place besides the durable content, each once.
    List<byte[]> contentsBut(byte[] durable, int at) {
      byte[] before = at < durable.length ? Arrays.copyOfRange(durable, at, at + SECTOR) : ZEROS;
      List<byte[]> contents = new ArrayList<>();
      for (Version version : versions) {
        byte[] content = version.content;
        if (!Arrays.equals(content, before)
            && contents.stream().noneMatch(other -> Arrays.equals(content, other))) {
          contents.add(content);
        }
      }
      return contents;
    }

    Sector copy() {
      Sector copy = new Sector();
      copy.versions.addAll(versions);
      copy.dirty = dirty;
      return copy;
    }
  }
}
