package dev.tidemark.server;

/// What a write's `refresh` asks for. Everything that is acknowledged can be read, so there is
/// nothing to wait for; the answer says what was asked.
enum Refresh {
  NONE,
  FORCED,
  WAIT;

  static Refresh of(RequestParameters parameters) {
    String text = parameters.isEmpty() ? null : parameters.text("refresh");
    if (text == null) {
      return NONE;
    }
    return switch (text) {
      case "", "true" -> FORCED;
      case "false" -> NONE;
      case "wait_for" -> WAIT;
      default -> throw ApiException.illegalArgument("Unknown value for refresh: [" + text + "].");
    };
  }

  boolean isForced() {
    return this == FORCED;
  }
}
