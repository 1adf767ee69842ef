package dev.tidemark.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which directory of its file system a directory is, as far as that can be told for years:
/// renaming it changes nothing, a copy of it has another one. The device's number is no part of it,
/// for it may be another after a restart of the system.
///
/// @param inode its number
/// @param bornNanos when it was made, nanoseconds since 1970; 0 where the file system does not say
record DirectoryIdentity(long inode, long bornNanos) {
  private static final Pattern TEXT = Pattern.compile("directory inode (-?\\d+) born (-?\\d+)");

  /// The identity of a directory; null where the file system has no inodes.
  static @Nullable DirectoryIdentity of(Path directory) throws IOException {
    Map<String, Object> attributes;
    try {
      attributes = Files.readAttributes(directory, "unix:ino,creationTime,lastModifiedTime");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
    // Where it is not known when a file was made, the JDK says when it was changed.
    boolean known =
        attributes.get("creationTime") instanceof FileTime born
            && !born.equals(attributes.get("lastModifiedTime"));
    return attributes.get("ino") instanceof Long inode
        ? new DirectoryIdentity(inode, known ? nanos(attributes.get("creationTime")) : 0)
        : null;
  }

  private static long nanos(@Nullable Object time) {
    return time instanceof FileTime fileTime ? fileTime.to(TimeUnit.NANOSECONDS) : 0;
  }

  /// The identity that a text names; null if it names none.
  static @Nullable DirectoryIdentity parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    try {
      return matcher.find()
          ? new DirectoryIdentity(
              Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  String text() {
    return "directory inode " + inode + " born " + bornNanos;
  }

  /// Whether both are the same directory. Where both say when it was made, that decides: numbers of
  /// inodes are given again, and some file systems do not keep them.
  boolean isSameDirectory(DirectoryIdentity other) {
    return (bornNanos != 0 && other.bornNanos != 0)
        ? bornNanos == other.bornNanos
        : inode == other.inode;
  }
}
