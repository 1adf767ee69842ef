package dev.tidemark.store;

/// Settings of a store, checked once when they are built.
public final class StoreOptions {
  private StoreOptions() {}

  /// The defaults.
  public static StoreOptions defaults() {
    return new StoreOptions();
  }
}
