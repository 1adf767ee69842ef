package dev.tidemark.store;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The collections as readers see them: each as the last committed group left it. Written by the
/// thread that applies, read by any.
final class Catalog {
  private final ConcurrentMap<String, CollectionInfo> byName = new ConcurrentHashMap<>();

  void put(CollectionInfo info) {
    byName.put(info.name(), info);
  }

  void remove(String name) {
    byName.remove(name);
  }

  @Nullable CollectionInfo get(String name) {
    return byName.get(name);
  }

  /// All of them, by name.
  List<CollectionInfo> all() {
    return byName.values().stream().sorted(Comparator.comparing(CollectionInfo::name)).toList();
  }
}
