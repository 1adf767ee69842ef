package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// A change, as it goes into the log: one record each. Names and ids are checked by the caller
/// against [StoreLimits]; whether the change happens is decided by apply, in log order.
public sealed interface Operation {
  /// The name of the collection it is about.
  String collection();

  /// Creates a collection.
  ///
  /// @param settings an object, kept as given
  /// @param mappings an object, kept as given
  /// @param aliases an object, kept as given
  record CreateCollection(String collection, JsonText settings, JsonText mappings, JsonText aliases)
      implements Operation {}

  /// Deletes a collection and its documents.
  record DeleteCollection(String collection) implements Operation {}

  /// Writes a whole document; creates its collection where it is missing.
  record Put(
      String collection,
      String id,
      @Nullable String routing,
      JsonText source,
      Precondition precondition)
      implements Operation {}

  /// Deletes a document.
  record Delete(String collection, String id, @Nullable String routing, Precondition precondition)
      implements Operation {}

  /// Merges a partial document into a kept one, or writes `upsert` where there is none. The merge
  /// happens in log order, so that two updates never lose each other.
  ///
  /// @param partial merged by field into the document, objects deeply, the rest replaced
  /// @param upsert the document written where none exists; null for none
  /// @param noop what to do when the merge changes nothing
  record Update(
      String collection,
      String id,
      @Nullable String routing,
      JsonText partial,
      @Nullable JsonText upsert,
      NoopDetection noop,
      Precondition precondition)
      implements Operation {}

  /// Whether an update that changes nothing is one (`detect_noop`).
  enum NoopDetection {
    /// Nothing is written, and the outcome says `noop`.
    ON,
    /// The document is written again, with a new version.
    OFF
  }
}
