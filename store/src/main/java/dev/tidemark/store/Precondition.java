package dev.tidemark.store;

/// What must hold of a document, when its turn in the log comes, for a write to happen.
public sealed interface Precondition {
  /// Nothing.
  record None() implements Precondition {}

  /// No such document may exist (`op_type=create`).
  record Absent() implements Precondition {}

  /// The document's last change must be this one (`if_seq_no`, `if_primary_term`).
  record Matches(long seqNo, long primaryTerm) implements Precondition {}

  /// The given version must be above the document's, and becomes it (`version_type=external`).
  record External(long version) implements Precondition {}

  /// The given version must not be below the document's (`version_type=external_gte`).
  record ExternalOrEqual(long version) implements Precondition {}

  /// The usual one.
  Precondition NONE = new None();
}
