package dev.tidemark.server.spec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a step of a suite may demand of one value. As strict as the suite's first runner: the
/// string `"1"` is not the number `1`, and a regular expression matches strings only.
enum Expectation {
  MATCH {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      if (expected instanceof String text && isRegex(text)) {
        return actual instanceof String string && regex(text).matcher(string).find();
      }
      if (actual instanceof Number number && expected instanceof Number other) {
        return compare(number, other) == 0;
      }
      return same(actual, expected);
    }
  },
  LENGTH {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      int length =
          switch (actual) {
            case String text -> text.length();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> -1;
          };
      return expected instanceof Number number && number.intValue() == length;
    }
  },
  IS_TRUE {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return !isFalse(actual);
    }
  },
  IS_FALSE {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return isFalse(actual);
    }
  },
  LT {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return areNumbers(actual, expected) && compare(actual, expected) < 0;
    }
  },
  LTE {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return areNumbers(actual, expected) && compare(actual, expected) <= 0;
    }
  },
  GT {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return areNumbers(actual, expected) && compare(actual, expected) > 0;
    }
  },
  GTE {
    @Override
    boolean holds(@Nullable Object actual, @Nullable Object expected) {
      return areNumbers(actual, expected) && compare(actual, expected) >= 0;
    }
  };

  /// Whether the value is as expected. `expected` is null for those that expect nothing of their
  /// own.
  abstract boolean holds(@Nullable Object actual, @Nullable Object expected);

  /// Whether a text stands for a regular expression: it does between slashes.
  static boolean isRegex(String text) {
    String trimmed = text.strip();
    return trimmed.length() > 2 && trimmed.startsWith("/") && trimmed.endsWith("/");
  }

  /// The pattern between the slashes; white space and comments in it do not count.
  private static Pattern regex(String text) {
    String trimmed = text.strip();
    return Pattern.compile(trimmed.substring(1, trimmed.length() - 1), Pattern.COMMENTS);
  }

  /// Equality of whole values: within a document, unlike at its top, 1 and 1.0 differ, for a
  /// database must not change the one into the other.
  private static boolean same(@Nullable Object actual, @Nullable Object expected) {
    if (actual instanceof Number number && expected instanceof Number other) {
      return isWhole(number) == isWhole(other) && compare(number, other) == 0;
    }
    if (actual instanceof List<?> list && expected instanceof List<?> others) {
      return list.size() == others.size() && sameElements(list, others);
    }
    if (actual instanceof Map<?, ?> map && expected instanceof Map<?, ?> others) {
      return map.keySet().equals(others.keySet())
          && map.keySet().stream().allMatch(key -> same(map.get(key), others.get(key)));
    }
    return Objects.equals(actual, expected);
  }

  private static boolean sameElements(List<?> list, List<?> others) {
    for (int i = 0; i < list.size(); i++) {
      if (!same(list.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFalse(@Nullable Object value) {
    return value == null
        || List.of("", "false", "0").contains(value.toString().toLowerCase(Locale.ROOT));
  }

  private static boolean isWhole(Number number) {
    return number instanceof Integer || number instanceof Long || number instanceof BigInteger;
  }

  private static boolean areNumbers(@Nullable Object actual, @Nullable Object expected) {
    return actual instanceof Number && expected instanceof Number;
  }

  private static int compare(@Nullable Object actual, @Nullable Object expected) {
    return new BigDecimal(String.valueOf(actual))
        .compareTo(new BigDecimal(String.valueOf(expected)));
  }
}
