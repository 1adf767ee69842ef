package dev.tidemark.server.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One step of a suite. Immutable; references to the stash are still in it.
sealed interface RestStep {
  /// A call.
  ///
  /// @param api the API's name
  /// @param arguments path parts and query parameters
  /// @param body null for none
  /// @param headers to send
  /// @param ignored error statuses that count as success
  /// @param error the error it is to end in, or null if it is to succeed
  record Do(
      String api,
      Map<String, @Nullable Object> arguments,
      @Nullable Object body,
      Map<String, @Nullable Object> headers,
      Set<Integer> ignored,
      @Nullable Catch error)
      implements RestStep {}

  /// Keeps the value at a path of the last answer under a name.
  record Keep(String path, String name) implements RestStep {}

  /// Checks the value at a path of the last answer.
  record Check(Expectation expectation, String path, @Nullable Object expected)
      implements RestStep {}

  /// What Tidemark has none of, or what says nothing to its clients: warnings, and the choice among
  /// the nodes of a cluster.
  Set<String> WITHOUT_MEANING =
      Set.of(
          "warnings",
          "allowed_warnings",
          "warnings_regex",
          "allowed_warnings_regex",
          "node_selector");

  /// Reads the steps that one entry of a section stands for: one entry may check several paths.
  ///
  /// @throws IllegalArgumentException if its kind is unknown
  static List<RestStep> parse(Map<String, @Nullable Object> entry) {
    String kind = entry.keySet().iterator().next();
    Object content = entry.get(kind);
    return switch (kind) {
      case "do" -> List.of(call(Json.members(content)));
      case "set" ->
          Json.members(content).entrySet().stream()
              .<RestStep>map(e -> new Keep(e.getKey(), String.valueOf(e.getValue())))
              .toList();
      case "is_true", "is_false" ->
          List.of(new Check(expectation(kind), content == null ? "" : content.toString(), null));
      case "match", "length", "lt", "lte", "gt", "gte" ->
          Json.members(content).entrySet().stream()
              .<RestStep>map(e -> new Check(expectation(kind), e.getKey(), e.getValue()))
              .toList();
      default -> throw new IllegalArgumentException("unknown step [" + kind + "]");
    };
  }

  private static Expectation expectation(String kind) {
    return Expectation.valueOf(kind.toUpperCase(Locale.ROOT));
  }

  private static Do call(Map<String, @Nullable Object> content) {
    Map<String, @Nullable Object> rest = new LinkedHashMap<>(content);
    Object error = rest.remove("catch");
    Object headers = rest.remove("headers");
    rest.keySet().removeAll(WITHOUT_MEANING);
    if (rest.isEmpty()) {
      throw new IllegalArgumentException("a step calls no API");
    }
    // A step of the artifact names two APIs; the suite's first runner calls the last.
    String api = List.copyOf(rest.keySet()).getLast();
    Object given = rest.get(api);
    Map<String, @Nullable Object> arguments =
        new LinkedHashMap<>(given == null ? Map.of() : Json.members(given));
    Object body = arguments.remove("body");
    return new Do(
        api,
        arguments,
        body,
        headers == null ? Map.of() : Json.members(headers),
        statuses(arguments.remove("ignore")),
        error == null ? null : Catch.parse(error.toString()));
  }

  private static Set<Integer> statuses(@Nullable Object ignore) {
    List<Object> codes = new ArrayList<>();
    if (ignore instanceof List<?> list) {
      codes.addAll(list);
    } else if (ignore != null) {
      codes.add(ignore);
    }
    return Set.copyOf(codes.stream().map(code -> Integer.valueOf(code.toString())).toList());
  }
}
