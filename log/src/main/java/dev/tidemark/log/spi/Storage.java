package dev.tidemark.log.spi;

import java.io.IOException;
import java.util.List;

/// One directory of files, as the log needs it: the seam between the log and the file system.
///
/// File names are plain (no separators). An operation that changes the directory ([#create],
/// [#rename], [#replace], [#delete]) survives a power failure only after [#syncDirectory] has
/// returned. Methods may be called from several threads at once.
public interface Storage {
  /// What people read in messages: the directory's path.
  String name();

  /// Whether syncs and writes go straight to the operating system, or through `FileChannel`. Where
  /// this is false an interrupt of the calling thread may close a file, so that the log lets only a
  /// thread of its own write.
  boolean interruptSafe();

  /// As [Ownership#copied], for somebody who looks and takes no hold.
  default boolean copied() throws IOException {
    return false;
  }

  /// The names of all files, in no order.
  List<String> list() throws IOException;

  /// Opens an existing file for reading and writing.
  StorageFile open(String name) throws IOException;

  /// Opens an existing file for reading alone; the result may refuse to write.
  ///
  /// @throws java.nio.file.NoSuchFileException if there is none of that name
  default StorageFile openForReading(String name) throws IOException {
    return open(name);
  }

  /// Creates a file that must not exist, and opens it for reading and writing.
  StorageFile create(String name) throws IOException;

  /// Renames a file within the directory, atomically. `to` must not exist.
  void rename(String from, String to) throws IOException;

  /// Renames a file over another one of the directory, atomically: at every moment, and after a
  /// power failure, `to` is either the one file or the other. Handles that are open on the file
  /// that is replaced stay readable.
  void replace(String from, String to) throws IOException;

  /// Deletes a file. Handles that are open on it stay readable.
  void delete(String name) throws IOException;

  /// Makes the directory's entries durable.
  void syncDirectory() throws IOException;

  /// Takes the directory for this owner until the result is closed, or throws
  /// [StorageLockedException] at once if it has another owner, in this process or elsewhere.
  Ownership lock() throws IOException;

  /// The hold on a directory; closing it twice is harmless.
  interface Ownership extends AutoCloseable {
    /// Whether there is evidence that the files were copied here from another directory, whose log
    /// may have been written meanwhile: an earlier owner has left its directory's identity among
    /// them, and it is not this one's. Without evidence, false.
    default boolean copied() {
      return false;
    }

    /// Leaves this directory's identity among the files, durably, so that it counts as no copy from
    /// then on, and copies of it can be told. Costs nothing where it is there already.
    default void adopt() throws IOException {}

    @Override
    void close() throws IOException;
  }
}
