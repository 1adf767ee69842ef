package dev.tidemark.store;

/// What apply decided about an [Operation]. It is durable when the caller sees it.
public sealed interface Outcome {
  /// The document was written or deleted, or is unchanged.
  ///
  /// @param collection the collection as it is after the write
  record Applied(
      Result result,
      CollectionInfo collection,
      String id,
      long version,
      long seqNo,
      long primaryTerm)
      implements Outcome {}

  /// The precondition does not hold; nothing changed. The current values are 0 (version), -2
  /// (sequence number) and 0 (term) where no document exists.
  record Conflict(
      CollectionInfo collection,
      String id,
      Precondition precondition,
      long currentVersion,
      long currentSeqNo,
      long currentPrimaryTerm)
      implements Outcome {}

  /// An update found no document and has no upsert.
  record DocumentMissing(CollectionInfo collection, String id) implements Outcome {}

  /// A delete of a collection, or of a document in one, found none of that name.
  record CollectionMissing(String collection) implements Outcome {}

  /// A create found the name taken.
  record CollectionExists(CollectionInfo collection) implements Outcome {}

  /// The collection was created or deleted.
  record CollectionChanged(CollectionInfo collection) implements Outcome {}

  /// The change can't be made to the document as it is (a merge beyond the size limit, say).
  record Rejected(String collection, String id, String reason) implements Outcome {}

  /// What became of a document.
  enum Result {
    CREATED,
    UPDATED,
    DELETED,
    /// A delete of a document that does not exist; it takes a version and a sequence number.
    NOT_FOUND,
    NOOP
  }
}
