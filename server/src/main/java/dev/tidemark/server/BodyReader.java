package dev.tidemark.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.media.ReadableEntity;
import io.helidon.webserver.CloseConnectionException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads request bodies into memory: at most [#BODY_BYTES_MAX] each, counted after decoding, and at
/// most a third of the heap for all large ones together. Any number of threads may use it.
///
/// A body over the limit is refused as soon as that is known, from its length or once the limit is
/// passed, and is not read on.
final class BodyReader {
  /// The largest body, in bytes, decoded.
  static final int BODY_BYTES_MAX = 100 << 20;

  /// Bodies up to this size are not counted against the heap.
  private static final int SMALL_BYTES = 64 << 10;

  private static final byte[] NONE = {};

  private final AtomicLong held = new AtomicLong();
  private final long heldMax = Math.max(Runtime.getRuntime().maxMemory() / 3, 8L << 20);

  /// What a request's body holds of the heap, until it is closed.
  final class Share implements AutoCloseable {
    private long bytes;

    private void growTo(long total) {
      if (total <= SMALL_BYTES || total <= bytes) {
        return;
      }
      if (held.addAndGet(total - bytes) > heldMax) {
        held.addAndGet(bytes - total);
        throw ApiException.of(
            429,
            "circuit_breaking_exception",
            "bodies of requests under way would take more than "
                + heldMax
                + " bytes of the heap; send smaller ones, or fewer at a time");
      }
      bytes = total;
    }

    @Override
    public void close() {
      if (bytes > 0) {
        held.addAndGet(-bytes);
        bytes = 0;
      }
    }
  }

  Share share() {
    return new Share();
  }

  byte[] read(ReadableEntity body, ServerRequestHeaders headers, Share share) {
    if (!body.hasEntity()) {
      return NONE;
    }
    long declared = headers.contentLength().orElse(-1);
    if (declared > BODY_BYTES_MAX) {
      throw tooLarge();
    }
    try (InputStream in = body.inputStream()) {
      if (isGzip(headers)) {
        return inflated(in, share);
      }
      return declared >= 0 ? counted(in, (int) declared, share) : uncounted(in, share);
    } catch (DataReader.InsufficientDataAvailableException | UncheckedIOException e) {
      throw new CloseConnectionException("the client went away in the middle of a body", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isGzip(ServerRequestHeaders headers) {
    if (!headers.contains(HeaderNames.CONTENT_ENCODING)) {
      return false;
    }
    String encoding = headers.get(HeaderNames.CONTENT_ENCODING).get();
    return encoding.equals("gzip") || encoding.equals("x-gzip");
  }

  private static byte[] counted(InputStream in, int length, Share share) throws IOException {
    share.growTo(length);
    byte[] body = new byte[length];
    int read = in.readNBytes(body, 0, length);
    // The end must be seen: only then does the connection count the body as taken.
    if (read < length || in.read() >= 0) {
      throw new CloseConnectionException("a body ended before its length");
    }
    return body;
  }

  private static byte[] uncounted(InputStream in, Share share) throws IOException {
    byte[] body = new byte[8 << 10];
    int length = 0;
    while (true) {
      int read = in.read(body, length, body.length - length);
      if (read < 0) {
        return length == body.length ? body : Arrays.copyOf(body, length);
      }
      length += read;
      if (length > BODY_BYTES_MAX) {
        throw tooLarge();
      }
      if (length == body.length) {
        share.growTo(body.length * 2L);
        body = Arrays.copyOf(body, body.length * 2);
      }
    }
  }

  private static byte[] inflated(InputStream in, Share share) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(in, 16 << 10)) {
      byte[] body = uncounted(gzip, share);
      in.transferTo(OutputStream.nullOutputStream());
      return body;
    } catch (EOFException e) {
      throw ApiException.badRequest(
          "parse_exception", "the gzip body is cut off: its end is missing");
    } catch (ZipException e) {
      throw ApiException.badRequest(
          "parse_exception", "the body is no gzip data: " + e.getMessage());
    }
  }

  private static ApiException tooLarge() {
    return ApiException.of(
        413,
        "content_too_long_exception",
        "entity content is too long: the limit is " + BODY_BYTES_MAX + " bytes, decoded");
  }
}
