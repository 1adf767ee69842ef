package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The hold of one owner on a directory: a lock of the operating system on the file `LOCK`, which
/// ends with the process, and an entry in this process's own list.
///
/// The list is needed because the system's locks belong to the process: a second owner in it would
/// get the same lock, and by closing any handle on the file would drop the first one's. So the list
/// is asked before the file is touched. It names directories by their identity in the file system,
/// not by path: an alias is the same directory.
final class DirectoryLock implements Storage.Ownership {
  private static final String FILE = "LOCK";

  /// Of the whole process, as the locks are.
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Object key;
  private final FileChannel channel;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DirectoryLock(Object key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  static DirectoryLock take(Path directory) throws IOException {
    Object identity = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    Object key = identity != null ? identity : directory.toRealPath();
    if (!HELD.add(key)) {
      throw new StorageLockedException(
          directory + " is open in this process already: close that log first");
    }
    try {
      return new DirectoryLock(key, lock(directory.resolve(FILE)));
    } catch (IOException | RuntimeException | Error e) {
      HELD.remove(key);
      throw e;
    }
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another copy of this class holds it. The channel stays open: to close it would drop the
      // other's lock.
      throw new StorageLockedException(
          file.getParent() + " is open in this process already: close that log first");
    }
    if (lock == null) {
      String owner = read(channel);
      channel.close();
      throw new StorageLockedException(
          "%s is in use by another process%s: stop it first, or choose another directory"
              .formatted(file.getParent(), owner.isEmpty() ? "" : " (" + owner + ")"));
    }
    channel.truncate(0);
    channel.write(
        ByteBuffer.wrap(("pid " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
    return channel;
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(64);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try {
        channel.close();
      } finally {
        HELD.remove(key);
      }
    }
  }
}
