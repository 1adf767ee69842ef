package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/// One command, run in this process.
///
/// @param status its exit status
/// @param out what it wrote to standard output
/// @param err what it wrote to standard error
record Cli(int status, String out, String err) {
  static Cli run(String... arguments) {
    return runWith(new byte[0], Screen.PLAIN, arguments);
  }

  static Cli runWith(byte[] in, Screen screen, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var streams =
        new Streams(
            new ByteArrayInputStream(in), out, new PrintStream(err, true, UTF_8), screen, screen);
    int status = Tidemark.run(streams, arguments);
    return new Cli(status, out.toString(UTF_8), err.toString(UTF_8));
  }
}
