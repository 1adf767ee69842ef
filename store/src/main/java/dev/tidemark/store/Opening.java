package dev.tidemark.store;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogException;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.Replay;
import dev.tidemark.log.spi.Storage;
import org.jspecify.annotations.Nullable;

/// Opens the parts of a store, checks that they belong together, and replays what the key-value
/// side lacks. Where that fails, what was opened is closed again. Used once, by one thread.
final class Opening {
  private final StoreDirectory directory;
  private final StoreOptions options;
  private final Catalog catalog = new Catalog();
  private @Nullable Log log;
  private @Nullable KeyValueSide kv;
  private @Nullable Apply apply;

  Opening(StoreDirectory directory, StoreOptions options) {
    this.directory = directory;
    this.options = options;
  }

  /// The opened parts.
  ///
  /// @param kvLsn the key-value side's watermark before the replay
  /// @param replayedBytes the records that were replayed
  record Parts(
      Log log, KeyValueSide kv, Apply apply, Catalog catalog, long kvLsn, long replayedBytes) {}

  /// @param logStorage where the log lies; null for the directory's `log`
  Parts open(@Nullable Storage logStorage) {
    try {
      return openAll(logStorage);
    } catch (LogException e) {
      closeAll(e);
      throw new StoreUnusableException(String.valueOf(e.getMessage()), e);
    } catch (UnreadableException e) {
      closeAll(e);
      throw new StoreUnusableException(
          "%s holds what this version of Tidemark cannot read: %s; nothing was changed"
              .formatted(directory.keyValue(), e.getMessage()),
          e);
    } catch (RuntimeException | Error e) {
      closeAll(e);
      throw e;
    }
  }

  private Parts openAll(@Nullable Storage logStorage) {
    if (logStorage == null && directory.hasNoLog() && !directory.hasNoKeyValueSide()) {
      refuseIfLogIsGone();
    }
    Log opened =
        logStorage == null
            ? Log.open(directory.log(), options.log())
            : Log.open(logStorage, options.log());
    log = opened;
    if (directory.hasNoKeyValueSide()) {
      check(0, opened.firstLsn(), opened.durableLsn());
    }
    directory.createKeyValueSide();
    KeyValueSide side = KeyValueSide.open(directory.keyValue(), options);
    kv = side;
    long kvLsn = side.progress().lsn();
    check(kvLsn, opened.firstLsn(), opened.durableLsn());
    Apply applying = new Apply(side, catalog);
    apply = applying;
    long replayedBytes = replay(opened, applying, kvLsn + 1);
    return new Parts(opened, side, applying, catalog, kvLsn, replayedBytes);
  }

  /// Opening a log where there is none would make one: so the key-value side is asked first.
  private void refuseIfLogIsGone() {
    try (KeyValueSide side = KeyValueSide.open(directory.keyValue(), options)) {
      check(side.progress().lsn(), 1, 0);
    }
  }

  private void check(long kvLsn, long firstLsn, long durableLsn) {
    if (firstLsn > kvLsn + 1) {
      throw new StoreUnusableException(
          "in %s the key-value side ends at LSN %d, but the log begins at LSN %d: what lies between is missing; nothing was changed; put [kv] back from a copy"
              .formatted(directory, kvLsn, firstLsn),
          null);
    }
    if (kvLsn > durableLsn) {
      throw new StoreUnusableException(
          "in %s the key-value side is at LSN %d, but the log ends at LSN %d: the log's end is missing; nothing was changed; put [log] back from a copy"
              .formatted(directory, kvLsn, durableLsn),
          null);
    }
  }

  private static long replay(Log log, Apply apply, long fromLsn) {
    long bytes = 0;
    try (Replay replay = log.replay(fromLsn)) {
      for (RecordView next = replay.next(); next != null; next = replay.next()) {
        OperationCodec.Decoded decoded = decode(next);
        apply.apply(next.lsn(), decoded.timeMs(), decoded.operation());
        bytes += next.length();
        if (apply.pendingBytes() > Applier.GROUP_BYTES_MAX) {
          apply.commit();
        }
      }
    }
    apply.commit();
    return bytes;
  }

  private static OperationCodec.Decoded decode(RecordView view) {
    try {
      return OperationCodec.decode(view.toBytes());
    } catch (UnreadableException e) {
      throw new StoreUnusableException(
          "the log's record with LSN %d cannot be read: %s; nothing was changed; use the version of Tidemark that wrote it"
              .formatted(view.lsn(), e.getMessage()),
          e);
    }
  }

  private void closeAll(Throwable cause) {
    closeOne(apply, cause);
    closeOne(kv, cause);
    closeOne(log, cause);
  }

  private static void closeOne(@Nullable AutoCloseable part, Throwable cause) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      cause.addSuppressed(e);
    }
  }
}
