package dev.tidemark.server.spec;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tests and the descriptions of APIs that the artifact on the class path holds. Immutable.
///
/// @param apis descriptions by name
/// @param cases tests in the order of their areas' and files' names, and of their place in the file
record RestSuite(Map<String, RestApi> apis, List<RestCase> cases) {
  private static final String ROOT = "rest-api-spec";
  private static final String COMMON = "_common.json";
  private static final String YAML = ".yml";

  /// What this runner knows of the features that a test may ask for.
  private static final Set<String> FEATURES =
      Set.of(
          "headers",
          "warnings",
          "allowed_warnings",
          "arbitrary_key",
          "default_shards",
          "embedded_stash_key",
          "stash_in_key",
          "stash_in_path");

  /// Loads the tests of some areas.
  ///
  /// @throws IllegalArgumentException if one of them says what this runner does not understand
  static RestSuite load(Collection<String> areas) throws IOException {
    URL anchor = RestSuite.class.getResource("/" + ROOT + "/api/" + COMMON);
    if (anchor == null) {
      throw new IllegalStateException("the artifact rest-api-spec is not on the class path");
    }
    URL jar = ((JarURLConnection) anchor.openConnection()).getJarFileURL();
    try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar), Map.of())) {
      Path root = files.getPath(ROOT);
      List<RestCase> cases = new ArrayList<>();
      for (String area : areas) {
        for (Path file : list(root.resolve("test").resolve(area), YAML)) {
          cases.addAll(parse(area, stem(file), Files.readString(file)));
        }
      }
      return new RestSuite(Map.copyOf(apis(root.resolve("api"))), List.copyOf(cases));
    }
  }

  private static Map<String, RestApi> apis(Path folder) throws IOException {
    Map<String, @Nullable Object> common = readMembers(folder.resolve(COMMON));
    Set<String> parameters = Json.members(common.get("params")).keySet();
    Map<String, RestApi> apis = new HashMap<>();
    for (Path file : list(folder, ".json")) {
      if (!file.getFileName().toString().startsWith("_")) {
        RestApi api = RestApi.parse(readMembers(file), parameters);
        apis.put(api.name(), api);
      }
    }
    return apis;
  }

  private static Map<String, @Nullable Object> readMembers(Path file) throws IOException {
    return Json.members(Json.read(Files.readString(file)));
  }

  private static List<Path> list(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - YAML.length());
  }

  /// The tests of one file.
  static List<RestCase> parse(String area, String file, String text) {
    Map<String, List<Map<String, @Nullable Object>>> tests = new LinkedHashMap<>();
    for (Map<String, @Nullable Object> document : Yaml.documents(area + "/" + file, text)) {
      document.forEach(
          (name, section) -> {
            if (tests.put(name, entries(section)) != null) {
              throw new IllegalArgumentException(area + "/" + file + " holds [" + name + "] twice");
            }
          });
    }
    List<Map<String, @Nullable Object>> setup = tests.getOrDefault("setup", List.of());
    List<Map<String, @Nullable Object>> teardown = tests.getOrDefault("teardown", List.of());
    tests.keySet().removeAll(Set.of("setup", "teardown"));
    List<RestCase> cases = new ArrayList<>();
    tests.forEach(
        (name, section) -> {
          String skipped = skipped(setup);
          if (skipped == null) {
            skipped = skipped(section);
          }
          RestCase.Sections sections =
              skipped == null
                  ? new RestCase.Sections(steps(setup), steps(section), steps(teardown))
                  : new RestCase.Sections(List.of(), List.of(), List.of());
          cases.add(new RestCase(area, file, name, skipped, sections));
        });
    return cases;
  }

  private static List<Map<String, @Nullable Object>> entries(@Nullable Object section) {
    return section instanceof List<?> list ? list.stream().map(Json::members).toList() : List.of();
  }

  private static List<RestStep> steps(List<Map<String, @Nullable Object>> entries) {
    return entries.stream()
        .filter(entry -> !entry.containsKey("skip"))
        .flatMap(entry -> RestStep.parse(entry).stream())
        .toList();
  }

  /// Why a section is to be skipped here, or null if it is not.
  private static @Nullable String skipped(List<Map<String, @Nullable Object>> entries) {
    for (Map<String, @Nullable Object> entry : entries) {
      if (entry.containsKey("skip")) {
        Map<String, @Nullable Object> skip = Json.members(entry.get("skip"));
        List<String> missing =
            features(skip.get("features")).stream().filter(f -> !FEATURES.contains(f)).toList();
        if (!missing.isEmpty()) {
          return "it needs a runner with " + missing;
        }
        Object versions = skip.get("version");
        if (versions != null && SuiteVersion.CURRENT.isWithin(versions.toString())) {
          return skip.get("reason") + " (not for versions " + versions + ")";
        }
      }
    }
    return null;
  }

  private static List<String> features(@Nullable Object features) {
    return switch (features) {
      case List<?> list -> list.stream().map(String::valueOf).toList();
      case null -> List.of();
      default -> List.of(features.toString());
    };
  }

  /// The tests by area.
  Map<String, List<RestCase>> byArea() {
    return cases.stream().collect(groupingBy(RestCase::area, TreeMap::new, toList()));
  }
}
