package dev.tidemark.server.spec;

import org.jspecify.annotations.Nullable;

/// A request that an [RestApi] has made of a step.
///
/// @param method the HTTP method
/// @param target path and query, percent-encoded
/// @param body the body's text, or null for none
/// @param contentType of the body
record RestCall(String method, String target, @Nullable String body, String contentType) {
  static RestCall withoutBody(String method, String target) {
    return new RestCall(method, target, null, "");
  }
}
