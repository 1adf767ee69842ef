package dev.tidemark.server.spec;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A version in the order of the suite: 5, 6 and 7 are the product's that OpenSearch began as, and
/// come before OpenSearch 1.0.
record SuiteVersion(int major, int minor, int patch) implements Comparable<SuiteVersion> {
  /// The version whose behaviour the artifact describes.
  static final SuiteVersion CURRENT = parse("2.19.0");

  private static final int FIRST_OF_THE_ANCESTOR = 5;

  /// Reads `major[.minor[.patch]]`.
  static SuiteVersion parse(String text) {
    if (!text.matches("\\d+(\\.\\d+){0,2}")) {
      throw new IllegalArgumentException("[" + text + "] is no version");
    }
    int[] parts =
        Arrays.copyOf(Arrays.stream(text.split("\\.")).mapToInt(Integer::parseInt).toArray(), 3);
    return new SuiteVersion(parts[0], parts[1], parts[2]);
  }

  /// Whether the range of a skip section covers this version: `all`, or `from - to` where either
  /// bound may be left out, bounds included; several ranges are joined by commas.
  boolean isWithin(String ranges) {
    return Arrays.stream(ranges.split(",")).anyMatch(range -> isWithinOne(range.trim()));
  }

  private boolean isWithinOne(String range) {
    if (range.equals("all")) {
      return true;
    }
    Matcher bounds = Pattern.compile("([^ -]*) *- *([^ -]*)").matcher(range);
    if (!bounds.matches()) {
      throw new IllegalArgumentException("[" + range + "] is no range of versions");
    }
    String from = bounds.group(1);
    String to = bounds.group(2);
    return (from.isEmpty() || parse(from).compareTo(this) <= 0)
        && (to.isEmpty() || parse(to).compareTo(this) >= 0);
  }

  @Override
  public int compareTo(SuiteVersion other) {
    return Arrays.compare(ordinals(), other.ordinals());
  }

  private int[] ordinals() {
    return new int[] {major >= FIRST_OF_THE_ANCESTOR ? 0 : 1, major, minor, patch};
  }
}
