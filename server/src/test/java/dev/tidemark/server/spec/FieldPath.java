package dev.tidemark.server.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Paths into an answer: names and list positions joined by dots. `\.` is a dot within a name,
/// `$name` a name from the stash, `_arbitrary_key_` any key of an object.
final class FieldPath {
  private static final String ANY_KEY = "_arbitrary_key_";

  private FieldPath() {}

  /// The value at `path`; the root for the empty path; null where a name is missing on the way.
  ///
  /// @throws AssertionError where the path does not fit the answer's shape: a position outside a
  ///   list, a name within a list, or anything below a scalar
  static @Nullable Object lookUp(@Nullable Object root, String path, Stash stash) {
    Object current = root;
    for (String part : split(path)) {
      if (current == null) {
        return null;
      }
      String key = Stash.isReference(part) ? String.valueOf(stash.resolve(part)) : part;
      current = step(current, key, path);
    }
    return current;
  }

  /// The parts of a path, in their order, dots within names unescaped.
  static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\' && i + 1 < path.length() && path.charAt(i + 1) == '.') {
        part.append('.');
        i++;
      } else if (c == '.') {
        add(part, parts);
      } else {
        part.append(c);
      }
    }
    add(part, parts);
    return parts;
  }

  private static void add(StringBuilder part, List<String> parts) {
    if (!part.isEmpty()) {
      parts.add(part.toString());
      part.setLength(0);
    }
  }

  private static @Nullable Object step(Object current, String key, String path) {
    return switch (current) {
      case Map<?, ?> map when key.equals(ANY_KEY) && !map.isEmpty() ->
          map.keySet().iterator().next();
      case Map<?, ?> map -> map.get(key);
      case List<?> list -> element(list, key, path);
      default ->
          throw new AssertionError(
              "[" + path + "]: nothing can be below the value [" + current + "]");
    };
  }

  private static @Nullable Object element(List<?> list, String key, String path) {
    if (!key.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new AssertionError("[" + path + "]: a list has no [" + key + "]");
    }
    int position = Integer.parseInt(key);
    if (position >= list.size()) {
      throw new AssertionError(
          "[" + path + "]: the list has " + list.size() + " elements, none at [" + key + "]");
    }
    return list.get(position);
  }
}
