/// The HTTP API over the store.
module dev.tidemark.server {
  requires transitive dev.tidemark.store;
  requires io.helidon.webserver;
  requires static org.jspecify;

  exports dev.tidemark.server;
}
