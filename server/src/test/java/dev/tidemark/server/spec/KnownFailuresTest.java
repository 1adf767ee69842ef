package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownFailuresTest {
  private static RestCase test(String name) {
    return new RestCase(
        "area", "file", name, null, new RestCase.Sections(List.of(), List.of(), List.of()));
  }

  @Test
  void aListedTestHasItsReason() {
    KnownFailures known =
        new KnownFailures(List.of("# a comment", "", "area/file/one: two : needs : more"));
    assertEquals("needs : more", known.reason(test("one: two")));
    assertNull(known.reason(test("one")));
  }

  @Test
  void aNameThatNoTestHasIsFound() {
    KnownFailures known = new KnownFailures(List.of("area/file/gone : why"));
    assertEquals(Set.of("area/file/gone"), known.unknown(List.of(test("here"))));
    assertEquals(Set.of(), known.unknown(List.of(test("gone"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"area/file/one", "area/file/one : ", "area/file/one:why"})
  void aLineWithoutAReasonIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> new KnownFailures(List.of(line)));
  }

  @Test
  void aTestListedTwiceIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new KnownFailures(List.of("area/file/one : a", "area/file/one : b")));
  }
}
