package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The run that the launcher has the classes archived by.
final class RehearseTest {
  @TempDir private Path temp;

  @Test
  void itRunsEveryCommandSilentlyAndLeavesNoFilesBehind() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src", "main", "dist", "java.options").toAbsolutePath(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temp,
                "-cp",
                System.getProperty("java.class.path"),
                Tidemark.class.getName(),
                "rehearse")
            .redirectErrorStream(true)
            .start();
    assertEquals("", new String(process.getInputStream().readAllBytes(), UTF_8));
    assertEquals(0, process.waitFor());
    try (Stream<Path> files = Files.list(temp)) {
      assertEquals(0, files.filter(f -> f.toString().contains("rehearsal")).count());
    }
  }
}
