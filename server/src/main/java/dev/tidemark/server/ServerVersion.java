package dev.tidemark.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The version of this build, as the build wrote it into the jar.
final class ServerVersion {
  /// Such as `0.1.0`.
  static final String TEXT = read();

  private ServerVersion() {}

  private static String read() {
    try (InputStream in = ServerVersion.class.getResourceAsStream("version.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
