package dev.tidemark.server;

import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// Runs a server by hand: `ServerLauncher DIRECTORY PORT`. It prints the port and ends with the
/// process.
final class ServerLauncher {
  private ServerLauncher() {}

  public static void main(String[] args) throws InterruptedException {
    DocumentStore store = DocumentStore.open(Path.of(args[0]), StoreOptions.defaults());
    TidemarkServer server = TidemarkServer.start(store, "127.0.0.1", Integer.parseInt(args[1]));
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  store.close();
                  stopped.countDown();
                }));
    System.out.println("http://127.0.0.1:" + server.port());
    stopped.await();
  }
}
