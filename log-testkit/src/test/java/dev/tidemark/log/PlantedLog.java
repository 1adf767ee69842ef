package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
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
/// ones together with the test kit and the proofs.
final class PlantedLog implements AutoCloseable {
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
            classes.toUri().toURL(), placeOf(CrashStorage.class), placeOf(PlantedProof.class)));
  }

  private static URL placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private static void compile(PlantedBug bug, Path sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "these tests need a JDK");
    List<JavaFileObject> units = new ArrayList<>();
    try (var files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> all = Files.walk(sources)) {
      boolean planted = bug.file().isEmpty();
      for (Path path : all.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = path.getFileName().toString();
        if (name.equals(bug.file())) {
          units.add(planted(bug, path));
          planted = true;
        } else if (!name.equals("module-info.java")) {
          files.getJavaFileObjects(path).forEach(units::add);
        }
      }
      assertTrue(planted, bug.file() + " is no source of the log");
      StringWriter messages = new StringWriter();
      List<String> options =
          List.of(
              "-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
      assertTrue(
          compiler.getTask(messages, files, null, options, null, units).call(), messages::toString);
    }
  }

  private static JavaFileObject planted(PlantedBug bug, Path path) throws IOException {
    String source = Files.readString(path);
    // However the lines are broken.
    Pattern right =
        Pattern.compile(
            Stream.of(bug.right().strip().split("\\s+"))
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s+")));
    assertEquals(
        1,
        right.matcher(source).results().count(),
        "how often " + bug.file() + " has this text:\n" + bug.right());
    String wrong = right.matcher(source).replaceAll(Matcher.quoteReplacement(bug.wrong()));
    return new SimpleJavaFileObject(
        URI.create("string:///" + bug.file()), JavaFileObject.Kind.SOURCE) {
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

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
