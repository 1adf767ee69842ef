package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The README's calls, run as they stand there, answer what stands there.
final class ReadmeTest {
  private static final String ADDRESS = "http://127.0.0.1:9200";

  /// The one part of an answer that is another each time.
  private static final Pattern UUID = Pattern.compile("(open +notes +)[\\w-]{22}");

  @TempDir private Path temp;

  private record Call(String command, String answer) {}

  @Test
  void eachCallAnswersAsShown() throws Exception {
    List<Call> calls = calls();
    assertEquals(3, calls.size());
    try (var server = ServeProcess.start(temp.resolve("data"))) {
      for (Call call : calls) {
        String command = call.command().replace(ADDRESS, server.url());
        assertEquals(masked(call.answer()), masked(shell(command)).stripTrailing(), command);
      }
    }
  }

  @Test
  void theServerPrintsTheSameCalls() throws Exception {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src", "main", "dist", "java.options").toAbsolutePath(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Tidemark.class.getName(),
                "serve",
                "--port",
                "0",
                "--data",
                temp.resolve("data").toString())
            .redirectError(temp.resolve("err").toFile())
            .start();
    try (var reader = server.inputReader(UTF_8)) {
      var printed = new ArrayList<String>();
      String url = "";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.contains(" is ready at ")) {
          url = line.replaceFirst(".* is ready at ", "").replaceFirst(",.*", "");
        } else if (line.startsWith("  curl")) {
          printed.add(line.strip().replace(url, ADDRESS));
        } else if (line.startsWith("Ctrl-C")) {
          break;
        }
      }
      assertEquals(calls().stream().map(Call::command).toList(), printed);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static String masked(String answer) {
    return UUID.matcher(answer).replaceAll("$1......................");
  }

  private String shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command.replaceFirst("^curl ", "curl -sS "))
            .redirectError(temp.resolve("err").toFile())
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), () -> "this test needs curl: " + read("err"));
    return out;
  }

  private String read(String file) {
    try {
      return Files.readString(temp.resolve(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// The lines that begin with `$ curl`, each with the lines below it.
  private static List<Call> calls() throws IOException {
    var calls = new ArrayList<Call>();
    String command = null;
    var answer = new StringBuilder();
    for (String line : Files.readAllLines(Path.of("..", "README.md"))) {
      boolean begins = line.startsWith("    $ curl ");
      if (command != null && (begins || !line.startsWith("    "))) {
        calls.add(new Call(command, answer.toString().stripTrailing()));
        command = null;
      }
      if (begins) {
        command = line.substring("    $ ".length());
        answer.setLength(0);
      } else if (command != null) {
        answer.append(line.strip()).append('\n');
      }
    }
    return calls;
  }
}
