package dev.tidemark.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench http`: the server under load, the load generator in this process, the server in another.
@Command(
    name = "http",
    sortOptions = false,
    description = {
      "Measures durable PUT and GET by id of documents of about 150 bytes against a server that it"
          + " starts in a JVM of its own, or against one that runs. Bytes written are those of the"
          + " whole disk, so let nothing else write to it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark bench http",
      "  tidemark bench http --connections 8 --seconds 10 --rounds 3",
      "  tidemark bench http --url http://127.0.0.1:9200 --pid 4711 --json"
    })
final class HttpBench implements Callable<Integer> {
  private static final int CONNECTIONS_MAX = 1_000;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the server's data go, in a folder that is deleted at the end; with --url, any folder"
              + " on the server's disk. Never in memory. Default: the working directory.")
  private @Nullable Path dir;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "32",
      description = "Connections, each with one request under way. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds, each of writes and then reads. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "4",
      description = "The length of the writes, and of the reads. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "A server that runs, instead of one started here. It gets an index of a new name, which is"
              + " deleted at the end.")
  private @Nullable URI url;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "The process of the server of --url, for the rows of memory and bytes written.")
  private @Nullable Long pid;

  @Option(
      names = "--java-options",
      paramLabel = "FILE",
      description = "JVM flags for the server. Default: those of every tidemark command.")
  private @Nullable Path javaOptions;

  @Option(names = "--json", description = "Print one JSON object and nothing else.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("UnusedVariable") // picocli reads the option's name, not the field
  private boolean help;

  @Spec private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  HttpBench() {}

  @Override
  public Integer call() throws Exception {
    if (rounds < 1 || !(seconds > 0) || connections < 1 || connections > CONNECTIONS_MAX) {
      throw wrong(
          "--rounds and --seconds must be more than 0, --connections 1 to " + CONNECTIONS_MAX);
    }
    if (url != null && (url.getHost() == null || !"http".equals(url.getScheme()))) {
      throw wrong("--url must be like http://127.0.0.1:9200, and is " + url);
    }
    Report report;
    try (BenchDirectory directory = BenchDirectory.create(dir)) {
      report = url == null ? measureOwn(directory) : measureRunning(directory, url);
    } catch (BenchDirectory.MemoryFileSystemException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    report.print(command.commandLine().getOut(), json ? Report.Form.JSON : Report.Form.TABLE);
    return 0;
  }

  private Report measureOwn(BenchDirectory directory) throws Exception {
    double load = MachineFacts.loadNow();
    RawProbe before = RawProbe.of(directory);
    Path options = javaOptions == null ? ServerProcess.optionsFile() : javaOptions;
    Path data = Files.createDirectory(directory.path().resolve("data"));
    say("starting a server");
    try (ServerProcess server =
        ServerProcess.start(options, data, directory.path().resolve("server.log"))) {
      URI address = server.address();
      List<Row> rows = measure(directory, address, "bench", server.pid());
      return before.report(directory, load, "serve, JVM flags " + flags(options), rows);
    }
  }

  private Report measureRunning(BenchDirectory directory, URI address) throws Exception {
    double load = MachineFacts.loadNow();
    RawProbe before = RawProbe.of(directory);
    String index = String.format(Locale.ROOT, "bench-%x", System.nanoTime());
    try {
      return before.report(
          directory, load, address.toString(), measure(directory, address, index, pid));
    } finally {
      try (HttpClient client = HttpClient.newHttpClient()) {
        URI target = address.resolve("/" + index);
        client.send(
            HttpRequest.newBuilder(target).DELETE().build(),
            HttpResponse.BodyHandlers.discarding());
      }
    }
  }

  private List<Row> measure(
      BenchDirectory directory, URI address, String index, @Nullable Long server) throws Exception {
    int port = address.getPort() < 0 ? 80 : address.getPort();
    Documents documents = new Documents(address.getHost() + ":" + port, index, connections);
    Duration each = Duration.ofNanos((long) (seconds * 1e9));
    try (LoadGenerator generator =
        LoadGenerator.connect(new InetSocketAddress(address.getHost(), port), connections)) {
      HttpRounds http = new HttpRounds(generator, documents, each, server, directory.fileSystem());
      say("warming up");
      http.warmUp();
      for (int i = 1; i <= rounds; i++) {
        say("round " + i + " of " + rounds);
        http.round();
      }
      return http.rows();
    }
  }

  private static String flags(Path options) throws IOException {
    return String.join(
        " ",
        Files.readAllLines(options).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .toList());
  }

  private void say(String what) {
    PrintWriter progress = command.commandLine().getErr();
    progress.println(what);
    progress.flush();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
