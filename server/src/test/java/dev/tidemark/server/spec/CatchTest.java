package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatchTest {
  private static RestAnswer answer(int status, String body) {
    return RestAnswer.of("GET", status, "application/json", body);
  }

  @ParameterizedTest
  @CsvSource({
    "missing, 404",
    "conflict, 409",
    "bad_request, 400",
    "unauthorized, 401",
    "forbidden, 403",
    "request_timeout, 408",
    "unavailable, 503",
    "request, 500",
    "request, 422"
  })
  void aNamedErrorIsCaught(String name, int status) {
    assertDoesNotThrow(() -> Catch.check(Catch.parse(name), answer(status, "{}")));
  }

  @ParameterizedTest
  @CsvSource({"missing, 200", "missing, 400", "conflict, 404", "request, 404", "request, 200"})
  void anyOtherStatusFails(String name, int status) {
    assertThrows(AssertionError.class, () -> Catch.check(Catch.parse(name), answer(status, "{}")));
  }

  @Test
  void aPatternIsSoughtInTheErrorWithoutJsonsEscapes() {
    String body = "{\"error\":{\"type\":\"t\",\"reason\":\"a \\\"b\\\" in [c]\"},\"status\":400}";
    assertDoesNotThrow(
        () -> Catch.check(Catch.parse("/type=t.+ \"b\" in \\[c\\]/"), answer(400, body)));
  }

  @Test
  void aPatternIsNotSoughtOutsideTheError() {
    String body = "{\"error\":{\"type\":\"t\"},\"status\":400}";
    assertThrows(
        AssertionError.class, () -> Catch.check(Catch.parse("/status/"), answer(400, body)));
  }

  @Test
  void aPatternDoesNotMakeASuccessAnError() {
    assertThrows(
        AssertionError.class,
        () -> Catch.check(Catch.parse("/t/"), answer(200, "{\"error\":\"t\"}")));
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Catch.parse("sometimes"));
  }
}
