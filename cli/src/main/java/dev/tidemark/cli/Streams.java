package dev.tidemark.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Where a command reads and writes. Text to `out` goes through [#print], so that a failed write is
/// an error and is not swallowed as a [PrintStream] does.
///
/// @param in standard input
/// @param out standard output
/// @param err standard error
/// @param outScreen what reads `out`
/// @param errScreen what reads `err`
record Streams(
    InputStream in, OutputStream out, PrintStream err, Screen outScreen, Screen errScreen) {

  /// The process's own.
  static Streams ofProcess() {
    return new Streams(
        System.in,
        new FileOutputStream(FileDescriptor.out),
        System.err,
        Screen.of("stdout"),
        Screen.of("stderr"));
  }

  /// Writes text to standard output.
  void print(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write(bytes, bytes.length);
  }

  /// Writes the first `length` bytes to standard output.
  ///
  /// @throws OutputClosedException if nobody reads it any more
  void write(byte[] bytes, int length) {
    try {
      out.write(bytes, 0, length);
      out.flush();
    } catch (IOException e) {
      throw OutputClosedException.isCause(e)
          ? new OutputClosedException(e)
          : new UserError("Standard output can't be written: " + e.getMessage(), e);
    }
  }
}
