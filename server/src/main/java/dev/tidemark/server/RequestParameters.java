package dev.tidemark.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The parameters of a request's query. The last one of a name counts.
final class RequestParameters {
  /// A request without a query.
  static final RequestParameters EMPTY = new RequestParameters(List.of(), List.of());

  /// What every route takes.
  private static final Set<String> EVERYWHERE =
      Set.of(
          "pretty",
          "human",
          "error_trace",
          "format",
          "filter_path",
          "source",
          "source_content_type");

  private final List<String> names;
  private final List<String> values;

  private RequestParameters(List<String> names, List<String> values) {
    this.names = names;
    this.values = values;
  }

  static RequestParameters of(String query) {
    if (query.isEmpty()) {
      return EMPTY;
    }
    List<String> names = new ArrayList<>(4);
    List<String> values = new ArrayList<>(4);
    int start = 0;
    while (start < query.length()) {
      int ampersand = query.indexOf('&', start);
      int end = ampersand < 0 ? query.length() : ampersand;
      int equals = query.indexOf('=', start);
      int nameEnd = equals < 0 || equals > end ? end : equals;
      if (nameEnd > start) {
        names.add(Percent.decodeQuery(query.substring(start, nameEnd)));
        values.add(nameEnd < end ? Percent.decodeQuery(query.substring(nameEnd + 1, end)) : "");
      }
      start = end + 1;
    }
    return names.isEmpty() ? EMPTY : new RequestParameters(names, values);
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  boolean has(String name) {
    return names.contains(name);
  }

  @Nullable String text(String name) {
    int index = names.lastIndexOf(name);
    return index < 0 ? null : values.get(index);
  }

  String text(String name, String otherwise) {
    String text = text(name);
    return text == null ? otherwise : text;
  }

  /// The parts of a comma-separated value; none if it is not given.
  List<String> list(String name) {
    String text = text(name);
    return text == null ? List.of() : splitList(text);
  }

  static List<String> splitList(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String trimmed = part.strip();
      if (!trimmed.isEmpty()) {
        parts.add(trimmed);
      }
    }
    return parts;
  }

  /// A switch that is off unless it is given; given without a value it is on.
  boolean isOn(String name) {
    String text = text(name);
    return text != null && isOnText(text);
  }

  /// A switch that is on unless it is given as off.
  boolean isOnByDefault(String name) {
    String text = text(name);
    return text == null || isOnText(text);
  }

  private static boolean isOnText(String text) {
    return switch (text) {
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw ApiException.illegalArgument(
              "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
    };
  }

  @Nullable Long number(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.illegalArgument(
              "Failed to parse long parameter [" + name + "] with value [" + text + "]")
          .causedBy("number_format_exception", "For input string: \"" + text + "\"");
    }
  }

  /// A span such as `30s`, in milliseconds; `-1` stands for no end.
  long millis(String name, long otherwise) {
    String text = text(name);
    return text == null ? otherwise : TimeValue.millis(name, text);
  }

  /// Refuses the request if it has parameters that neither `known` nor every route takes.
  ///
  /// @param alsoNamed names that hints may propose as well, though they are steps of the path
  void check(Set<String> known, Set<String> alsoNamed, RequestPath path) {
    TreeSet<String> unknown = new TreeSet<>();
    for (String name : names) {
      if (!known.contains(name) && !EVERYWHERE.contains(name)) {
        unknown.add(name);
      }
    }
    if (!unknown.isEmpty()) {
      TreeSet<String> candidates = new TreeSet<>(EVERYWHERE);
      candidates.addAll(known);
      candidates.addAll(alsoNamed);
      throw ApiException.illegalArgument(unrecognized(path, unknown, candidates));
    }
  }

  private static String unrecognized(
      RequestPath path, Set<String> unknown, Set<String> candidates) {
    StringBuilder message = new StringBuilder("request [").append(path.text());
    message.append("] contains unrecognized parameter").append(unknown.size() > 1 ? "s: " : ": ");
    String separator = "";
    for (String name : unknown) {
      message.append(separator).append('[').append(name).append(']');
      message.append(hint(name, candidates));
      separator = ", ";
    }
    return message.toString();
  }

  /// ` -> did you mean [x]?`, or nothing where no candidate is near.
  static String hint(String name, Set<String> candidates) {
    TreeMap<Float, TreeSet<String>> near = new TreeMap<>();
    for (String candidate : candidates) {
      float likeness = likeness(name, candidate);
      if (likeness > 0.5f) {
        near.computeIfAbsent(-likeness, _ -> new TreeSet<>()).add(candidate);
      }
    }
    List<String> names = new ArrayList<>();
    near.values().forEach(names::addAll);
    if (names.isEmpty()) {
      return "";
    }
    return names.size() == 1
        ? " -> did you mean [" + names.getFirst() + "]?"
        : " -> did you mean any of " + names + "?";
  }

  /// 1 less the edits between two words per letter of the longer one.
  static float likeness(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return 1f - (float) row[b.length()] / Math.max(1, Math.max(a.length(), b.length()));
  }
}
