package dev.tidemark.server;

import dev.tidemark.store.StoreFailedException;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpPrologue;
import io.helidon.http.RequestException;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.http.media.ReadableEntity;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;

/// The one handler of the web server: makes a request of ours from what came over the wire, has it
/// routed, and sends the answer with one write. It runs in the connection's virtual thread.
///
/// Whatever a route throws becomes an answer here. What only the connection can deal with (a client
/// that went away, broken framing) goes on to the web server, which closes the connection.
final class HttpEntry implements Handler {
  private static final System.Logger LOGGER = System.getLogger(HttpEntry.class.getName());
  private static final Header JSON =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json; charset=UTF-8");
  private static final Header YAML =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/yaml");
  private static final Header TEXT =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
  private static final Header LINES =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/x-ndjson");
  private static final Header GZIP =
      HeaderValues.createCached(HeaderNames.CONTENT_ENCODING, "gzip");
  private static final byte[] YAML_START = {'-', '-', '-', '\n'};

  /// How long the rest of a refused body is read, so that its client gets to the answer.
  private static final long LINGER_MS = 1_000;

  private final Routes routes;
  private final BodyReader bodies;
  private final Gate gate;
  private final AtomicBoolean failureTold = new AtomicBoolean();

  HttpEntry(Routes routes, BodyReader bodies, Gate gate) {
    this.routes = routes;
    this.bodies = bodies;
    this.gate = gate;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    boolean open = gate.enter();
    try (BodyReader.Share share = bodies.share()) {
      Exchange exchange = new Exchange(request, response);
      exchange.send(open ? exchange.answer(share) : ErrorBody.answer(stopping()));
    } finally {
      if (open) {
        gate.leave();
      }
    }
  }

  private static ApiException stopping() {
    return ApiException.of(503, "node_closed_exception", "the server is stopping");
  }

  /// One request and its answer on the wire.
  private final class Exchange {
    private final ServerRequest request;
    private final ServerResponse response;
    private final ReadableEntity body;
    private RequestParameters parameters = RequestParameters.EMPTY;

    Exchange(ServerRequest request, ServerResponse response) {
      this.request = request;
      this.response = response;
      this.body = request.content();
    }

    @SuppressWarnings("CatchingUnchecked") // a failure of any kind must become an answer
    Answer answer(BodyReader.Share share) {
      try {
        HttpPrologue prologue = request.prologue();
        if (prologue.hasQuery()) {
          parameters = RequestParameters.of(prologue.query().rawValue());
        }
        RequestPath path = RequestPath.of(prologue.uriPath().rawPath());
        ApiRequest.Verb verb = verb(prologue.method().text());
        Route route = routes.find(verb, path);
        parameters.check(route.parameters(), route.pathNames(), path);
        byte[] content = bodies.read(body, request.headers(), share);
        if (content.length > 0) {
          route.checkContent(verb, path, header(HeaderNames.CONTENT_TYPE));
        }
        return route
            .handler()
            .handle(new ApiRequest(verb, path, parameters, header(HeaderNames.ACCEPT), content));
      } catch (CloseConnectionException | RequestException e) {
        throw e;
      } catch (StoreFailedException e) {
        if (failureTold.compareAndSet(false, true)) {
          LOGGER.log(System.Logger.Level.ERROR, "the store has failed", e);
        }
        return ErrorBody.answer(ErrorBody.of(e));
      } catch (Exception | OutOfMemoryError | StackOverflowError e) {
        return ErrorBody.answer(ErrorBody.of(e));
      }
    }

    void send(Answer answer) {
      boolean unread = body.hasEntity() && !body.consumed();
      boolean close = unread && mustClose();
      if (close || gate.isShut()) {
        response.header(HeaderValues.CONNECTION_CLOSE);
      }
      if (answer.status() != 200) {
        response.status(Status.create(answer.status()));
      }
      String location = answer.location();
      if (location != null) {
        response.header(HeaderNames.LOCATION, location);
      }
      String allow = answer.allow();
      if (allow != null) {
        response.header(HeaderNames.ALLOW, allow);
      }
      if (answer.stream() != null) {
        stream(answer.stream());
      } else if (answer.body() != null) {
        sendBody(answer.kind(), answer.body());
      }
      if (close) {
        linger();
      }
      if (close || wantsClose()) {
        throw new CloseConnectionException("the connection ends with this answer");
      }
    }

