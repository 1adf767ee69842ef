package dev.tidemark.store;

/// How far the sides of the store are: `kv <= applied <= durable`, the last being the log's. Each
/// only rises. Applied is set by the [Applier], kv by the [Checkpointer]; any thread reads.
final class Watermarks {
  private volatile long appliedLsn;
  private volatile long kvLsn;

  /// @param lsn what the key-value side held on disk when it was opened
  Watermarks(long lsn) {
    this.appliedLsn = lsn;
    this.kvLsn = lsn;
  }

  /// All up to here is visible.
  void applied(long lsn) {
    appliedLsn = lsn;
  }

  /// All up to here is durable on the key-value side, without the log.
  void kv(long lsn) {
    kvLsn = lsn;
  }

  long appliedLsn() {
    return appliedLsn;
  }

  long kvLsn() {
    return kvLsn;
  }

  /// The smallest: the log may be trimmed up to here.
  long smallest() {
    return kvLsn;
  }
}
