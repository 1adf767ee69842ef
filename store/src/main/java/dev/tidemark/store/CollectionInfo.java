package dev.tidemark.store;

/// A collection as it was when asked for.
///
/// @param name as OpenSearch's rules for index names allow
/// @param uuid 22 characters, the same after every replay
/// @param number the collection's place among all ever created, from 1
/// @param createdAtMs log-clock time, milliseconds since 1970
/// @param settings kept as given
/// @param mappings kept as given
/// @param aliases kept as given
/// @param documents live documents
/// @param deleted deleted documents whose versions are kept
/// @param nextSeqNo the sequence number of the next change
/// @param sourceBytes the live documents' sources together
public record CollectionInfo(
    String name,
    String uuid,
    int number,
    long createdAtMs,
    JsonText settings,
    JsonText mappings,
    JsonText aliases,
    long documents,
    long deleted,
    long nextSeqNo,
    long sourceBytes) {

  /// The collection behind a change, which takes a sequence number.
  CollectionInfo changed(long documentsMore, long deletedMore, long sourceBytesMore) {
    return withCounts(
        documents + documentsMore,
        deleted + deletedMore,
        nextSeqNo + 1,
        sourceBytes + sourceBytesMore);
  }

  CollectionInfo withCounts(long documents, long deleted, long nextSeqNo, long sourceBytes) {
    return new CollectionInfo(
        name,
        uuid,
        number,
        createdAtMs,
        settings,
        mappings,
        aliases,
        documents,
        deleted,
        nextSeqNo,
        sourceBytes);
  }
}
