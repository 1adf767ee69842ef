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
///
/// The file also holds the directory's identity ([DirectoryIdentity]), which tells whoever opens a
/// copy of the directory that it is one. That line is never cut or moved, so that it is whole in
/// every copy of the file.
final class DirectoryLock implements Storage.Ownership {
  private static final String FILE = "LOCK";
  private static final int FILE_BYTES_MAX = 512;

  /// Of the whole process, as the locks are. Who opens a `LOCK` holds its monitor while that is not
  /// in the list: to close another handle of the file would drop the lock.
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Object key;
  private final FileChannel channel;
  private final @Nullable DirectoryIdentity here;
  private @Nullable DirectoryIdentity recorded;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DirectoryLock(Object key, FileChannel channel, @Nullable DirectoryIdentity here)
      throws IOException {
    this.key = key;
    this.channel = channel;
    this.here = here;
    this.recorded = DirectoryIdentity.parse(read(channel));
    write();
  }

  /// Whether the directory holds the files of another one. While it is open in this process it does
  /// not, and its file must not be touched.
  static boolean looksCopied(Path directory) throws IOException {
    Object key = key(directory);
    DirectoryIdentity here = DirectoryIdentity.of(directory);
    synchronized (HELD) {
      Path file = directory.resolve(FILE);
      if (here == null || HELD.contains(key) || !Files.exists(file)) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        DirectoryIdentity recorded = DirectoryIdentity.parse(read(channel));
        return recorded != null && !recorded.isSameDirectory(here);
      }
    }
  }

  private static Object key(Path directory) throws IOException {
    Object identity = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return identity != null ? identity : directory.toRealPath();
  }

  static DirectoryLock take(Path directory) throws IOException {
    Object key = key(directory);
    synchronized (HELD) {
      return take(directory, key);
    }
  }

  private static DirectoryLock take(Path directory, Object key) throws IOException {
    if (!HELD.add(key)) {
      throw new StorageLockedException(
          directory + " is open in this process already: close that log first");
    }
    try {
      FileChannel channel = lock(directory.resolve(FILE));
      try {
        return new DirectoryLock(key, channel, DirectoryIdentity.of(directory));
      } catch (IOException | RuntimeException | Error e) {
        channel.close();
        throw e;
      }
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
      String owner = owner(read(channel));
      channel.close();
      throw new StorageLockedException(
          "%s is in use by another process%s: stop it first, or choose another directory"
              .formatted(file.getParent(), owner.isEmpty() ? "" : " (" + owner + ")"));
    }
    return channel;
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES_MAX);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  private static String owner(String content) {
    return content
        .lines()
        .map(String::strip)
        .filter(l -> l.startsWith("pid "))
        .findFirst()
        .orElse("");
  }

  /// Writes both lines over what is there, at their full widths: nothing of an identity that is
  /// there already changes, not even for a moment.
  private void write() throws IOException {
    String content =
        "%-95s\n%-31s\n"
            .formatted(
                recorded == null ? "" : recorded.text(), "pid " + ProcessHandle.current().pid());
    channel.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), 0);
  }

  @Override
  public boolean copied() {
    return recorded != null && here != null && !recorded.isSameDirectory(here);
  }

  @Override
  public void adopt() throws IOException {
    if (here != null && !here.equals(recorded)) {
      recorded = here;
      write();
      channel.force(true);
    }
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
