package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RestApiTest {
  private final RestApi index =
      parse(
          """
          {"index":{"url":{"paths":[
            {"path":"/{index}/_doc","methods":["POST"],"parts":{"index":{}}},
            {"path":"/{index}/_doc/{id}","methods":["PUT","POST"],"parts":{"index":{},"id":{}}}]},
           "params":{"refresh":{},"routing":{}},"body":{}}}
          """);
  private final RestApi mget =
      parse(
          """
          {"mget":{"url":{"paths":[{"path":"/_mget","methods":["GET","POST"]}]}}}
          """);
  private final RestApi bulk =
      parse(
          """
          {"bulk":{"url":{"paths":[{"path":"/_bulk","methods":["POST","PUT"]}]},
           "body":{"serialize":"bulk"}}}
          """);

  private static RestApi parse(String description) {
    return RestApi.parse(Json.members(Json.read(description)), Set.of("pretty"));
  }

  @Test
  void thePathThatUsesMostArgumentsIsTaken() {
    assertEquals(
        new RestCall("PUT", "/i/_doc/1", "{\"a\":1}", "application/json"),
        index.call(Map.of("index", "i", "id", 1), Map.of("a", 1)));
    assertEquals(
        new RestCall("POST", "/i/_doc", "{}", "application/json"),
        index.call(Map.of("index", "i"), Map.of()));
  }

  @Test
  void partsAndParametersAreEncoded() {
    assertEquals(
        RestCall.withoutBody("PUT", "/a,b*/_doc/%E4%B8%AD%2F%20%2B?routing=x%26y"),
        index.call(Map.of("index", List.of("a", "b*"), "id", "中/ +", "routing", "x&y"), null));
  }

  @Test
  void parametersOfAllApisAndEmptyOnesAreTaken() {
    assertEquals(
        "/i/_doc?pretty=true", index.call(Map.of("index", "i", "pretty", true), null).target());
    assertEquals(
        "/i/_doc?refresh=", index.call(Map.of("index", "i", "refresh", ""), null).target());
  }

  @Test
  void anUnknownParameterIsRefused() {
    assertThrows(
        RestApi.ParameterException.class, () -> index.call(Map.of("index", "i", "other", 1), null));
  }

  @Test
  void aMissingPartIsRefused() {
    assertThrows(RestApi.ParameterException.class, () -> index.call(Map.of("id", 1), null));
  }

  @Test
  void aBodyIsNotSentByGetWhereAnotherMethodIsAllowed() {
    assertEquals("POST", mget.call(Map.of(), Map.of("ids", List.of(1))).method());
    assertEquals("GET", mget.call(Map.of(), null).method());
  }

  @Test
  void linesAreWrittenOneBelowTheOther() {
    assertEquals(
        new RestCall("POST", "/_bulk", "{\"index\":{}}\n{\"f\":\"x\"}\n", "application/x-ndjson"),
        bulk.call(Map.of(), List.of("{\"index\":{}}\n", Map.of("f", "x"))));
    assertEquals("as it is", bulk.call(Map.of(), "as it is").body());
  }
}
