package dev.tidemark.cli;

import dev.tidemark.log.RecordView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/// Records as lines of JSON, gathered and written a block at a time. Used by one thread.
final class RecordLines {
  private static final int BLOCK_BYTES = 64 << 10;

  private final Payload payload;
  private final OutputStream out;
  private final ByteArrayOutputStream block = new ByteArrayOutputStream(BLOCK_BYTES);

  /// @param out may throw what an [IOException] means to its owner
  RecordLines(Payload payload, OutputStream out) {
    this.payload = payload;
    this.out = out;
  }

  /// Lines to standard output.
  static RecordLines to(Streams streams, Payload payload) {
    return new RecordLines(
        payload,
        new OutputStream() {
          @Override
          public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            streams.write(Arrays.copyOfRange(bytes, from, from + length), length);
          }
        });
  }

  void add(RecordView record) throws IOException {
    String line =
        "{\"lsn\":%d,\"position\":{\"segment\":%d,\"offset\":%d},\"time\":\"%s\",\"size\":%d%s}\n"
            .formatted(
                record.lsn(),
                record.position().segment(),
                record.position().offset(),
                Instant.ofEpochMilli(record.timeMs()),
                record.length(),
                payload == Payload.none ? "" : payload.field(record.toBytes()));
    block.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    if (block.size() >= BLOCK_BYTES) {
      flush();
    }
  }

  void flush() throws IOException {
    if (block.size() > 0) {
      block.writeTo(out);
      block.reset();
    }
  }
}
