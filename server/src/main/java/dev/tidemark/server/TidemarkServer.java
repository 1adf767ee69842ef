package dev.tidemark.server;

import dev.tidemark.store.DocumentStore;

/// The HTTP API over a store.
public final class TidemarkServer implements AutoCloseable {
  private TidemarkServer() {}

  /// Starts a server.
  ///
  /// @param store stays the caller's to close
  /// @param host the address to listen at
  /// @param port the port, 0 for a free one
  public static TidemarkServer start(DocumentStore store, String host, int port) {
    throw new IllegalStateException("not there yet");
  }

  /// The port it listens at.
  public int port() {
    throw new IllegalStateException("not there yet");
  }

  /// Stops taking requests, lets those under way finish, and frees the port.
  @Override
  public void close() {}
}
