package dev.tidemark.log.testkit;

/// The operations of a storage and of its files, as [StorageCounts] counts and [FaultPlan] fails
/// them.
public enum StorageOp {
  /// `Storage.list`
  LIST,
  /// `Storage.open`
  OPEN,
  /// `Storage.create`
  CREATE,
  /// `Storage.rename`
  RENAME,
  /// `Storage.replace`
  REPLACE,
  /// `Storage.delete`
  DELETE,
  /// `Storage.syncDirectory`
  SYNC_DIRECTORY,
  /// `Storage.lock`
  LOCK,
  /// `Storage.Ownership.adopt` of a copy
  ADOPT,
  /// `StorageFile.write`
  WRITE,
  /// `StorageFile.read`
  READ,
  /// `StorageFile.sync`
  SYNC,
  /// `StorageFile.size`
  SIZE
}
