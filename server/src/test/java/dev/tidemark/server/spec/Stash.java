package dev.tidemark.server.spec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The values that a test keeps under names of its own, and the last answer under `body`. One test
/// has one stash; not for several threads.
///
/// `$name` stands for the value itself, `${name}` inside a longer text for the value's text, and
/// `$body.a.b` for what the path leads to in the last answer.
final class Stash {
  private static final String BODY = "body";
  private static final Pattern EMBEDDED = Pattern.compile("\\$\\{([^}]+)}");

  private final Map<String, @Nullable Object> values = new HashMap<>();

  /// Keeps the last answer: the value it parses to, or its text.
  void answer(@Nullable Object body) {
    values.put(BODY, body);
  }

  void put(String name, @Nullable Object value) {
    values.put(name, value);
  }

  static boolean isReference(String text) {
    return text.startsWith("$") || EMBEDDED.matcher(text).find();
  }

  /// What a text with references in it stands for.
  ///
  /// @throws AssertionError if it refers to a name that was never kept
  @Nullable Object resolve(String text) {
    Matcher embedded = EMBEDDED.matcher(text);
    if (embedded.matches()) {
      return value(embedded.group(1));
    }
    if (embedded.reset().find()) {
      return embedded
          .reset()
          .replaceAll(found -> Matcher.quoteReplacement(String.valueOf(value(found.group(1)))));
    }
    return text.startsWith("$") ? value(text.substring(1)) : text;
  }

  /// A copy of a value with every reference in it replaced, in keys as well.
  @Nullable Object resolveAll(@Nullable Object value) {
    return switch (value) {
      case String text -> resolve(text);
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach(
            (name, member) ->
                copy.put(String.valueOf(resolve(String.valueOf(name))), resolveAll(member)));
        yield copy;
      }
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(resolveAll(element)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  private @Nullable Object value(String name) {
    if (name.startsWith(BODY + ".")) {
      return FieldPath.lookUp(values.get(BODY), name.substring(BODY.length() + 1), this);
    }
    if (!values.containsKey(name)) {
      throw new AssertionError("nothing was kept as [" + name + "]");
    }
    return values.get(name);
  }
}
