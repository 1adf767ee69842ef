package dev.tidemark.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One HTTP connection, byte by byte. A read that takes over 20 s fails, so that a hang is seen.
final class RawConnection implements AutoCloseable {
  static final String JSON = "Content-Type: application/json";

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RawConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /// A request up to its body.
  static String head(String method, String path, String... headers) {
    StringBuilder head = new StringBuilder(method).append(' ').append(path);
    head.append(" HTTP/1.1\r\nHost: localhost\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  RawConnection write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  RawConnection write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /// Reads one response to its end.
  TestServer.Reply read() throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new TestServer.Reply(
        Integer.parseInt(status.substring(9, 12)), headers, in.readNBytes(length));
  }

  /// Waits until the server has closed the connection, and answers how many bytes came before.
  int bytesUntilClosed() throws IOException {
    int count = 0;
    try {
      while (in.read() >= 0) {
        count++;
      }
    } catch (SocketException e) {
      return count;
    }
    return count;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("the connection ended within a line: " + line);
      }
      if (b == '\n') {
        return line.toString(StandardCharsets.US_ASCII).stripTrailing();
      }
      line.write(b);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
