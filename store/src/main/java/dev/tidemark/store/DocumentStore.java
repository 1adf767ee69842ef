package dev.tidemark.store;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A durable store of JSON documents in named collections, in one directory. Any number of threads,
/// platform or virtual, may use it.
public final class DocumentStore implements AutoCloseable {
  private DocumentStore() {}

  private static IllegalStateException unwritten() {
    return new IllegalStateException("not there yet");
  }

  /// Opens the store in `directory`, which is created where it is missing, and recovers it from its
  /// log.
  public static DocumentStore open(Path directory, StoreOptions options) {
    throw unwritten();
  }

  /// Logs the operation, waits until it is durable and applied, and answers what became of it.
  public Outcome execute(Operation operation) {
    throw unwritten();
  }

  /// As [#execute], for operations that become durable together or not at all; each has an outcome
  /// of its own, in their order.
  public List<Outcome> executeAll(List<? extends Operation> operations) {
    throw unwritten();
  }

  /// The document, or null if there is none of that id or no such collection.
  public @Nullable Document get(String collection, String id) {
    throw unwritten();
  }

  /// The collection of that name, or null.
  public @Nullable CollectionInfo collection(String name) {
    throw unwritten();
  }

  /// Every collection, by name.
  public List<CollectionInfo> collections() {
    throw unwritten();
  }

  /// Every document of a collection as it is at the call, in the order of their ids' bytes.
  public void forEach(String collection, Consumer<Document> consumer) {
    throw unwritten();
  }

  /// Makes all applied operations durable on the key-value side, and trims the log below.
  public void checkpoint() {
    throw unwritten();
  }

  /// Watermarks and sizes.
  public StoreStatus status() {
    throw unwritten();
  }

  /// Finishes what was accepted, checkpoints, and gives the directory free.
  @Override
  public void close() {
    throw unwritten();
  }
}
