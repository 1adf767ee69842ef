package dev.tidemark.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// The walk of a write in the documents names hops that exist.
class WritePathTest {
  private static final List<String> PACKAGES =
      List.of("dev.tidemark.log.", "dev.tidemark.store.", "dev.tidemark.server.");

  @Test
  void everyHopNamedInTheWritePathExists() throws IOException {
    String page = Files.readString(Path.of("../docs/WRITE-PATH.md"));
    List<String> hops =
        Pattern.compile("`([A-Z]\\w+#\\w+)`")
            .matcher(page)
            .results()
            .map(found -> found.group(1))
            .distinct()
            .toList();
    assertTrue(hops.size() >= 20, "the page names only " + hops.size() + " hops");
    assertAll(hops.stream().map(hop -> (Executable) () -> assertExists(hop)));
  }

  private static void assertExists(String hop) {
    String[] parts = hop.split("#", -1);
    Class<?> type =
        PACKAGES.stream()
            .map(prefix -> prefix + parts[0])
            .flatMap(WritePathTest::find)
            .findFirst()
            .orElseGet(() -> fail("docs/WRITE-PATH.md names " + hop + ": there is no such class"));
    assertTrue(
        Arrays.stream(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals(parts[1])),
        "docs/WRITE-PATH.md names " + hop + ": the class has no such method");
  }

  private static Stream<Class<?>> find(String name) {
    try {
      return Stream.of(Class.forName(name, false, WritePathTest.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Stream.empty();
    }
  }
}
