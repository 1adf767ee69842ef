package dev.tidemark.server;

import dev.tidemark.store.DocumentStore;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.UUID;

/// The HTTP API over a store: the document part of OpenSearch 2.19's REST API, and Tidemark's own
/// `_tidemark` routes. Each connection has a virtual thread, which handles its requests one by one.
public final class TidemarkServer implements AutoCloseable {
  /// How long a stop waits for the requests under way.
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  private static final int REQUEST_LINE_BYTES_MAX = 16 << 10;

  private final WebServer web;
  private final int port;
  private final Gate gate;

  private TidemarkServer(WebServer web, Gate gate) {
    this.web = web;
    this.port = web.port();
    this.gate = gate;
  }

  /// Starts a server.
  ///
  /// @param store stays the caller's to close, after the server
  /// @param host the address to listen at
  /// @param port the port, 0 for a free one
  /// @throws UncheckedIOException if it can't listen there; the message says why
  public static TidemarkServer start(DocumentStore store, String host, int port) {
    Gate gate = new Gate();
    HttpEntry entry = new HttpEntry(routes(store), new BodyReader(), gate);
    WebServer web =
        WebServer.builder()
            .host(host)
            .port(port)
            .shutdownHook(false)
            .protocolsDiscoverServices(false)
            .addProtocol(http())
            .contentEncoding(
                ContentEncodingContext.builder()
                    .contentEncodingsDiscoverServices(false)
                    .addContentEncoding(new GzipBodies())
                    .build())
            .directHandlers(TransportErrors.handlers())
            .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
            .routing(HttpRouting.builder().any(entry))
            .build()
            .start();
    if (!web.isRunning()) {
      throw cannotListen(host, port);
    }
    return new TidemarkServer(web, gate);
  }

  /// The web server keeps to itself why it did not start: trying again shows it.
  private static UncheckedIOException cannotListen(String host, int port) {
    String where = "cannot listen at " + host + ":" + port + ": ";
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
      return new UncheckedIOException(new IOException(where + "the web server did not start"));
    } catch (IOException e) {
      return new UncheckedIOException(new IOException(where + e.getMessage(), e));
    }
  }

  /// Paths and queries are checked where they are read: what they may hold is wider than what the
  /// web server would let through. The headers of answers are of the server's own making.
  private static Http1Config http() {
    return Http1Config.builder()
        .maxPrologueLength(REQUEST_LINE_BYTES_MAX)
        .validatePath(false)
        .validatePrologue(false)
        .sendKeepAliveHeader(false)
        .validateResponseHeaders(false)
        .build();
  }

  private static Routes routes(DocumentStore store) {
    Indices indices = new Indices(store);
    AutoId autoId = new AutoId();
    Routes routes = new Routes();
    new StatusRoutes(store, indices, UUID.randomUUID().toString()).addTo(routes);
    new HealthRoutes(indices).addTo(routes);
    new CatRoutes(indices).addTo(routes);
    new IndexRoutes(store, indices).addTo(routes);
    new DocumentRoutes(store, indices, autoId).addTo(routes);
    new MultiGetRoutes(store, indices).addTo(routes);
    new BulkRoutes(store, indices, autoId).addTo(routes);
    return routes;
  }

  /// The port it listens at, or listened at before it was closed.
  public int port() {
    return port;
  }

  /// Lets no new request in (they get a 503), waits up to 30 s for those under way, then closes
  /// every connection and frees the port. The store stays open.
  @Override
  public void close() {
    try {
      gate.shut(STOP_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    web.stop();
  }
}
