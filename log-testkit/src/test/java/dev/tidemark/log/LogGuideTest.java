package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The code in docs/log.md compiles without a warning against the log and its test kit alone, and
/// does what it says: its `assert`s hold.
///
/// A block that begins with `package` is a program, run in a process of its own. Any other is the
/// body of a method that is given `log`, which is new, and `folder`, which is empty.
class LogGuideTest {
  private static final String HEAD =
      """
      import module java.base;
      import dev.tidemark.log.*;
      import dev.tidemark.log.testkit.*;
      import static java.nio.charset.StandardCharsets.UTF_8;
      public final class Block implements BiConsumer<Log, Path> {
        @Override public void accept(Log log, Path folder) {
          try { run(log, folder); } catch (Exception e) { throw new IllegalStateException(e); }
        }
        private static void run(Log log, Path folder) throws Exception {
      """;
  private static final String TAIL = "  }\n}\n";

  /// @param line of the guide, from 1
  private record Block(int line, String code) {
    boolean program() {
      return code.startsWith("package ");
    }
  }

  @TestFactory
  Stream<DynamicTest> everyBlockOfTheGuideCompilesAndHolds(@TempDir Path folder) throws Exception {
    Path guide = Path.of(System.getProperty("tidemark.log.guide"));
    List<Block> blocks = blocks(Files.readAllLines(guide));
    assertTrue(blocks.getFirst().program(), "the first one is the quickstart");
    return blocks.stream()
        .map(
            block ->
                DynamicTest.dynamicTest(
                    guide.getFileName() + ":" + block.line,
                    () -> compileAndRun(block, folder.resolve(String.valueOf(block.line)))));
  }

  private static List<Block> blocks(List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    int start = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals("```java")) {
        start = i + 1;
      } else if (lines.get(i).equals("```") && start >= 0) {
        blocks.add(new Block(start + 1, String.join("\n", lines.subList(start, i)) + "\n"));
        start = -1;
      }
    }
    return blocks;
  }

  private static void compileAndRun(Block block, Path folder) throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path work = Files.createDirectory(folder.resolve("work"));
    compile(block, classes);
    if (block.program()) {
      runProgram(classes, work);
    } else {
      runBody(classes, work);
    }
  }

  private static void compile(Block block, Path classes) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "the tests run on a JDK");
    StringWriter said = new StringWriter();
    String name = block.program() ? "Main" : "Block";
    String source = block.program() ? block.code : HEAD + block.code + TAIL;
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    List<String> options =
        List.of("-d", classes.toString(), "-cp", logAlone(), "-Xlint:all", "-Werror");
    boolean compiled = compiler.getTask(said, null, null, options, null, List.of(file)).call();
    assertTrue(compiled, () -> "docs/log.md, line " + block.line + ":\n" + said);
  }

  /// The log's classes and the test kit's, and nothing else.
  private static String logAlone() throws Exception {
    return place(Log.class) + File.pathSeparator + place(CrashStorage.class);
  }

  private static Path place(Class<?> one) throws Exception {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void runBody(Path classes, Path work) throws Exception {
    try (URLClassLoader loader =
            new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, LogGuideTest.class.getClassLoader());
        Log log = Log.open(work.resolve("given"), LogOptions.defaults())) {
      loader.setDefaultAssertionStatus(true);
      Object body = loader.loadClass("Block").getConstructor().newInstance();
      @SuppressWarnings("unchecked") // as it was written above
      BiConsumer<Log, Path> run = (BiConsumer<Log, Path>) body;
      run.accept(log, Files.createDirectory(work.resolve("folder")));
    }
  }

  private static void runProgram(Path classes, Path work) throws Exception {
    Path said = work.resolve("said");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-ea",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + logAlone(),
                "example.Main")
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    int status = process.waitFor();
    assertEquals(0, status, () -> read(said));
    assertFalse(read(said).isEmpty());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
