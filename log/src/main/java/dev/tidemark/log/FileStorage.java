package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A directory of the file system.
final class FileStorage implements Storage {
  private final Path directory;
  private final boolean nativeAccess;

  private FileStorage(Path directory, boolean nativeAccess) {
    this.directory = directory;
    this.nativeAccess = nativeAccess;
  }

  /// The directory, which is created with its parents where it is missing, durably.
  static FileStorage at(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    createDurably(absolute);
    return new FileStorage(absolute.toRealPath(), nativeAccessPossible());
  }

  /// A directory that is there already, to be read.
  ///
  /// @throws java.nio.file.NotDirectoryException if it is no directory
  static FileStorage existing(Path directory) throws IOException {
    Path real = directory.toRealPath();
    if (!Files.isDirectory(real)) {
      throw new NotDirectoryException(directory.toString());
    }
    return new FileStorage(real, nativeAccessPossible());
  }

  /// As [#at], by the JDK's file classes alone.
  static FileStorage withoutNativeAccess(Path directory) throws IOException {
    createDurably(directory.toAbsolutePath());
    return new FileStorage(directory.toRealPath(), false);
  }

  private static void createDurably(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (Files.isDirectory(directory) || parent == null) {
      return;
    }
    createDurably(parent);
    Files.createDirectories(directory);
    sync(parent);
  }

  /// The calls' numbers are those of 64-bit Linux.
  private static boolean nativeAccessPossible() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String architecture = System.getProperty("os.arch", "");
    return system.equals("linux")
        && (architecture.equals("amd64") || architecture.equals("aarch64"))
        && FileStorage.class.getModule().isNativeAccessEnabled();
  }

  @Override
  public String name() {
    return directory.toString();
  }

  @Override
  public boolean interruptSafe() {
    return nativeAccess;
  }

  @Override
  public boolean copied() throws IOException {
    return DirectoryLock.looksCopied(directory);
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).toList();
    }
  }

  @Override
  public StorageFile open(String name) throws IOException {
    Path path = directory.resolve(name);
    return nativeAccess ? NativeFile.open(path.toString()) : ChannelFile.open(path);
  }

  @Override
  public StorageFile openForReading(String name) throws IOException {
    Path path = directory.resolve(name);
    return nativeAccess
        ? NativeFile.openForReading(path.toString())
        : ChannelFile.openForReading(path);
  }

  @Override
  public StorageFile create(String name) throws IOException {
    Path path = directory.resolve(name);
    return nativeAccess
        ? NativeFile.create(path.toString())
        : ChannelFile.open(path, StandardOpenOption.CREATE_NEW);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    // Atomic moves replace what is there, on every system that has them.
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public void syncDirectory() throws IOException {
    if (nativeAccess) {
      PosixCalls.syncDirectory(directory.toString());
    } else {
      sync(directory);
    }
  }

  /// An interrupt closes the channel, which is of this call alone; it must not turn a sync into an
  /// error, so the sync is begun anew and the interrupt kept for later.
  private static void sync(Path directory) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Ownership lock() throws IOException {
    return DirectoryLock.take(directory);
  }
}
