package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuiteVersionTest {
  @ParameterizedTest
  @CsvSource({
    "all, true",
    "' - 2.99.99', true",
    "'2.19.0 - ', true",
    "' - 2.19.0', true",
    "'- 2.18.99', false",
    "'2.19.1 - ', false",
    "' - 2.9.99', false",
    "'1.0.0 - 1.9.9, 2.19 - 2.20', true"
  })
  void aRangeIncludesItsBoundsAndMayLeaveOneOut(String range, boolean within) {
    assertEquals(within, SuiteVersion.parse("2.19.0").isWithin(range));
  }

  @ParameterizedTest
  @CsvSource({"' - 7.9.99', false", "' - 6.99.99', false", "'7.2.0 - ', true"})
  void versionsOfTheAncestorComeBeforeAllOthers(String range, boolean within) {
    assertEquals(within, SuiteVersion.parse("2.19.0").isWithin(range));
  }

  @Test
  void versionsCompareByNumberNotByText() {
    assertEquals(1, SuiteVersion.parse("2.10.0").compareTo(SuiteVersion.parse("2.9.99")));
  }

  @ParameterizedTest
  @CsvSource({"2.x - 2.19", "'2.19'", "'a - b'"})
  void whatIsNoRangeIsRefused(String range) {
    assertThrows(IllegalArgumentException.class, () -> SuiteVersion.CURRENT.isWithin(range));
  }
}
