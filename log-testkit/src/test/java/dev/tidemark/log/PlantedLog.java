package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.PlantedBug.Change;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// The log's classes, compiled from its sources with one bug planted, and loaded beside the right
/// ones together with the test kit and the proofs. The loader is not closed: threads of a log that
/// a proof has left behind may still need it.
final class PlantedLog {
  private static final String PACKAGE = "dev.tidemark.log";

  private final Loader loader;

  private PlantedLog(Loader loader) {
    this.loader = loader;
  }

  /// Takes the log's packages from its own places alone, and all else from the test's loader.
  private static final class Loader extends URLClassLoader {
    Loader(URL... places) {
      super(places, PlantedLog.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }

  /// @param sources of the log
  /// @param classes an empty directory
  static PlantedLog of(PlantedBug bug, Path sources, Path classes) throws IOException {
    compile(bug, sources, classes);
    return new PlantedLog(
        new Loader(
            classes.toUri().toURL(),
            placeOf(Log.class),
            placeOf(CrashStorage.class),
            placeOf(PlantedProof.class)));
  }

  private static URL placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /// Compiles what the bug changes, against the log as it is; without a bug, all of the log.
  private static void compile(PlantedBug bug, Path sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "these tests need a JDK");
    List<JavaFileObject> units = new ArrayList<>();
    for (Path path : files(sources)) {
      String name = path.getFileName().toString();
      List<Change> changes = bug.changes().stream().filter(c -> c.file().equals(name)).toList();
      if (bug.changes().isEmpty() || !changes.isEmpty()) {
        units.add(planted(path, changes));
      }
    }
    assertFalse(units.isEmpty(), "the log has no source of that name");
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    assertTrue(
        compiler.getTask(messages, null, null, options, null, units).call(), messages::toString);
  }

  private static List<Path> files(Path sources) throws IOException {
    try (Stream<Path> all = Files.walk(sources)) {
      return all.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.endsWith("module-info.java"))
          .toList();
    }
  }

  private static JavaFileObject planted(Path path, List<Change> changes) throws IOException {
    String source = Files.readString(path);
    for (Change change : changes) {
      // However the lines are broken.
      Pattern right =
          Pattern.compile(
              Stream.of(change.right().strip().split("\\s+"))
                  .map(Pattern::quote)
                  .collect(Collectors.joining("\\s+")));
      assertEquals(
          1,
          right.matcher(source).results().count(),
          "how often " + change.file() + " has this text:\n" + change.right());
      source = right.matcher(source).replaceAll(Matcher.quoteReplacement(change.wrong()));
    }
    String wrong = source;
    return new SimpleJavaFileObject(path.toUri(), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return wrong;
      }
    };
  }

  /// What a proof finds; empty for nothing.
  String find(Proof proof, Seed seed) throws Exception {
    Object there =
        loader
            .loadClass(PlantedProof.class.getName())
            .getDeclaredConstructor(String.class, Long.class)
            .newInstance(proof.name(), seed.value());
    return String.valueOf(((Callable<?>) there).call());
  }
}
