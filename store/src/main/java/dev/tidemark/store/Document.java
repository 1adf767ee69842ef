package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/// A kept document.
///
/// @param id its id, unique in its collection
/// @param version 1 at first, one more with each change (or the caller's, with external versions)
/// @param seqNo its last change's place among the collection's changes, from 0
/// @param primaryTerm always 1 so far
/// @param routing as given; kept, and of no effect
/// @param source the document, compact, its literals as they came
public record Document(
    String id,
    long version,
    long seqNo,
    long primaryTerm,
    @Nullable String routing,
    JsonText source) {}
