package dev.tidemark.server;

import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncoding;
import java.util.Set;

/// Tells the web server that gzip bodies are welcome, and leaves them as they are: [BodyReader]
/// unpacks them, where the limit is known.
final class GzipBodies implements ContentEncoding {
  @Override
  public Set<String> ids() {
    return Set.of("gzip", "x-gzip");
  }

  @Override
  public boolean supportsEncoding() {
    return false;
  }

  @Override
  public boolean supportsDecoding() {
    return true;
  }

  @Override
  public ContentDecoder decoder() {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder() {
    return ContentEncoder.NO_OP;
  }

  @Override
  public String name() {
    return "gzip";
  }

  @Override
  public String type() {
    return "gzip";
  }
}
