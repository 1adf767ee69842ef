package dev.tidemark.server.spec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tests that cannot pass yet, each with its reason. Immutable.
final class KnownFailures {
  private static final String SEPARATOR = " : ";

  private final Map<String, String> reasons = new LinkedHashMap<>();

  /// Reads lines of the form `area/file/test name : reason`; empty ones, and those that begin with
  /// `#`, do not count.
  ///
  /// @throws IllegalArgumentException if a line has no reason, or a test is named twice
  KnownFailures(List<String> lines) {
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int separator = line.indexOf(SEPARATOR);
      if (separator < 0 || line.substring(separator + SEPARATOR.length()).isBlank()) {
        throw new IllegalArgumentException("a test and its reason were expected: [" + line + "]");
      }
      String name = line.substring(0, separator).strip();
      String reason = line.substring(separator + SEPARATOR.length()).strip();
      if (reasons.put(name, reason) != null) {
        throw new IllegalArgumentException("[" + name + "] is listed twice");
      }
    }
  }

  /// Reads the list from a file on the class path.
  static KnownFailures load(String resource) throws IOException {
    try (InputStream in = KnownFailures.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is not on the class path");
      }
      return new KnownFailures(new String(in.readAllBytes(), UTF_8).lines().toList());
    }
  }

  /// Why this test cannot pass yet, or null if it is to pass.
  @Nullable String reason(RestCase test) {
    return reasons.get(test.fullName());
  }

  /// Names in the list that no test has.
  Set<String> unknown(List<RestCase> cases) {
    Set<String> names = cases.stream().map(RestCase::fullName).collect(Collectors.toSet());
    return reasons.keySet().stream()
        .filter(name -> !names.contains(name))
        .collect(Collectors.toSet());
  }
}
