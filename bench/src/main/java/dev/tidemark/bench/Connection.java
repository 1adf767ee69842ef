package dev.tidemark.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// One kept-alive HTTP/1.1 connection with at most one request under way, as little work for the
/// processor as can be. It knows responses with a `Content-Length` only. Used by one thread.
final class Connection implements AutoCloseable {
  private static final byte[] LENGTH_NAME = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES_MIN = "HTTP/1.1 200\r\n\r\n".length();

  private final int number;
  private final SocketChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(4 << 10);
  private ByteBuffer in = ByteBuffer.allocateDirect(16 << 10);
  private long sentAt;
  private int scanned;
  private int bodyStart;
  private int bodyLength;

  private Connection(int number, SocketChannel channel) {
    this.number = number;
    this.channel = channel;
  }

  /// Connects; requests and responses do not block from then on.
  static Connection open(int number, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return new Connection(number, channel);
  }

  /// Its place among its like, from 0.
  int number() {
    return number;
  }

  SocketChannel channel() {
    return channel;
  }

  /// When the last request was sent, by `System.nanoTime`.
  long sentAt() {
    return sentAt;
  }

  /// An empty buffer for the next request.
  ByteBuffer request() {
    return out.clear();
  }

  /// Sends what was put into [#request].
  void send(long now) throws IOException {
    sentAt = now;
    in.clear();
    scanned = 0;
    bodyStart = 0;
    out.flip();
    // The socket's buffer is empty, as the last response is there: a request never waits.
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  /// Takes what has arrived; true if the response is whole.
  boolean receive() throws IOException {
    if (!in.hasRemaining()) {
      in = ByteBuffer.allocateDirect(in.capacity() * 2).put(in.flip());
    }
    if (channel.read(in) < 0) {
      throw new IOException("the server closed connection " + number + " instead of an answer");
    }
    if (bodyStart == 0 && !headIsWhole()) {
      return false;
    }
    int behind = in.position() - bodyStart - bodyLength;
    if (behind > 0) {
      throw new IOException("the server sent " + behind + " bytes more than its answer has");
    }
    return behind == 0;
  }

  /// The status of a whole response.
  int status() {
    return 100 * (in.get(9) - '0') + 10 * (in.get(10) - '0') + in.get(11) - '0';
  }

  /// The body of a whole response.
  String body() {
    byte[] body = new byte[bodyLength];
    in.get(bodyStart, body);
    return new String(body, StandardCharsets.UTF_8);
  }

  /// Goes on where the last look ended, so that no byte is looked at twice.
  private boolean headIsWhole() throws IOException {
    for (int i = Math.max(scanned, HEAD_BYTES_MIN - 1); i < in.position(); i++) {
      if (in.get(i) == '\n' && in.get(i - 2) == '\n') {
        bodyStart = i + 1;
        bodyLength = contentLength(i);
        return true;
      }
    }
    scanned = in.position();
    return false;
  }

  private int contentLength(int headEnd) throws IOException {
    for (int i = HEAD_BYTES_MIN - 4; i < headEnd; i++) {
      if (in.get(i) == '\n' && isLengthName(i + 1)) {
        int length = 0;
        for (int at = i + 1 + LENGTH_NAME.length; in.get(at) != '\r'; at++) {
          if (in.get(at) != ' ') {
            length = 10 * length + in.get(at) - '0';
          }
        }
        return length;
      }
    }
    byte[] head = new byte[headEnd];
    in.get(0, head);
    throw new IOException(
        "an answer without Content-Length: " + new String(head, StandardCharsets.US_ASCII));
  }

  private boolean isLengthName(int at) {
    for (int i = 0; i < LENGTH_NAME.length; i++) {
      // Setting this bit makes a letter small and leaves the hyphen and the colon as they are.
      if ((in.get(at + i) | 0x20) != LENGTH_NAME[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
