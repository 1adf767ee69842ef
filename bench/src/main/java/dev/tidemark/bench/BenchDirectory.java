package dev.tidemark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A fresh folder for the files of one run, on a disk. Goes with everything in it when it is closed
/// or the process is asked to end, unless it is kept.
final class BenchDirectory implements AutoCloseable {
  private final Path path;
  private final FileSystemFacts fileSystem;
  private final Thread atExit;
  private boolean kept;

  private BenchDirectory(Path path, FileSystemFacts fileSystem) {
    this.path = path;
    this.fileSystem = fileSystem;
    this.atExit = new Thread(() -> delete(path), "bench-cleanup");
  }

  /// Makes the folder.
  ///
  /// @param parent where; null for the working directory
  /// @throws MemoryFileSystemException if that is no disk; nothing is left behind
  static BenchDirectory create(@Nullable Path parent) throws IOException {
    Path at = parent == null ? Path.of("").toAbsolutePath() : parent.toAbsolutePath();
    Files.createDirectories(at);
    FileSystemFacts facts = FileSystemFacts.of(at);
    if (facts.inMemory()) {
      throw new MemoryFileSystemException(at, facts);
    }
    BenchDirectory made =
        new BenchDirectory(Files.createTempDirectory(at, "tidemark-bench-"), facts);
    Runtime.getRuntime().addShutdownHook(made.atExit);
    return made;
  }

  Path path() {
    return path;
  }

  FileSystemFacts fileSystem() {
    return fileSystem;
  }

  /// Leaves the folder where it is, for somebody to look at.
  void keep() {
    kept = true;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    if (!kept) {
      delete(path);
    }
  }

  /// Deletes a folder and what is in it; what is gone already is no error.
  static void delete(Path folder) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
                throws IOException {
              Files.deleteIfExists(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + folder, e);
    }
  }

  /// The place given for a bench keeps its files in memory.
  static final class MemoryFileSystemException extends IOException {
    private static final long serialVersionUID = 1L;

    MemoryFileSystemException(Path place, FileSystemFacts facts) {
      super(
          place
              + " lies on "
              + facts.type()
              + ", which keeps files in memory: a data sync there costs nothing and proves nothing."
              + " Give a folder on a disk with --dir.");
    }
  }
}
