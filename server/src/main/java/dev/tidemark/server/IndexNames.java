package dev.tidemark.server;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// OpenSearch's rules for the names of indices and aliases.
final class IndexNames {
  private static final int BYTES_MAX = 255;
  private static final String FORBIDDEN = "\\/*?\"<>| ,";

  private IndexNames() {}

  /// Refuses a name that no new index may have.
  static void check(String name) {
    check(name, "invalid_index_name_exception", "Invalid index name [");
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      throw invalid(
          name, "invalid_index_name_exception", "Invalid index name [", "must be lowercase");
    }
  }

  /// Refuses a name that no alias may have.
  static void checkAlias(String name) {
    check(name, "invalid_alias_name_exception", "Invalid alias name [");
  }

  /// Refuses a name that can't be one, in a place where only existing ones are looked for.
  static void checkLookedFor(String name) {
    if (name.startsWith("_")) {
      throw invalid(
          name, "invalid_index_name_exception", "Invalid index name [", "must not start with '_'.");
    }
  }

  private static void check(String name, String type, String start) {
    for (int i = 0; i < name.length(); i++) {
      if (FORBIDDEN.indexOf(name.charAt(i)) >= 0) {
        throw invalid(
            name,
            type,
            start,
            "must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]");
      }
    }
    if (name.isEmpty()) {
      throw invalid(name, type, start, "must not be empty");
    }
    if (name.indexOf('#') >= 0) {
      throw invalid(name, type, start, "must not contain '#'");
    }
    if (name.indexOf(':') >= 0) {
      throw invalid(name, type, start, "must not contain ':'");
    }
    if ("_-+".indexOf(name.charAt(0)) >= 0) {
      throw invalid(name, type, start, "must not start with '_', '-', or '+'");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > BYTES_MAX) {
      throw invalid(
          name, type, start, "index name is too long, (" + bytes + " > " + BYTES_MAX + ")");
    }
    if (name.equals(".") || name.equals("..")) {
      throw invalid(name, type, start, "must not be '.' or '..'");
    }
  }

  private static ApiException invalid(String name, String type, String start, String rule) {
    return ApiException.badRequest(type, start + name + "], " + rule)
        .with("index", name)
        .with("index_uuid", "_na_");
  }
}
