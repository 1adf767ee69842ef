package dev.tidemark.server;

import org.jspecify.annotations.Nullable;

/// One action of a bulk request, as its lines say.
///
/// @param terms the action (`index`, `create`, `update`, `delete`) and its terms
/// @param index as given on the line, or by the request
/// @param id as given, or null for one of the server's making
/// @param routing as given on the line, or by the request
/// @param requireAlias whether `index` must be an alias
/// @param pipeline as given
/// @param source what of an updated document the answer shows; null if the line does not say
/// @param documentLine the number of the line that holds the document, from 1
/// @param offset where the document starts in the body
/// @param length of the document; 0 for a delete
record BulkItem(
    WriteTerms terms,
    String index,
    @Nullable String id,
    @Nullable String routing,
    boolean requireAlias,
    @Nullable String pipeline,
    @Nullable SourceFilter source,
    int documentLine,
    int offset,
    int length) {}
