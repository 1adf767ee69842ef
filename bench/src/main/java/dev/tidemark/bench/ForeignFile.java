package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;

/// A [RawFile] through the C library: nothing stands between the loop and the system call.
///
/// An error says which call failed, not why: to keep `errno` would cost the loop time, and the loop
/// is what others are measured against.
final class ForeignFile implements RawFile {
  private static final int READ_WRITE = 2;

  private final Path file;
  private final MemorySegment block;
  private final int descriptor;

  ForeignFile(Path file, MemorySegment block) throws IOException {
    this.file = file;
    this.block = block;
    try (Arena arena = Arena.ofConfined()) {
      this.descriptor =
          (int) Calls.OPEN.invokeExact(arena.allocateFrom(file.toString()), READ_WRITE);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (descriptor < 0) {
      throw new IOException("open failed: " + file);
    }
  }

  /// Sets blocks aside for an existing file, whose length becomes this.
  static void setAside(Path file, long bytes) throws IOException {
    int result;
    try (ForeignFile opened = new ForeignFile(file, MemorySegment.NULL)) {
      result = (int) Calls.FALLOCATE.invokeExact(opened.descriptor, 0, 0L, bytes);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (result != 0) {
      throw new IOException("fallocate of " + bytes + " bytes failed: " + file);
    }
  }

  /// Whether this system has the calls.
  static boolean available() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux");
  }

  @Override
  public void write(int bytes, long offset) throws IOException {
    long written;
    try {
      written = (long) Calls.PWRITE.invokeExact(descriptor, block, (long) bytes, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    whole("pwrite", bytes, written, offset);
  }

  @Override
  public void read(int bytes, long offset) throws IOException {
    long read;
    try {
      read = (long) Calls.PREAD.invokeExact(descriptor, block, (long) bytes, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    whole("pread", bytes, read, offset);
  }

  @Override
  public void sync() throws IOException {
    int result;
    try {
      result = (int) Calls.FDATASYNC.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (result != 0) {
      throw new IOException("fdatasync failed: " + file);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      int ignored = (int) Calls.CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private void whole(String call, int wanted, long done, long offset) throws IOException {
    if (done != wanted) {
      throw new IOException(
          call + " did " + done + " of " + wanted + " bytes at " + offset + " of " + file);
    }
  }

  private static IOException unexpected(Throwable e) {
    return new IOException("a call of the C library could not be made", e);
  }

  /// The calls, linked once, when the first file is opened.
  private static final class Calls {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    static final MethodHandle OPEN =
        link(
            "open",
            FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT),
            Linker.Option.firstVariadicArg(2));
    static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(INT, INT));
    static final MethodHandle PWRITE = link("pwrite", transfer());
    static final MethodHandle PREAD = link("pread", transfer());
    static final MethodHandle FDATASYNC = link("fdatasync", FunctionDescriptor.of(INT, INT));

    static final MethodHandle FALLOCATE =
        link("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG));

    private static FunctionDescriptor transfer() {
      MemoryLayout address = ValueLayout.ADDRESS;
      return FunctionDescriptor.of(LONG, INT, address, LONG, LONG);
    }

    @SuppressWarnings("restricted") // native calls are what this loop is for
    private static MethodHandle link(
        String name, FunctionDescriptor type, Linker.Option... options) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }
  }
}
