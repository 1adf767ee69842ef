package dev.tidemark.log;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/// A file reached through the JDK's own classes, where native access is not allowed or the system
/// is not Linux.
///
/// An interrupt of a thread inside a `FileChannel` operation closes the channel for everyone. So
/// only the log's own thread writes, which nobody interrupts; readers use a `RandomAccessFile`,
/// which knows no interrupts, one at a time.
final class ChannelFile implements StorageFile {
  /// The most that a read of a `RandomAccessFile` takes without allocating and freeing memory
  /// outside of the heap, which would cost more than the calls it saves.
  private static final int PIECE_BYTES = 8192;

  private final FileChannel channel;
  private final RandomAccessFile reading;
  private final ReentrantLock readLock = new ReentrantLock();

  private ChannelFile(FileChannel channel, RandomAccessFile reading) {
    this.channel = channel;
    this.reading = reading;
  }

  static ChannelFile open(Path path, OpenOption... more) throws IOException {
    OpenOption[] options = new OpenOption[more.length + 1];
    options[0] = StandardOpenOption.WRITE;
    System.arraycopy(more, 0, options, 1, more.length);
    return of(path, FileChannel.open(path, options));
  }

  /// Opens a file that is not to be written.
  static ChannelFile openForReading(Path path) throws IOException {
    return of(path, FileChannel.open(path, StandardOpenOption.READ));
  }

  private static ChannelFile of(Path path, FileChannel channel) throws IOException {
    try {
      return new ChannelFile(channel, new RandomAccessFile(path.toFile(), "r"));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void write(MemorySegment source, long offset) throws IOException {
    ByteBuffer bytes = source.asByteBuffer();
    while (bytes.hasRemaining()) {
      channel.write(bytes, offset + bytes.position());
    }
  }

  @Override
  public long read(MemorySegment target, long offset) throws IOException {
    long size = target.byteSize();
    byte[] piece = new byte[(int) Math.min(size, PIECE_BYTES)];
    long done = 0;
    readLock.lock();
    try {
      reading.seek(offset);
      while (done < size) {
        int n = reading.read(piece, 0, (int) Math.min(size - done, piece.length));
        if (n < 0) {
          break;
        }
        MemorySegment.copy(piece, 0, target, ValueLayout.JAVA_BYTE, done, n);
        done += n;
      }
    } finally {
      readLock.unlock();
    }
    return done;
  }

  @Override
  public void sync() throws IOException {
    channel.force(false);
  }

  @Override
  public long size() throws IOException {
    readLock.lock();
    try {
      return reading.length();
    } finally {
      readLock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    try (reading) {
      channel.close();
    }
  }
}
