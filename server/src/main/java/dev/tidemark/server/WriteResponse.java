package dev.tidemark.server;

import dev.tidemark.store.Document;
import dev.tidemark.store.Outcome;
import dev.tidemark.store.Precondition;
import org.jspecify.annotations.Nullable;

/// The answer to a write of one document, alone or as a bulk item.
final class WriteResponse {
  private WriteResponse() {}

  /// The answer's fields, within an object that its caller opens and closes.
  static void writeFields(
      Outcome.Applied applied, IndexTraits traits, Refresh refresh, JsonOutput out) {
    boolean noop = applied.result() == Outcome.Result.NOOP;
    out.field("_index", applied.collection().name());
    out.field("_id", applied.id());
    out.field("_version", applied.version());
    out.field("result", result(applied.result()));
    if (refresh.isForced() && !noop) {
      out.field("forced_refresh", true);
    }
    out.name("_shards").openObject();
    out.field("total", noop ? 0 : traits.replicas() + 1L);
    out.field("successful", noop ? 0 : 1).field("failed", 0).closeObject();
    out.field("_seq_no", applied.seqNo());
    out.field("_primary_term", applied.primaryTerm());
  }

  /// The document that an update left behind, as far as the request wants its source.
  static void writeGet(@Nullable Document document, @Nullable SourceFilter filter, JsonOutput out) {
    if (document == null || filter == null || filter.hidesSource()) {
      return;
    }
    out.name("get").openObject();
    out.field("_seq_no", document.seqNo());
    out.field("_primary_term", document.primaryTerm());
    out.field("found", true).name("_source");
    filter.write(document.source(), out);
    out.closeObject();
  }

  static int status(Outcome.Result result) {
    return switch (result) {
      case CREATED -> 201;
      case NOT_FOUND -> 404;
      case UPDATED, DELETED, NOOP -> 200;
    };
  }

  private static String result(Outcome.Result result) {
    return switch (result) {
      case CREATED -> "created";
      case UPDATED -> "updated";
      case DELETED -> "deleted";
      case NOT_FOUND -> "not_found";
      case NOOP -> "noop";
    };
  }

  /// The write that happened.
  ///
  /// @throws ApiException if it did not
  static Outcome.Applied applied(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Applied applied -> applied;
      case Outcome.Conflict conflict ->
          throw ApiException.of(
                  409,
                  "version_conflict_engine_exception",
                  "[" + conflict.id() + "]: version conflict, " + why(conflict))
              .at(conflict.collection());
      case Outcome.DocumentMissing missing ->
          throw ApiException.of(
                  404, "document_missing_exception", "[" + missing.id() + "]: document missing")
              .at(missing.collection());
      case Outcome.CollectionMissing missing ->
          throw ApiException.indexNotFound(missing.collection(), "index_expression");
      case Outcome.Rejected rejected ->
          throw ApiException.illegalArgument(rejected.reason())
              .with("index", rejected.collection());
      case Outcome.CollectionExists _, Outcome.CollectionChanged _ ->
          throw new IllegalStateException("a document's write ended in " + outcome);
    };
  }

  private static String why(Outcome.Conflict conflict) {
    return switch (conflict.precondition()) {
      case Precondition.Absent _ ->
          "document already exists (current version [" + conflict.currentVersion() + "])";
      case Precondition.Matches matches ->
          "required seqNo ["
              + matches.seqNo()
              + "], primary term ["
              + matches.primaryTerm()
              + "]."
              + (conflict.currentSeqNo() < 0
                  ? " but no document was found"
                  : " current document has seqNo ["
                      + conflict.currentSeqNo()
                      + "] and primary term ["
                      + conflict.currentPrimaryTerm()
                      + "]");
      case Precondition.External external ->
          "current version ["
              + conflict.currentVersion()
              + "] is higher or equal to the one provided ["
              + external.version()
              + "]";
      case Precondition.ExternalOrEqual external ->
          "current version ["
              + conflict.currentVersion()
              + "] is higher than the one provided ["
              + external.version()
              + "]";
      case Precondition.None _ -> "another write came first";
    };
  }
}
