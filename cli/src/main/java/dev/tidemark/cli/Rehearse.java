package dev.tidemark.cli;

import dev.tidemark.server.TidemarkServer;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// Runs what every command does once, on a server and data of its own that are gone afterwards. The
/// launcher has the JVM archive the classes that were loaded, so that later starts are faster.
@Command(
    name = "rehearse",
    hidden = true,
    description = "Runs each command once, so that the launcher can archive the classes.")
final class Rehearse implements Callable<Integer> {
  @Override
  public Integer call() throws IOException, InterruptedException {
    QuietLogging.apply();
    Path folder = Files.createTempDirectory("tidemark-rehearsal");
    try {
      rehearse(folder);
      return 0;
    } finally {
      delete(folder);
    }
  }

  private static void rehearse(Path folder) throws IOException, InterruptedException {
    try (var store = DocumentStore.open(folder.resolve("data"), StoreOptions.defaults());
        var server = TidemarkServer.start(store, "127.0.0.1", 0)) {
      Sample.loadInto(store);
      String url = "http://127.0.0.1:" + server.port();
      byte[] dump = run("dump", "--index", Sample.INDEX, "--url", url);
      Path file = Files.write(folder.resolve("dump"), dump);
      run("load", file.toString(), "--index", "copy", "--url", url);
      run("status", "--url", url);
      String data = folder.resolve("data").toString();
      run("log", "stat", data);
      run("log", "verify", data, "--json");
      run("log", "dump", data, "--to", "9");
      try (var api = new Api(url)) {
        for (String path : List.of("/", "/_cat/indices?v", "/copy/_doc/1?pretty", "/none/_doc/1")) {
          api.get(path).body().readAllBytes();
        }
        byte[] document = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        api.post("/copy/_doc", "application/json", document).body().readAllBytes();
      }
    }
  }

  private static byte[] run(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var streams = new Streams(InputStream.nullInputStream(), out, err, Screen.PLAIN, Screen.PLAIN);
    int status = Tidemark.run(streams, arguments);
    if (status != 0) {
      throw new UserError(String.join(" ", arguments) + " ended with status " + status);
    }
    return out.toByteArray();
  }

  private static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(folder)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }
}
