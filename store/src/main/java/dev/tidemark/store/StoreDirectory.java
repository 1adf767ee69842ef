package dev.tidemark.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The layout of a store's directory: `STORE`, one line that names the format of the whole, `log/`
/// and `kv/`. The file comes first and never changes, so that an older version refuses what a newer
/// one has written before it touches anything.
final class StoreDirectory {
  private static final int FORMAT = 1;
  private static final String FILE = "STORE";
  private static final Pattern LINE = Pattern.compile("tidemark store, format (\\d{1,9})\n");

  private final Path directory;

  private StoreDirectory(Path directory) {
    this.directory = directory;
  }

  /// Checks the directory, or makes one.
  ///
  /// @throws StoreUnusableException if it is of another format, or no store's
  static StoreDirectory at(Path directory) {
    StoreDirectory store = new StoreDirectory(directory.toAbsolutePath());
    try {
      Path file = store.directory.resolve(FILE);
      if (Files.exists(file)) {
        store.check(Files.readString(file, StandardCharsets.ISO_8859_1));
      } else {
        store.create(file);
      }
    } catch (IOException e) {
      throw new StoreUnusableException(
          "the data directory %s cannot be used: %s".formatted(directory, e), e);
    }
    return store;
  }

  private void check(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      throw new StoreUnusableException(
          "%s does not begin like a store's: nothing was changed; put the file back from a copy"
              .formatted(directory.resolve(FILE)),
          null);
    }
    int format = Integer.parseInt(line.group(1));
    if (format != FORMAT) {
      throw new StoreUnusableException(
          "the data directory %s has format %d, and this version of Tidemark reads format %d: nothing was changed; use the version that wrote it"
              .formatted(directory, format, FORMAT),
          null);
    }
  }

  private void create(Path file) throws IOException {
    if (!hasNoLog() || !hasNoKeyValueSide()) {
      throw new StoreUnusableException(
          "the data directory %s holds [log] or [kv] but no file [%s]: nothing was changed; put the file back from a copy, or use another directory"
              .formatted(directory, FILE),
          null);
    }
    createDurably(directory);
    Path draft = directory.resolve(FILE + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      String line = "tidemark store, format " + FORMAT + "\n";
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    sync(directory);
  }

  /// Creates the directory of the key-value side where it is missing. A power failure must not take
  /// the directory's name when the log below its watermark is gone. (The log sees to its own.)
  ///
  /// @throws StoreUnusableException if that failed
  void createKeyValueSide() {
    try {
      createDurably(keyValue());
    } catch (IOException e) {
      throw new StoreUnusableException("%s cannot be created: %s".formatted(keyValue(), e), e);
    }
  }

  private static void createDurably(Path path) throws IOException {
    Path parent = path.getParent();
    if (Files.isDirectory(path) || parent == null) {
      return;
    }
    createDurably(parent);
    Files.createDirectories(path);
    sync(parent);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel entries = FileChannel.open(path, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  Path log() {
    return directory.resolve("log");
  }

  Path keyValue() {
    return directory.resolve("kv");
  }

  /// Whether the log's directory is missing or empty.
  boolean hasNoLog() {
    return isMissingOrEmpty(log());
  }

  /// Whether the key-value side's directory is missing or empty.
  boolean hasNoKeyValueSide() {
    return isMissingOrEmpty(keyValue());
  }

  private static boolean isMissingOrEmpty(Path path) {
    if (!Files.exists(path)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      throw new StoreUnusableException("%s cannot be read: %s".formatted(path, e), e);
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
