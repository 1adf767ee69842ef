package dev.tidemark.store;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogStats;
import dev.tidemark.log.spi.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A durable store of JSON documents in named collections, in one directory.
///
/// A write goes: encoded by the caller, accepted into the log ([Intake]), durable together with
/// whatever else came meanwhile, decided and made visible in log order ([Applier], [Apply]),
/// answered. Reads go to the [KeyValueSide] directly and see what was applied.
///
/// Any number of threads, platform or virtual, may use a store. Interrupting one ends neither its
/// write nor another's. Errors are [StoreException]s; requests that break a limit are
/// [IllegalArgumentException]s, and leave no trace.
public final class DocumentStore implements AutoCloseable {
  private final Log log;
  private final KeyValueSide kv;
  private final Apply apply;
  private final Catalog catalog;
  private final Watermarks watermarks;
  private final Intake intake;
  private final Applier applier;
  private final Checkpointer checkpointer;
  private final AtomicBoolean closing = new AtomicBoolean();

  private DocumentStore(Opening.Parts parts, StoreOptions options) {
    this.log = parts.log();
    this.kv = parts.kv();
    this.apply = parts.apply();
    this.catalog = parts.catalog();
    this.watermarks = new Watermarks(parts.kvLsn());
    watermarks.applied(apply.progress().lsn());
    LogClock clock = new LogClock(options.clock());
    clock.seen(apply.progress().timeMs());
    this.intake = new Intake(log, clock, options.pendingBytesMax());
    this.checkpointer = new Checkpointer(log, kv, watermarks, intake, options.checkpointBytes());
    this.applier = new Applier(log, intake, apply, watermarks, checkpointer);
    checkpointer.applied(parts.replayedBytes());
  }

  /// Opens the store in `directory`, which is created where it is missing, and recovers it from its
  /// log.
  ///
  /// @throws StoreUnusableException if it cannot be opened: it is in use, damaged, incomplete, or
  ///   of a newer version
  public static DocumentStore open(Path directory, StoreOptions options) {
    return open(directory, options, null);
  }

  /// As [#open(Path, StoreOptions)], with the log on a storage of the caller's, for tests.
  static DocumentStore open(Path directory, StoreOptions options, @Nullable Storage logStorage) {
    Opening opening = new Opening(StoreDirectory.at(directory), options);
    DocumentStore store = new DocumentStore(opening.open(logStorage), options);
    store.applier.start();
    store.checkpointer.start();
    return store;
  }

  /// Logs the operation, waits until it is durable and applied, and answers what became of it. Not
  /// interruptible: the thread's interrupt status is kept.
  ///
  /// @throws IllegalArgumentException if the operation breaks a limit; nothing was written
  /// @throws StoreClosedException if the store is closed; nothing was written
  /// @throws StoreFailedException if the store has failed; the message says whether the operation
  ///   may have been kept
  public Outcome execute(Operation operation) {
    return executeAll(List.of(operation)).getFirst();
  }

  /// As [#execute], for operations that become durable together or not at all; each has an outcome
  /// of its own, in their order. Readers may see some of a large batch before the rest. Together
  /// they may have 128 MiB in the log.
  public List<Outcome> executeAll(List<? extends Operation> operations) {
    if (operations.isEmpty()) {
      return List.of();
    }
    List<byte[]> records = new ArrayList<>(operations.size());
    long bytes = 0;
    for (Operation operation : operations) {
      byte[] encoded = OperationCodec.encode(operation);
      records.add(encoded);
      bytes += encoded.length;
    }
    Pending pending = new Pending(operations, bytes);
    intake.accept(pending, records);
    return pending.await();
  }

  /// The document, or null if there is none of that id or no such collection.
  ///
  /// @throws StoreClosedException if the store is closed
  public @Nullable Document get(String collection, String id) {
    CollectionInfo info = catalog.get(collection);
    if (info == null) {
      return null;
    }
    byte[] value = kv.document(StoredKey.ofDocument(info.number(), Packer.utf8(id)));
    return value == null ? null : StoredDocument.read(id, value);
  }

  /// The collection of that name, or null.
  public @Nullable CollectionInfo collection(String name) {
    return catalog.get(name);
  }

  /// Every collection, by name.
  public List<CollectionInfo> collections() {
    return catalog.all();
  }

  /// Every document of a collection as it is at the call, in the order of their ids' bytes. A close
  /// waits for the consumer's return, then ends the run with a [StoreClosedException]; so the
  /// consumer must not close the store itself.
  ///
  /// @param collection where there is none of that name there is no document
  public void forEach(String collection, Consumer<Document> consumer) {
    CollectionInfo info = catalog.get(collection);
    if (info != null) {
      kv.forEachDocument(info.number(), consumer);
    }
  }

  /// Makes all applied operations durable on the key-value side, and trims the log below.
  ///
  /// @throws StoreFailedException if that failed; the store then accepts nothing more
  /// @throws StoreClosedException if the store is closed
  public void checkpoint() {
    if (closing.get()) {
      throw new StoreClosedException("the store was closed: open it again");
    }
    checkpointer.checkpoint();
  }

  /// Watermarks and sizes, not all of the same moment while writes go on.
  ///
  /// @throws StoreClosedException if the store is closed
  public StoreStatus status() {
    // From the smallest on, so that none of them seems to be ahead of one above it.
    long kvLsn = watermarks.kvLsn();
    long appliedLsn = watermarks.appliedLsn();
    long durableLsn = log.durableLsn();
    LogStats stats = log.stats();
    return new StoreStatus(
        log.appendedLsn(),
        durableLsn,
        appliedLsn,
        kvLsn,
        log.firstLsn(),
        stats.diskBytes(),
        stats.segments(),
        kv.bytesOnDisk(),
        catalog.all());
  }

  /// Why the store accepts no more writes, or null if it does, or is closed.
  public @Nullable StoreFailedException failure() {
    return intake.failure();
  }

  /// The key-value side, for tests.
  KeyValueSide keyValueSide() {
    return kv;
  }

  /// Finishes what was accepted, checkpoints, and gives the directory free. A store that has failed
  /// is closed as it is. A second call does nothing.
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    intake.refuse(
        new StoreClosedException("the store was closed; nothing was written: open it again"));
    applier.finish();
    checkpointer.finish();
    try {
      if (intake.failure() == null) {
        checkpointer.checkpoint();
      }
    } finally {
      apply.close();
      kv.close();
      log.close();
    }
  }
}
