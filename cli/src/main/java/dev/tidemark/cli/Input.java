package dev.tidemark.cli;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/// A file to load, or standard input, unpacked where its first bytes say gzip or zstd. A UTF-8 byte
/// order mark is dropped. One thread reads; others may ask how far it is.
final class Input implements AutoCloseable {
  private static final int BUFFER_BYTES = 128 << 10;

  /// No file of a known size.
  static final long SIZE_UNKNOWN = -1;

  private final Counted raw;
  private final BufferedInputStream text;
  private final long size;

  private Input(Counted raw, BufferedInputStream text, long size) {
    this.raw = raw;
    this.text = text;
    this.size = size;
  }

  /// Opens `file`, `-` for `stdin`.
  static Input open(String file, InputStream stdin) {
    try {
      if (file.equals("-")) {
        return of(stdin, SIZE_UNKNOWN);
      }
      Path path = Path.of(file);
      if (Files.isDirectory(path)) {
        throw new UserError(file + " is a folder: name a file, or - for standard input.");
      }
      return of(Files.newInputStream(path), Files.isRegularFile(path) ? Files.size(path) : -1);
    } catch (java.nio.file.NoSuchFileException e) {
      throw new UserError("There is no file " + file + ".", e);
    } catch (java.nio.file.AccessDeniedException e) {
      throw new UserError("The file " + file + " can't be read: permission denied.", e);
    } catch (EOFException e) {
      throw new UserError("The file " + file + " is cut: its compressed data ends early.", e);
    } catch (IOException e) {
      throw new UserError("The file " + file + " can't be read: " + e.getMessage(), e);
    }
  }

  private static Input of(InputStream in, long size) throws IOException {
    var raw = new Counted(in);
    var packed = new BufferedInputStream(raw, BUFFER_BYTES);
    byte[] magic = peek(packed, 4);
    InputStream plain =
        switch (magic.length < 4 ? 0 : (magic[0] & 0xff) << 8 | (magic[1] & 0xff)) {
          case 0x1f8b -> new GZIPInputStream(packed, BUFFER_BYTES);
          case 0x28b5 ->
              magic[2] == 0x2f && magic[3] == (byte) 0xfd ? new ZstdInputStream(packed) : packed;
          default -> packed;
        };
    var text = new BufferedInputStream(plain, BUFFER_BYTES);
    dropByteOrderMark(text);
    return new Input(raw, text, size);
  }

  private static void dropByteOrderMark(BufferedInputStream text) throws IOException {
    byte[] head = peek(text, 3);
    if (Arrays.equals(head, new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf})) {
      text.skipNBytes(3);
    } else if (head.length >= 2
        && ((head[0] == (byte) 0xfe && head[1] == (byte) 0xff)
            || (head[0] == (byte) 0xff && head[1] == (byte) 0xfe))) {
      throw new UserError("The file is UTF-16: convert it first (iconv -f UTF-16 -t UTF-8).");
    }
  }

  private static byte[] peek(BufferedInputStream in, int count) throws IOException {
    in.mark(count);
    byte[] head = in.readNBytes(count);
    in.reset();
    return head;
  }

  /// The text.
  BufferedInputStream text() {
    return text;
  }

  /// Bytes of the file read so far, before unpacking.
  long position() {
    return raw.count.get();
  }

  /// The file's bytes, or [#SIZE_UNKNOWN].
  long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }

  private static final class Counted extends FilterInputStream {
    private final AtomicLong count = new AtomicLong();

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      advance(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      advance(Math.max(0, read));
      return read;
    }

    private void advance(int bytes) {
      count.addAndGet(bytes);
    }
  }
}
