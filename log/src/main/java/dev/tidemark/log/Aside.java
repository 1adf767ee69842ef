package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a log cannot use and nobody may lose: kept in its directory under names that no log reads.
/// Used once, by the thread that opens the log. The directory is the caller's to sync.
final class Aside {
  private static final String SUFFIX = ".aside";
  private static final int BUFFER_BYTES = 1 << 20;

  private final Storage storage;
  private final Set<String> taken;
  private final List<String> names = new ArrayList<>();

  /// @param taken the names of all files; new ones are added
  Aside(Storage storage, Set<String> taken) {
    this.storage = storage;
    this.taken = taken;
  }

  /// Renames a whole file.
  void keepFile(String name) throws IOException {
    String kept = freeName(name);
    storage.rename(name, kept);
    names.add(kept);
  }

  /// Copies bytes of a file that goes on without them, and syncs the copy. The file's name says
  /// where they come from.
  void keepBytes(StorageFile file, String name, long from, long to) throws IOException {
    String kept = freeName(name + ".from-" + from);
    try (StorageFile copy = storage.create(kept);
        Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(BUFFER_BYTES, to - from), 4096);
      for (long at = from; at < to; ) {
        long read = file.read(buffer.asSlice(0, Math.min(buffer.byteSize(), to - at)), at);
        copy.write(buffer.asSlice(0, read), at - from);
        at += read;
      }
      copy.sync();
    }
    names.add(kept);
  }

  private String freeName(String name) {
    String free = name + SUFFIX;
    for (int n = 2; !taken.add(free); n++) {
      free = name + "." + n + SUFFIX;
    }
    return free;
  }

  /// The names under which something was kept.
  List<String> names() {
    return List.copyOf(names);
  }
}
