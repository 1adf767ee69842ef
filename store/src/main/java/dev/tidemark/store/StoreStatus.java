package dev.tidemark.store;

import java.util.List;

/// How far each part of the store is.
///
/// @param appendedLsn the last operation accepted
/// @param durableLsn the last one on disk in the log
/// @param appliedLsn the last one applied, and so visible
/// @param kvLsn the key-value side's watermark: all up to here is durable without the log
/// @param firstLsn the first operation the log still keeps
/// @param logBytes the log's files together
/// @param logSegments how many they are
/// @param kvBytes the key-value side's files together
/// @param collections every collection, by name
public record StoreStatus(
    long appendedLsn,
    long durableLsn,
    long appliedLsn,
    long kvLsn,
    long firstLsn,
    long logBytes,
    int logSegments,
    long kvBytes,
    List<CollectionInfo> collections) {}
