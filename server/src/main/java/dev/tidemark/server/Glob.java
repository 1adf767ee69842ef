package dev.tidemark.server;

/// Patterns in which `*` stands for any text, in time linear in text times stars.
final class Glob {
  private Glob() {}

  static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  /// Whether all of `text` fits `pattern`.
  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /// Whether something that starts with `text` could fit `pattern`.
  static boolean mayContinue(String pattern, String text) {
    int star = pattern.indexOf('*');
    int plain = star < 0 ? pattern.length() : star;
    int common = Math.min(plain, text.length());
    return pattern.regionMatches(0, text, 0, common) && (star >= 0 || text.length() <= plain);
  }
}
