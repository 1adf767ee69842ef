package dev.tidemark.store;

import dev.tidemark.store.Precondition.Absent;
import dev.tidemark.store.Precondition.External;
import dev.tidemark.store.Precondition.ExternalOrEqual;
import dev.tidemark.store.Precondition.Matches;
import dev.tidemark.store.Precondition.None;
import dev.tidemark.store.StoredDocument.Head;
import org.jspecify.annotations.Nullable;

/// The rules of [Precondition], for a document as it is kept: null if it never was.
final class Preconditions {
  private Preconditions() {}

  static boolean hold(Precondition precondition, @Nullable Head head) {
    return switch (precondition) {
      case None() -> true;
      case Absent() -> head == null || !head.live();
      case Matches(long seqNo, long term) ->
          head != null && head.live() && head.seqNo() == seqNo && head.primaryTerm() == term;
      case External(long version) -> head == null || version > head.version();
      case ExternalOrEqual(long version) -> head == null || version >= head.version();
    };
  }

  /// Whether the caller gives the version.
  static boolean isExternal(Precondition precondition) {
    return precondition instanceof External || precondition instanceof ExternalOrEqual;
  }

  /// Whether no version could follow the document's.
  static boolean isLastVersion(Precondition precondition, @Nullable Head head) {
    return head != null && head.version() == Long.MAX_VALUE && !isExternal(precondition);
  }

  /// The version that a change gives the document; it goes on behind a delete.
  static long nextVersion(Precondition precondition, @Nullable Head head) {
    return switch (precondition) {
      case External(long version) -> version;
      case ExternalOrEqual(long version) -> version;
      default -> head == null ? 1 : head.version() + 1;
    };
  }
}
