package dev.tidemark.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;

/// RocksDB's native code. Its loader unpacks it to a temporary file that is deleted when the
/// process ends in order, which leaves 15 MB behind each kill. Here the file goes as soon as it is
/// loaded.
final class RocksLibrary {
  private RocksLibrary() {}

  /// Loads the native code, unless it is there.
  static void load() throws IOException {
    Path directory = Files.createTempDirectory("tidemark");
    try {
      NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
    } finally {
      deleteQuietly(directory);
    }
  }

  /// Where a loaded file cannot be deleted (Windows) it stays until the process ends.
  private static void deleteQuietly(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      directory.toFile().deleteOnExit();
    }
  }
}
