package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What failures become.
final class ErrorBodyTest {
  private static String body(Throwable failure) {
    Answer answer = ErrorBody.answer(ErrorBody.of(failure));
    return new String(Objects.requireNonNull(answer.body()).toBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void anAccidentIsA500OfTheUsualShapeThatTellsNothingOfTheCode() {
    String body = body(new IllegalStateException("secret"));
    assertTrue(body.startsWith("{\"error\":{\"root_cause\":[{\"type\":"), body);
    assertTrue(body.endsWith("\"status\":500}"), body);
    assertFalse(body.contains("secret"), body);
    assertFalse(body.contains("dev.tidemark"), body);
  }

  @Test
  void notEnoughMemoryIsA429() {
    assertTrue(body(new OutOfMemoryError()).endsWith("\"status\":429}"));
  }

  @Test
  void anErrorHasItsDetailsInTheRootCauseAndItsCauseOutsideIt() {
    ApiException error =
        ApiException.badRequest("t", "r \"q\"").with("index", "i").causedBy("c", "why");
    assertEquals(
        "{\"error\":{\"root_cause\":[{\"type\":\"t\",\"reason\":\"r \\\"q\\\"\",\"index\":\"i\"}],"
            + "\"type\":\"t\",\"reason\":\"r \\\"q\\\"\",\"index\":\"i\","
            + "\"caused_by\":{\"type\":\"c\",\"reason\":\"why\"}},\"status\":400}",
        body(error));
  }
}
