package dev.tidemark.server.spec;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The error that a call of a suite is to end in.
sealed interface Catch {
  /// An answer of one status, by the suite's name for it.
  record Status(String name, int code) implements Catch {}

  /// Any error status that has no name of its own.
  record AnyOther() implements Catch {}

  /// An error whose text, the `error` of the answer, holds a match.
  record Text(Pattern pattern) implements Catch {}

  /// A call that the API's description does not allow, so that a client refuses to make it.
  record Parameter() implements Catch {}

  /// Status codes by the suite's names.
  Map<String, Integer> NAMED =
      Map.of(
          "bad_request", 400,
          "unauthorized", 401,
          "forbidden", 403,
          "missing", 404,
          "request_timeout", 408,
          "conflict", 409,
          "unavailable", 503);

  /// Statuses that [AnyOther] does not stand for.
  Set<Integer> NOT_OTHER = Set.of(400, 401, 403, 404, 405, 408, 409);

  static Catch parse(String text) {
    String trimmed = text.strip();
    if (Expectation.isRegex(trimmed)) {
      return new Text(Pattern.compile(trimmed.substring(1, trimmed.length() - 1)));
    }
    Integer code = NAMED.get(trimmed);
    if (code != null) {
      return new Status(trimmed, code);
    }
    return switch (trimmed) {
      case "request" -> new AnyOther();
      case "param" -> new Parameter();
      default -> throw new IllegalArgumentException("unknown catch [" + text + "]");
    };
  }

  /// Checks an answer.
  ///
  /// @throws AssertionError if it is not the error to be caught
  static void check(Catch expected, RestAnswer answer) {
    boolean caught =
        switch (expected) {
          case Status status -> answer.status() == status.code();
          case AnyOther _ -> answer.status() >= 400 && !NOT_OTHER.contains(answer.status());
          case Text text ->
              answer.status() >= 400 && text.pattern().matcher(answer.errorText()).find();
          case Parameter _ -> false;
        };
    if (!caught) {
      throw new AssertionError(expected + " was to be caught, but " + answer.describe());
    }
  }
}
