package dev.tidemark.bench;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A [RawFile] through a `FileChannel`.
final class ChannelFile implements RawFile {
  private final FileChannel channel;
  private final ByteBuffer block;

  ChannelFile(Path file, MemorySegment block) throws IOException {
    this.channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.block = block.asByteBuffer();
  }

  @Override
  public void write(int bytes, long offset) throws IOException {
    block.clear().limit(bytes);
    while (block.hasRemaining()) {
      channel.write(block, offset + block.position());
    }
  }

  @Override
  public void read(int bytes, long offset) throws IOException {
    block.clear().limit(bytes);
    while (block.hasRemaining()) {
      if (channel.read(block, offset + block.position()) < 0) {
        throw new IOException("the file ends before " + (offset + bytes));
      }
    }
  }

  @Override
  public void sync() throws IOException {
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
