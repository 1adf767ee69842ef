package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every command keeps to.
final class CommandLineTest {
  private static final List<String> COMMANDS = List.of("serve", "load", "dump", "status", "log");

  private static final List<String> LOG_COMMANDS =
      List.of("stat", "verify", "dump", "tail", "salvage", "bench-sync");

  @Test
  void everyCommandHasHelpWithExamples() {
    for (String command : COMMANDS) {
      Cli help = Cli.run(command, "--help");
      assertEquals(0, help.status());
      assertEquals("", help.err());
      assertTrue(help.out().contains("Usage: tidemark " + command), help.out());
      assertTrue(help.out().contains("Examples:"), help.out());
      assertFalse(help.out().contains("${"), help.out());
      assertFalse(help.out().contains("\033"), help.out());
    }
  }

  @Test
  void everyCommandForALogHasHelpWithExamples() {
    String parent = Cli.run("log", "--help").out();
    for (String command : LOG_COMMANDS) {
      Cli help = Cli.run("log", command, "--help");
      assertEquals(0, help.status());
      assertTrue(help.out().contains("Usage: tidemark log " + command), help.out());
      assertTrue(help.out().contains("Examples:"), help.out());
      assertFalse(help.out().contains("${"), help.out());
      assertTrue(parent.contains("\n  " + command + " "), parent);
    }
  }

  @Test
  void theRootsHelpNamesEveryCommand() {
    String help = Cli.run("--help").out();
    COMMANDS.forEach(command -> assertTrue(help.contains("\n  " + command + " "), help));
  }

  @Test
  void helpIsColouredOnATerminalOnly() {
    assertTrue(Cli.runWith(new byte[0], Screen.TERMINAL, "--help").out().contains("\033["));
    assertFalse(Cli.runWith(new byte[0], Screen.PLAIN, "--help").out().contains("\033["));
  }

  @Test
  void theVersionIsPrinted() {
    Cli version = Cli.run("--version");
    assertEquals(0, version.status());
    assertTrue(version.out().startsWith("tidemark "), version.out());
  }

  @Test
  void aWrongCallIsStatus2WithOneReasonAndNoStackTrace() {
    for (String[] call :
        List.of(
            new String[] {},
            new String[] {"sevre"},
            new String[] {"serve", "--port", "x"},
            new String[] {"serve", "extra"},
            new String[] {"load", "--index", "i"},
            new String[] {"load", "f"},
            new String[] {"load", "f", "--index", "i", "--format", "csv"},
            new String[] {"dump"},
            new String[] {"status", "--url"})) {
      Cli cli = Cli.run(call);
      assertEquals(2, cli.status(), String.join(" ", call));
      assertEquals("", cli.out());
      assertTrue(cli.err().startsWith("tidemark: "), cli.err());
      assertTrue(cli.err().contains("--help' shows how it is called."), cli.err());
      assertEquals(2, cli.err().lines().count(), cli.err());
    }
  }

  @Test
  void whatCannotBeDoneIsStatus1WithOneLine() {
    for (String[] call :
        List.of(
            new String[] {"load", "no-such-file", "--index", "i"},
            new String[] {"load", ".", "--index", "i"},
            new String[] {"load", "pom.xml", "--index", "i", "--in-flight", "0"},
            new String[] {"status", "--url", "nonsense"},
            new String[] {"status", "--url", "ftp://x"},
            new String[] {"status", "--url", "http://a b"})) {
      Cli cli = Cli.run(call);
      assertEquals(1, cli.status(), String.join(" ", call));
      assertTrue(cli.err().startsWith("tidemark: "), cli.err());
      assertEquals(1, cli.err().lines().count(), cli.err());
    }
  }

  @Test
  void aReaderThatEndsEarlyEndsTheCommandQuietly() throws Exception {
    try (var server = new BulkServer(body -> new BulkServer.Reply(200, "{\"_id\":1}\n"))) {
      var err = new java.io.ByteArrayOutputStream();
      var out =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("Broken pipe");
            }
          };
      var streams =
          new Streams(
              new ByteArrayInputStream(new byte[0]),
              out,
              new PrintStream(err, true, UTF_8),
              Screen.PLAIN,
              Screen.PLAIN);
      assertEquals(141, Tidemark.run(streams, "dump", "--index", "i", "--url", server.url()));
      assertEquals("", err.toString(UTF_8));
    }
  }

  @Test
  void aDumpThatBreaksOffIsAnErrorAndSaysThatItIsNotWhole() throws Exception {
    try (var listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = listener.accept()) {
                  socket.getInputStream().read(new byte[8 << 10]);
                  socket
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n"
                              .getBytes(UTF_8));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      String url = "http://127.0.0.1:" + listener.getLocalPort();
      Cli dump = Cli.run("dump", "--index", "i", "--url", url);
      assertEquals(1, dump.status());
      assertEquals("{}\n", dump.out());
      assertTrue(dump.err().contains("not the whole index"), dump.err());
    }
  }

  @Test
  void aRefusedDumpGivesTheServersReason() throws Exception {
    try (var server =
        new BulkServer(
            body ->
                new BulkServer.Reply(
                    404,
                    "{\"error\":{\"root_cause\":[{\"type\":\"index_not_found_exception\",\"reason\":\"no such index [i]\"}],\"type\":\"index_not_found_exception\"},\"status\":404}"))) {
      Cli dump = Cli.run("dump", "--index", "i", "--url", server.url());
      assertEquals(1, dump.status());
      assertEquals("", dump.out());
      assertTrue(
          dump.err().contains("answered 404: index_not_found_exception: no such index [i]"),
          dump.err());
    }
  }
}
