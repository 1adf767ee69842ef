package dev.tidemark.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Another engine that makes records durable, for the log to be measured beside. Found by
/// `ServiceLoader`.
public interface Peer {
  /// How it is chosen and how its rows are named: lower case, digits and dashes.
  String name();

  /// What it is, and how it is told to make each write durable.
  String description();

  /// Why it cannot run on this machine; null if it can.
  default @Nullable String missing() {
    return null;
  }

  /// Opens an empty store in a folder that exists and is empty.
  Store open(Path folder) throws Exception;

  /// A store that is open. Any number of threads write to it at once.
  interface Store extends AutoCloseable {
    /// Adds a record, and returns once it is durable.
    void write(byte[] record) throws Exception;

    /// Adds records in one piece as far as the engine knows such a thing, and returns once all are
    /// durable.
    void writeBatch(List<byte[]> records) throws Exception;

    @Override
    void close() throws IOException;
  }
}
