package dev.tidemark.cli;

import dev.tidemark.server.TidemarkServer;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Runs the server until a signal ends the process. The process's main thread only waits; a
/// shutdown hook closes the server, then the store, so that what was accepted is answered and the
/// next start finds a log closed in order.
@Command(
    name = "serve",
    description = {
      "Starts the server, and says where once it is ready.",
      "It stops in order on SIGTERM and Ctrl-C; a kill -9 loses nothing that was acknowledged."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark serve                               data in ./data, address 127.0.0.1:9200",
      "  tidemark serve --sample                      with 3,201 films in the index 'movies'",
      "  tidemark serve --data /srv/notes --port 0    a free port, which is printed",
      "  tidemark serve --port 0 --json               the same for a script: one line of JSON"
    })
final class Serve implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The folder of all data; made if missing. Default: ./${DEFAULT-VALUE}")
  private Path data = Path.of("data");

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen at. Default: ${DEFAULT-VALUE}")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9200",
      description = "The port; 0 takes a free one. Default: ${DEFAULT-VALUE}")
  private int port = 9200;

  @Option(
      names = "--sample",
      description =
          "Put 3,201 films into the index 'movies', unless there is an index of that name.")
  private boolean sample;

  @Option(
      names = "--json",
      description =
          "When ready, print one line of JSON with url, port, data and pid instead of text.")
  private boolean json;

  private final Streams streams;

  Serve(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws InterruptedException {
    QuietLogging.apply();
    checkAddress();
    Path directory = usableDirectory();
    DocumentStore store = DocumentStore.open(directory, StoreOptions.defaults());
    TidemarkServer server;
    try {
      if (sample) {
        Sample.loadInto(store);
      }
      server = TidemarkServer.start(store, host, port);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, store), "tidemark-stop"));
    announce(server, directory);
    // Nothing but a signal ends a server.
    new CountDownLatch(1).await();
    return 0;
  }

  /// Whether the address can be listened at, before anything is opened: what the server would say
  /// later says less to a person.
  private void checkAddress() {
    if (port < 0 || port > 65_535) {
      throw new UserError("--port " + port + " is no port: give one of 1 to 65535, or 0 for any.");
    }
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new UserError("--host " + host + " is no address of this machine or network.", e);
    }
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw new UserError(
          "Can't listen at %s port %d: %s. Another program, perhaps another Tidemark, may listen there; stop it, or choose another port with --port (0 takes a free one)."
              .formatted(host, port, e.getMessage()),
          e);
    }
  }

  private Path usableDirectory() {
    try {
      Files.createDirectories(data);
    } catch (IOException e) {
      throw new UserError(
          "The data folder %s can't be made: %s. Choose another with --data."
              .formatted(data.toAbsolutePath(), reason(e)),
          e);
    }
    if (!Files.isReadable(data) || !Files.isWritable(data) || !Files.isExecutable(data)) {
      throw new UserError(
          "The data folder %s can't be read and written by this user. Give the rights, or choose another folder with --data."
              .formatted(data.toAbsolutePath()));
    }
    return data;
  }

  private static String reason(IOException e) {
    return switch (e) {
      case java.nio.file.FileAlreadyExistsException taken -> "a file of that name is there";
      case java.nio.file.AccessDeniedException denied -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private void announce(TidemarkServer server, Path directory) {
    String url = "http://" + reachableHost() + ":" + server.port();
    String folder = directory.toAbsolutePath().normalize().toString();
    if (json) {
      streams.print(
          "{\"url\":%s,\"port\":%d,\"data\":%s,\"pid\":%d}\n"
              .formatted(
                  Json.quote(url),
                  server.port(),
                  Json.quote(folder),
                  ProcessHandle.current().pid()));
      return;
    }
    streams.print(
        """
        Tidemark %s is ready at %s, data in %s
        Try it from another terminal:
          curl -X PUT '%s/notes/_doc/1' -H 'Content-Type: application/json' -d '{"text":"high water","metres":5.20}'
          curl '%s/notes/_doc/1'
          curl '%s/%s'
        Ctrl-C stops it in order.
        """
            .formatted(
                Version.number(),
                url,
                folder,
                url,
                url,
                url,
                sample ? "movies/_doc/22?pretty" : "_cat/indices?v"));
  }

  private String reachableHost() {
    if (host.equals("0.0.0.0") || host.equals("::")) {
      streams
          .err()
          .println(
              "tidemark: it listens at every address of this machine, and whoever reaches it may read and write.");
      return "127.0.0.1";
    }
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private void stop(TidemarkServer server, DocumentStore store) {
    try {
      server.close();
      store.close();
    } catch (RuntimeException e) {
      streams.err().println("tidemark: it did not stop in order: " + e.getMessage());
      streams.err().println("Acknowledged writes are on disk; the next start recovers them.");
      Runtime.getRuntime().halt(1);
    }
  }
}
