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
    long sourceBytes) {}
