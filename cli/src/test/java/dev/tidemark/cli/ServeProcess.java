package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `tidemark serve` in a JVM of its own, with the flags that the launcher gives it, on a free port.
final class ServeProcess implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("\"url\":\"([^\"]+)\"");
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path err;
  private final String ready;
  private final String url;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ServeProcess(Process process, Path err, String ready, String url) {
    this.process = process;
    this.err = err;
    this.ready = ready;
    this.url = url;
  }

  record Reply(int status, String body) {}

  /// Starts a server and waits until it is ready.
  static ServeProcess start(Path data, String... more) throws IOException, InterruptedException {
    Path err = Files.createTempFile("tidemark-serve", ".err");
    Process process = launch(data, err, more);
    // Not closed: the process writes there until it ends.
    @SuppressWarnings("resource")
    BufferedReader out = process.inputReader(UTF_8);
    String ready = out.readLine();
    Matcher matcher = URL.matcher(String.valueOf(ready));
    if (!matcher.find()) {
      process.destroyForcibly().waitFor();
      throw new IOException("it did not get ready: " + ready + "\n" + Files.readString(err));
    }
    return new ServeProcess(process, err, String.valueOf(ready), matcher.group(1));
  }

  /// Starts a server that is expected to end by itself.
  static Cli fail(Path data, String... more) throws IOException, InterruptedException {
    Path err = Files.createTempFile("tidemark-serve", ".err");
    Process process = launch(data, err, more);
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Cli(process.waitFor(), out, Files.readString(err));
  }

  static Process launch(Path data, Path err, String... more) throws IOException {
    var line =
        new ArrayList<String>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("src", "main", "dist", "java.options").toAbsolutePath(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Tidemark.class.getName(),
                "serve",
                "--json",
                "--data",
                data.toString()));
    if (!List.of(more).contains("--port")) {
      line.addAll(List.of("--port", "0"));
    }
    line.addAll(List.of(more));
    return new ProcessBuilder(line).redirectError(err.toFile()).start();
  }

  String url() {
    return url;
  }

  /// The line it wrote when it was ready.
  String ready() {
    return ready;
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  Reply get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url + path)).GET());
  }

  Reply put(String path, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json)));
  }

  Reply post(String path, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  Reply delete(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url + path)).DELETE());
  }

  private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    return new Reply(response.statusCode(), response.body());
  }

  /// SIGKILL.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// SIGTERM; answers the exit status.
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    client.shutdownNow();
  }
}
