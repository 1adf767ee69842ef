package dev.tidemark.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The file system that a directory lies on.
///
/// @param type as the system names it: `ext4`, `tmpfs`
/// @param device where its bytes go
/// @param number of the device, as the kernel writes it: `254:0`; of a file system without a block
///   device a number that no disk has
/// @param upper of an overlay, the directory that takes the writes, if the system says so
record FileSystemFacts(String type, String device, String number, @Nullable Path upper) {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Path DISKS = Path.of("/proc/diskstats");
  private static final long SECTOR_BYTES = 512;
  private static final int WRITES = 7;
  private static final int SECTORS_WRITTEN = 9;
  private static final List<String> IN_MEMORY = List.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");

  /// The facts of an existing directory.
  static FileSystemFacts of(Path directory) throws IOException {
    Path real = directory.toRealPath();
    if (Files.isReadable(MOUNTS)) {
      return parse(Files.readString(MOUNTS, StandardCharsets.UTF_8), real);
    }
    FileStore store = Files.getFileStore(real);
    return new FileSystemFacts(store.type(), store.name(), "", null);
  }

  /// Finds the mount of `real` in a text of the form of Linux's `mountinfo`: the longest mount
  /// point that leads to it, and of several at one place the last, which hides the others.
  static FileSystemFacts parse(String mounts, Path real) throws IOException {
    @Nullable FileSystemFacts found = null;
    int depth = -1;
    for (String line : mounts.lines().toList()) {
      List<String> fields = List.of(line.split(" ", -1));
      int dash = fields.indexOf("-");
      if (dash < 6 || fields.size() < dash + 4) {
        continue;
      }
      Path point = Path.of(unescaped(fields.get(4)));
      if (real.startsWith(point) && point.getNameCount() >= depth) {
        depth = point.getNameCount();
        found =
            new FileSystemFacts(
                fields.get(dash + 1),
                unescaped(fields.get(dash + 2)),
                fields.get(2),
                upperOf(fields.get(dash + 3)));
      }
    }
    if (found == null) {
      throw new IOException("no mount leads to " + real);
    }
    return found;
  }

  /// Whether a power failure takes everything along, so that a sync there costs and proves nothing.
  boolean inMemory() throws IOException {
    if (IN_MEMORY.contains(type)) {
      return true;
    }
    // What an overlay in a container writes to may lie outside of what the container sees.
    return upper != null && Files.isDirectory(upper) && of(upper).inMemory();
  }

  /// How many bytes the device has taken since the machine started, whoever wrote them; empty if
  /// the kernel does not count them. This is what really went to the disk: the count of a process
  /// takes a whole folio, up to some hundred KiB, for each small write into it.
  OptionalLong bytesTaken() throws IOException {
    return Files.isReadable(DISKS)
        ? bytesTaken(Files.readString(DISKS, StandardCharsets.UTF_8))
        : OptionalLong.empty();
  }

  /// As [#bytesTaken()], from a text of the form of Linux's `diskstats`.
  OptionalLong bytesTaken(String disks) {
    OptionalLong sectors = field(disks, SECTORS_WRITTEN);
    return sectors.isEmpty() ? sectors : OptionalLong.of(SECTOR_BYTES * sectors.getAsLong());
  }

  /// How many write requests the device has taken since the machine started; empty if the kernel
  /// does not count them.
  OptionalLong writesTaken() throws IOException {
    return Files.isReadable(DISKS)
        ? writesTaken(Files.readString(DISKS, StandardCharsets.UTF_8))
        : OptionalLong.empty();
  }

  /// As [#writesTaken()], from a text of the form of Linux's `diskstats`.
  OptionalLong writesTaken(String disks) {
    return field(disks, WRITES);
  }

  private OptionalLong field(String disks, int index) {
    return disks
        .lines()
        .map(line -> line.strip().split(" +"))
        .filter(fields -> fields.length > index && number.equals(fields[0] + ":" + fields[1]))
        .mapToLong(fields -> Long.parseLong(fields[index]))
        .findFirst();
  }

  private static @Nullable Path upperOf(String options) {
    for (String option : options.split(",", -1)) {
      if (option.startsWith("upperdir=")) {
        return Path.of(unescaped(option.substring("upperdir=".length())));
      }
    }
    return null;
  }

  /// The kernel writes a space, a tab, a newline and a backslash as three octal digits.
  private static String unescaped(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
