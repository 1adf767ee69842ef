package dev.tidemark.log.testkit;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// How often each operation was entered, in total and per file, since the last [#reset]. Operations
/// that failed count too. Any thread.
///
/// An operation on a file counts under the name that the file was opened or created under; a rename
/// under its old name; `list`, `lock` and `syncDirectory` under no name.
public final class StorageCounts {
  static final String NO_FILE = "";

  private final Map<StorageOp, Map<String, Long>> counts = new EnumMap<>(StorageOp.class);

  StorageCounts() {}

  synchronized void add(StorageOp op, String file) {
    counts.computeIfAbsent(op, k -> new HashMap<>()).merge(file, 1L, Long::sum);
  }

  /// How often `op` was entered, on all files together.
  public synchronized long of(StorageOp op) {
    long sum = 0;
    for (long n : counts.getOrDefault(op, Map.of()).values()) {
      sum += n;
    }
    return sum;
  }

  /// How often `op` was entered on the file that was opened or created as `file`.
  public synchronized long of(StorageOp op, String file) {
    return counts.getOrDefault(op, Map.of()).getOrDefault(file, 0L);
  }

  /// Starts again from zero.
  public synchronized void reset() {
    counts.clear();
  }

  @Override
  public synchronized String toString() {
    return counts.toString();
  }
}
