package dev.tidemark.log;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;

/// The system calls of Linux that the log makes by the foreign-function API: as fast as
/// `FileChannel`'s, and nothing closes the file when the calling thread is interrupted. Used only
/// where native access is allowed.
///
/// Each call takes the segment in which its error number is captured; one is needed per call at a
/// time.
@SuppressWarnings("restricted") // the module asks whether it may before it comes here
final class PosixCalls {
  /// Flags of open(2) on Linux, those that are the same on x86-64 and ARM.
  static final int O_RDONLY = 0;

  static final int O_RDWR = 2;
  static final int O_CREAT = 0100;
  static final int O_EXCL = 0200;
  static final int O_CLOEXEC = 02000000;

  /// The owner reads and writes, the group reads.
  private static final int MODE = 0640;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final int ENOENT = 2;
  private static final int EINTR = 4;

  private static final MethodHandle OPEN =
      handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), 2);
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), -1);
  private static final MethodHandle PWRITE =
      handle(
          "pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG), -1);
  private static final MethodHandle PREAD =
      handle(
          "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG), -1);
  private static final MethodHandle FDATASYNC =
      handle("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT), -1);
  private static final MethodHandle FSYNC =
      handle("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT), -1);
  private static final MethodHandle LSEEK =
      handle("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), -1);
  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
          -1);
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG), -1);
  private static final MethodHandle STRERROR =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strerror"),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));
  private static final int SEEK_END = 2;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final long MAP_FAILED = -1;

  private PosixCalls() {}

  private static MethodHandle handle(String name, FunctionDescriptor type, int firstVariadic) {
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().findOrThrow(name);
    Linker.Option errno = Linker.Option.captureCallState("errno");
    return firstVariadic < 0
        ? linker.downcallHandle(address, type, errno)
        : linker.downcallHandle(
            address, type, errno, Linker.Option.firstVariadicArg(firstVariadic));
  }

  /// Memory for the error number of one call at a time.
  static MemorySegment newState(Arena arena) {
    return arena.allocate(STATE);
  }

  static int open(String path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = newState(arena);
      int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags | O_CLOEXEC, MODE);
      if (fd < 0 && errno(state) == ENOENT) {
        throw new NoSuchFileException(path);
      }
      if (fd < 0) {
        throw failed("opening " + path, state);
      }
      return fd;
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static void close(int fd, MemorySegment state) throws IOException {
    try {
      if ((int) CLOSE.invokeExact(state, fd) < 0) {
        throw failed("closing", state);
      }
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /// Writes all of `source`.
  static void pwrite(int fd, MemorySegment source, long offset, MemorySegment state)
      throws IOException {
    try {
      long size = source.byteSize();
      long done = 0;
      while (done < size) {
        MemorySegment rest = done == 0 ? source : source.asSlice(done);
        long n = (long) PWRITE.invokeExact(state, fd, rest, size - done, offset + done);
        if (n >= 0) {
          done += n;
        } else if (errno(state) != EINTR) {
          throw failed("writing " + size + " bytes at " + offset, state);
        }
      }
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /// Reads until `target` is full or the file ends.
  static long pread(int fd, MemorySegment target, long offset, MemorySegment state)
      throws IOException {
    try {
      long size = target.byteSize();
      long done = 0;
      while (done < size) {
        MemorySegment rest = done == 0 ? target : target.asSlice(done);
        long n = (long) PREAD.invokeExact(state, fd, rest, size - done, offset + done);
        if (n > 0) {
          done += n;
        } else if (n == 0) {
          return done;
        } else if (errno(state) != EINTR) {
          throw failed("reading " + size + " bytes at " + offset, state);
        }
      }
      return done;
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /// One call, whatever it answers: a sync that failed is not to be tried again.
  static void fdatasync(int fd, MemorySegment state) throws IOException {
    try {
      if ((int) FDATASYNC.invokeExact(state, fd) < 0) {
        throw failed("syncing", state);
      }
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /// Makes a directory's entries durable.
  static void syncDirectory(String path) throws IOException {
    int fd = open(path, O_RDONLY);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = newState(arena);
      try {
        if ((int) FSYNC.invokeExact(state, fd) < 0) {
          throw failed("syncing the directory " + path, state);
        }
      } finally {
        close(fd, state);
      }
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static long size(int fd, MemorySegment state) throws IOException {
    try {
      long size = (long) LSEEK.invokeExact(state, fd, 0L, SEEK_END);
      if (size < 0) {
        throw failed("asking for the size", state);
      }
      return size;
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /// Maps the first bytes of a file for reading, until the arena is closed. The system lets a
  /// mapping reach beyond the end of the file.
  static MemorySegment map(int fd, long bytes, Arena arena) throws IOException {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = newState(call);
      MemorySegment address =
          (MemorySegment)
              MMAP.invokeExact(state, MemorySegment.NULL, bytes, PROT_READ, MAP_SHARED, fd, 0L);
      if (address.address() == MAP_FAILED) {
        throw failed("mapping " + bytes + " bytes", state);
      }
      return address.reinterpret(bytes, arena, PosixCalls::unmap).asReadOnly();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static void unmap(MemorySegment mapping) {
    try (Arena call = Arena.ofConfined()) {
      int result = (int) MUNMAP.invokeExact(newState(call), mapping, mapping.byteSize());
      assert result == 0 : "a mapping of ours can always be undone";
    } catch (Throwable t) {
      throw new IllegalStateException("unmapping failed", t);
    }
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  private static IOException failed(String what, MemorySegment state) throws Throwable {
    int errno = errno(state);
    MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
    return new IOException(
        what + " failed: " + text.reinterpret(256).getString(0) + " (errno " + errno + ")");
  }

  /// A handle's call may throw anything by its type; these calls throw only what is thrown here.
  private static IOException rethrow(Throwable t) {
    if (t instanceof IOException e) {
      return e;
    }
    if (t instanceof RuntimeException e) {
      throw e;
    }
    if (t instanceof Error e) {
      throw e;
    }
    throw new AssertionError(t);
  }
}
