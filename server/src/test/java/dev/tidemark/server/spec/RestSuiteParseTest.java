package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class RestSuiteParseTest {
  private static List<RestCase> parse(String text) {
    return RestSuite.parse("area", "file", text);
  }

  @Test
  void setupAndTeardownBelongToEveryTestOfTheFile() {
    List<RestCase> cases =
        parse(
            """
            setup:
              - set: { a: b }
            ---
            teardown:
              - is_true: c
            ---
            "First":
              - match: { d: 1, e: yes }
            ---
            "Second": []
            """);
    assertEquals(
        List.of("area/file/First", "area/file/Second"),
        cases.stream().map(RestCase::fullName).toList());
    assertEquals(
        new RestCase.Sections(
            List.of(new RestStep.Keep("a", "b")),
            List.of(
                new RestStep.Check(Expectation.MATCH, "d", 1),
                new RestStep.Check(Expectation.MATCH, "e", "yes")),
            List.of(new RestStep.Check(Expectation.IS_TRUE, "c", null))),
        cases.getFirst().steps());
    assertEquals(1, cases.getLast().steps().setup().size());
  }

  @Test
  void aDateStaysText() {
    RestStep step =
        parse("\"A\":\n  - match: { d: 2021-05-01T10:00:00Z }")
            .getFirst()
            .steps()
            .test()
            .getFirst();
    assertEquals(new RestStep.Check(Expectation.MATCH, "d", "2021-05-01T10:00:00Z"), step);
  }

  @Test
  void aTestIsSkippedForItsVersionsOrAFeatureThatIsMissing() {
    List<RestCase> cases =
        parse(
            """
            "Old":
              - skip: { version: " - 2.99.99", reason: later }
              - unknown: step
            ---
            "Feature":
              - skip: { features: [headers, yaml] }
            ---
            "Run":
              - skip: { version: " - 7.9.99", features: headers, reason: older }
              - is_true: ''
            """);
    assertNotNull(cases.get(0).skipped());
    assertNotNull(cases.get(1).skipped());
    assertNull(cases.get(2).skipped());
    assertEquals(1, cases.get(2).steps().test().size());
  }

  @Test
  void aSkipInTheSetupHoldsForTheFile() {
    assertNotNull(
        parse("setup:\n  - skip: { version: all }\n---\n\"A\":\n  - is_true: a")
            .getFirst()
            .skipped());
  }

  @Test
  void anUnknownStepIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> parse("\"A\":\n  - wait: 1"));
  }

  @Test
  void aNameUsedTwiceIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> parse("\"A\":\n  - is_true: a\n---\n\"A\":\n  - is_true: b"));
  }
}
