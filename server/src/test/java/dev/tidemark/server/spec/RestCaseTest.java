package dev.tidemark.server.spec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Runs tests against a small server of its own, whose answers follow from the path: `/status/404`
/// answers 404, `/json/x` an object with the request in it, `/text/x` that as plain text.
class RestCaseTest {
  private static final String APIS =
      """
      {"status":{"url":{"paths":[{"path":"/status/{id}","methods":["GET"],"parts":{"id":{}}}]}},
       "exists":{"url":{"paths":[{"path":"/status/{id}","methods":["HEAD"],"parts":{"id":{}}}]}},
       "json":{"url":{"paths":[{"path":"/json/{id}","methods":["DELETE"],"parts":{"id":{}}}]}},
       "text":{"url":{"paths":[{"path":"/text/{id}","methods":["GET"],"parts":{"id":{}}}]}}}
      """;

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private RestClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client = new RestClient("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String[] parts = path.split("/", -1);
    String sent = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    Map<String, Object> members =
        Map.of(
            "path",
            path,
            "sent",
            sent,
            "mark",
            String.valueOf(exchange.getRequestHeaders().getFirst("Mark")),
            "error",
            Map.of("reason", "a reason"));
    boolean isText = parts[1].equals("text");
    byte[] body = (isText ? path : Json.write(members)).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", isText ? "text/plain" : "application/json");
    int status = parts[1].equals("status") ? Integer.parseInt(parts[2]) : 200;
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private static Map<String, RestApi> apis() {
    Map<String, RestApi> apis = new HashMap<>();
    Json.members(Json.read(APIS))
        .forEach((name, api) -> apis.put(name, RestApi.parse(Map.of(name, api), Set.of())));
    return apis;
  }

  private void run(String steps) {
    RestSuite.parse("area", "file", "\"A\":\n" + steps.indent(2)).getFirst().run(apis(), client);
  }

  private void fails(String messagePart, String steps) {
    AssertionError error = assertThrows(AssertionError.class, () -> run(steps));
    assertTrue(String.valueOf(error.getMessage()).contains(messagePart), error.getMessage());
  }

  @Test
  void anErrorThatIsNotCaughtFails() {
    fails("404", "- do: { status: { id: 404 } }");
    assertDoesNotThrow(() -> run("- do: { status: { id: 404, ignore: 404 } }"));
    assertDoesNotThrow(() -> run("- do: { status: { id: 404, ignore: [400, 404] } }"));
    assertDoesNotThrow(() -> run("- do: { catch: missing, status: { id: 404 } }"));
    assertDoesNotThrow(() -> run("- do: { catch: /a reason/, status: { id: 404 } }"));
  }

  @Test
  void anErrorThatDoesNotComeFails() {
    fails("missing", "- do: { catch: missing, status: { id: 200 } }");
    fails("Parameter", "- do: { catch: param, status: { id: 404 } }");
  }

  @Test
  void aCallThatTheApiDoesNotAllowIsCaughtBeforeItIsSent() {
    assertDoesNotThrow(() -> run("- do: { catch: param, status: {} }"));
    fails("no path", "- do: { status: {} }");
    assertTrue(requests.stream().noneMatch(request -> request.startsWith("GET")));
  }

  @Test
  void aHeadThatFindsNothingIsFalseAndAnyOtherErrorFails() {
    assertDoesNotThrow(
        () ->
            run(
                """
                - do: { exists: { id: 404 } }
                - is_false: ''
                - do: { exists: { id: 200 } }
                - is_true: ''
                """));
    fails("400", "- do: { exists: { id: 400 } }");
  }

  @Test
  void aKeptValueIsSentAndExpectedLater() {
    assertDoesNotThrow(
        () ->
            run(
                """
                - do: { headers: { Mark: m }, json: { id: 1, body: { b: 2 } } }
                - match: { mark: m, sent: '{"b":2}' }
                - set: { error.reason: why }
                - do: { json: { id: $why, body: { b: $why } } }
                - match: { path: '/json/${why}', sent: '{"b":"a reason"}' }
                """));
    fails("missing", "- do: { json: { id: 1 } }\n- set: { nothing: name }");
  }

  @Test
  void aTextIsLookedAtAsAWhole() {
    assertDoesNotThrow(
        () ->
            run(
                """
                - do: { text: { id: x } }
                - match: { $body: '/^ \\/text\\/x $/' }
                - is_false: path
                """));
  }

  @Test
  void aFailureNamesItsStep() {
    fails(
        "step 2 of the test: MATCH [path]: expected \"a\", but was \"/json/1\"",
        "- do: { json: { id: 1 } }\n- match: { path: a }");
  }

  @Test
  void aServerThatFailsIsNoMereDifference() {
    assertThrows(IllegalStateException.class, () -> run("- do: { status: { id: 500 } }"));
    assertThrows(
        IllegalStateException.class, () -> run("- do: { catch: request, status: { id: 500 } }"));
  }

  @Test
  void theTeardownFollowsAFailureAndDoesNotHideIt() {
    RestCase test =
        RestSuite.parse(
                "area",
                "file",
                """
                teardown:
                  - do: { status: { id: 403 } }
                ---
                "A":
                  - do: { status: { id: 404 } }
                """)
            .getFirst();
    AssertionError error = assertThrows(AssertionError.class, () -> test.run(apis(), client));
    assertTrue(String.valueOf(error.getMessage()).contains("step 1 of the test"));
    assertEquals(1, error.getSuppressed().length);
    assertEquals(
        List.of("GET /status/404", "GET /status/403", "DELETE /*?expand_wildcards=all"), requests);
  }

  @Test
  void everyIndexIsDeletedHoweverTheTestEnds() {
    fails("MATCH", "- do: { json: { id: 1 } }\n- match: { path: a }");
    assertEquals("DELETE /*?expand_wildcards=all", requests.getLast());
  }
}