    private void sendBody(Answer.Kind kind, JsonOutput content) {
      boolean yaml = kind != Answer.Kind.TEXT && isYaml();
      JsonOutput laidOut = parameters.isEmpty() && !yaml ? content : layOut(kind, content);
      response.header(kind == Answer.Kind.TEXT ? TEXT : yaml ? YAML : JSON);
      if (request.prologue().method().text().equals("HEAD")) {
        response.header(HeaderNames.CONTENT_LENGTH, String.valueOf(laidOut.length()));
        response.send();
      } else if (laidOut.length() > 0 && acceptsGzip()) {
        byte[] packed = gzip(laidOut);
        response.header(GZIP);
        response.send(packed);
      } else {
        response.send(laidOut.array(), 0, laidOut.length());
      }
    }

    private JsonOutput layOut(Answer.Kind kind, JsonOutput content) {
      JsonOutput out = content;
      if (kind == Answer.Kind.TEXT) {
        return out;
      }
      if (kind == Answer.Kind.JSON && parameters.has("filter_path")) {
        out = FilterPath.of(parameters.list("filter_path")).apply(out);
      }
      if (isOn("pretty")) {
        out = PrettyJson.of(out.array(), out.length());
      }
      if (isYaml()) {
        // JSON is YAML in flow style.
        JsonOutput yaml = new JsonOutput(out.length() + YAML_START.length);
        yaml.append(YAML_START, 0, YAML_START.length);
        out = yaml.append(out.array(), 0, out.length());
      }
      return out;
    }

    /// A switch of the layout; its value was not checked if the request failed before.
    private boolean isOn(String name) {
      String value = parameters.text(name);
      return value != null && !value.equals("false");
    }

    private boolean isYaml() {
      String format = parameters.isEmpty() ? null : parameters.text("format");
      return format == null
          ? header(HeaderNames.ACCEPT).equals("application/yaml")
          : format.equals("yaml");
    }

    private void stream(Answer.BodyStream content) {
      response.header(LINES);
      boolean zipped = acceptsGzip();
      if (zipped) {
        response.header(GZIP);
      }
      try (OutputStream out = response.outputStream();
          OutputStream packed = zipped ? new GZIPOutputStream(out, 16 << 10) : out) {
        content.writeTo(packed);
      } catch (IOException | UncheckedIOException e) {
        // The status is gone: only a broken end tells the client that something is missing.
        throw new CloseConnectionException("a streamed answer broke off", e);
      }
    }

    private boolean acceptsGzip() {
      ServerRequestHeaders headers = request.headers();
      return headers.contains(HeaderNames.ACCEPT_ENCODING)
          && acceptsGzip(headers.get(HeaderNames.ACCEPT_ENCODING).values());
    }

    private static boolean acceptsGzip(String accepted) {
      for (String part : accepted.split(",", -1)) {
        String[] coding = part.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", -1);
        if (coding[0].equals("gzip") || coding[0].equals("x-gzip") || coding[0].equals("*")) {
          return coding.length == 1 || !coding[1].matches("q=0(\\.0*)?");
        }
      }
      return false;
    }

    /// Whether the rest of the body can't be read past to the next request: it is not on its way
    /// (the client waits for a go-ahead), or has no end in sight.
    private boolean mustClose() {
      if (request.headers().contains(HeaderValues.EXPECT_100) && !request.continueSent()) {
        return true;
      }
      long length = request.headers().contentLength().orElse(-1);
      return length < 0 || length > BodyReader.BODY_BYTES_MAX;
    }

    private boolean wantsClose() {
      ServerRequestHeaders headers = request.headers();
      return headers.contains(HeaderNames.CONNECTION)
          && headers.containsToken(HeaderValues.CONNECTION_CLOSE);
    }

    /// Reads on for a moment and throws away what comes: a socket closed with bytes unread resets
    /// the connection, and the client might never see the answer.
    private void linger() {
      if (!request.continueSent()) {
        return;
      }
      Thread reader = Thread.currentThread();
      Thread alarm =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(LINGER_MS);
                      reader.interrupt();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      try {
        body.consume();
      } catch (RuntimeException e) {
        throw new CloseConnectionException("the rest of a refused body is not wanted", e);
      } finally {
        alarm.interrupt();
      }
    }

    /// A header's value; empty if it is not there.
    private String header(HeaderName name) {
      ServerRequestHeaders headers = request.headers();
      return headers.contains(name) ? headers.get(name).get() : "";
    }
  }

  private static byte[] gzip(JsonOutput body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(body.length() / 2 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(body.array(), 0, body.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static ApiRequest.Verb verb(String method) {
    return switch (method) {
      case "GET" -> ApiRequest.Verb.GET;
      case "PUT" -> ApiRequest.Verb.PUT;
      case "POST" -> ApiRequest.Verb.POST;
      case "DELETE" -> ApiRequest.Verb.DELETE;
      case "HEAD" -> ApiRequest.Verb.HEAD;
      case "OPTIONS" -> ApiRequest.Verb.OPTIONS;
      default -> ApiRequest.Verb.OTHER;
    };
  }
}
