package dev.tidemark.server;

/// Spans of time as OpenSearch writes them: a number and `nanos`, `micros`, `ms`, `s`, `m`, `h`,
/// `d`.
final class TimeValue {
  private TimeValue() {}

  /// Reads a span.
  ///
  /// @param name of the setting, for the message
  /// @return milliseconds, rounded down; -1 for `-1`
  static long millis(String name, String text) {
    if (text.equals("-1") || text.equals("0")) {
      return Long.parseLong(text);
    }
    int unit = text.length();
    while (unit > 0 && !Character.isDigit(text.charAt(unit - 1))) {
      unit--;
    }
    try {
      long number = Long.parseLong(text.substring(0, unit));
      return switch (text.substring(unit)) {
        case "nanos" -> number / 1_000_000;
        case "micros" -> number / 1_000;
        case "ms" -> number;
        case "s" -> Math.multiplyExact(number, 1_000L);
        case "m" -> Math.multiplyExact(number, 60_000L);
        case "h" -> Math.multiplyExact(number, 3_600_000L);
        case "d" -> Math.multiplyExact(number, 86_400_000L);
        default -> throw unreadable(name, text, "unit is missing or unrecognized");
      };
    } catch (NumberFormatException | ArithmeticException e) {
      throw unreadable(name, text, "the number is missing or out of range");
    }
  }

  private static ApiException unreadable(String name, String text, String why) {
    return ApiException.illegalArgument(
        "failed to parse setting [" + name + "] with value [" + text + "] as a time value: " + why);
  }
}
