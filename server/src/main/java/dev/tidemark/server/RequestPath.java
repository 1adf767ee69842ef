package dev.tidemark.server;

/// A request's path, split once at its slashes. Each step is decoded when asked for, once, so that
/// an encoded slash or percent sign is part of a name. A slash at the end counts for nothing.
final class RequestPath {
  private static final int STEPS_MAX = 4;

  private final String raw;
  private final String[] steps = new String[STEPS_MAX];
  private int count;

  private RequestPath(String raw) {
    this.raw = raw;
  }

  static RequestPath of(String rawPath) {
    RequestPath path = new RequestPath(rawPath);
    int end = rawPath.length();
    if (end > 1 && rawPath.charAt(end - 1) == '/') {
      end--;
    }
    int start = 1;
    while (start < end) {
      int slash = rawPath.indexOf('/', start);
      int stop = slash < 0 || slash > end ? end : slash;
      if (path.count < STEPS_MAX) {
        path.steps[path.count] = rawPath.substring(start, stop);
      }
      path.count++;
      start = stop + 1;
    }
    return path;
  }

  /// How many steps it has.
  int count() {
    return count;
  }

  /// A step as it was sent.
  String rawStep(int index) {
    return steps[index];
  }

  /// A step, decoded.
  String step(int index) {
    return Percent.decodePath(steps[index]);
  }

  /// The whole path, decoded, for messages only.
  String text() {
    try {
      return Percent.decodePath(raw);
    } catch (ApiException e) {
      return raw;
    }
  }
}
