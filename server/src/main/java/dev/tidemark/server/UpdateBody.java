package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import dev.tidemark.store.Operation;
import dev.tidemark.store.Precondition;
import dev.tidemark.store.StoreLimits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The body of an update: a partial document, and what to do where there is no document.
///
/// @param partial null if the body has none
/// @param upsert null if a missing document is an error
/// @param source what of the document the answer shows; null if the body does not say
record UpdateBody(
    @Nullable JsonText partial,
    @Nullable JsonText upsert,
    boolean docAsUpsert,
    Operation.NoopDetection noop,
    @Nullable SourceFilter source) {
  private static final Set<String> FIELDS =
      Set.of(
          "script",
          "scripted_upsert",
          "upsert",
          "doc",
          "doc_as_upsert",
          "detect_noop",
          "_source",
          "if_seq_no",
          "if_primary_term");

  static UpdateBody read(byte[] content) {
    if (content.length == 0) {
      throw ApiException.badRequest("parse_exception", "request body is required");
    }
    return read(content, 0, content.length);
  }

  /// Reads a body.
  ///
  /// @throws dev.tidemark.store.InvalidJsonException if it is no JSON
  static UpdateBody read(byte[] content, int offset, int length) {
    JsonCursor json = new JsonCursor(JsonText.parse(content, offset, length));
    BodyFields.requireObject(json, "UpdateRequest");
    JsonText partial = null;
    JsonText upsert = null;
    SourceFilter source = null;
    boolean docAsUpsert = false;
    var noop = Operation.NoopDetection.ON;
    json.enter();
    while (json.more()) {
      String field = json.name();
      switch (field) {
        case "doc" -> partial = document(json, field);
        case "upsert" -> upsert = document(json, field);
        case "doc_as_upsert" -> docAsUpsert = BodyFields.flag(json, field);
        case "detect_noop" ->
            noop =
                BodyFields.flag(json, field)
                    ? Operation.NoopDetection.ON
                    : Operation.NoopDetection.OFF;
        case "_source" -> source = SourceFilter.of(json);
        case "script", "scripted_upsert" ->
            throw ApiException.illegalArgument(
                "updates by [" + field + "] are not supported; send the changed fields as [doc]");
        default -> throw unknown(field);
      }
    }
    return new UpdateBody(partial, docAsUpsert ? partial : upsert, docAsUpsert, noop, source);
  }

  private static JsonText document(JsonCursor json, String field) {
    BodyFields.requireObject(json, field);
    JsonText document = json.value();
    if (document.bytes().length > StoreLimits.SOURCE_BYTES_MAX) {
      throw ApiException.of(
          413,
          "content_too_long_exception",
          "[" + field + "] may have " + StoreLimits.SOURCE_BYTES_MAX + " bytes");
    }
    return document;
  }

  private static ApiException unknown(String field) {
    String hint = RequestParameters.hint(field, FIELDS);
    return ApiException.badRequest(
        "x_content_parse_exception",
        "[UpdateRequest] unknown field ["
            + field
            + "]"
            + (hint.isEmpty() ? "" : hint.substring(3)));
  }

  /// Refuses a body that can't be an update under these terms.
  void check(WriteTerms terms) {
    if (partial == null) {
      throw ApiException.validation(
          docAsUpsert
              ? "doc must be specified if doc_as_upsert is enabled"
              : "script or doc is missing");
    }
    if (terms.hasIfSeqNo() && upsert != null) {
      throw ApiException.validation(
          "upsert requests don't support `if_seq_no` and `if_primary_term`");
    }
  }

  Operation operation(
      String collection, String id, @Nullable String routing, Precondition precondition) {
    if (partial == null) {
      throw new IllegalStateException("check() comes first");
    }
    return new Operation.Update(collection, id, routing, partial, upsert, noop, precondition);
  }
}
