package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both columns of values are JSON.
class ExpectationTest {
  private static void check(
      Expectation expectation, String actual, String expected, boolean holds) {
    assertEquals(holds, expectation.holds(Json.read(actual), Json.read(expected)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1                      | 1.0                    | true
          9007199254740993       | 9007199254740992       | false
          1                      | "1"                    | false
          "true"                 | true                   | false
          null                   | null                   | true
          0                      | null                   | false
          {"a":1,"b":[1,2]}      | {"b":[1,2],"a":1}      | true
          {"a":1}                | {"a":1.0}              | false
          {"a":1}                | {"a":1,"b":null}       | false
          {"a":1,"b":2}          | {"a":1}                | false
          [1,2]                  | [2,1]                  | false
          [1]                    | [1,1]                  | false
          """)
  void matchComparesWholeValues(String actual, String expected, boolean holds) {
    check(Expectation.MATCH, actual, expected, holds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "12 open\\n"  | "/^ \\\\d+ \\\\s open \\n $/"         | true
          "12 open\\n"  | "/# a comment\\n ^ \\\\d+ \\\\s open/" | true
          "shut"        | "/^open/"                              | false
          12            | "/12/"                                 | false
          null          | "/.*/"                                 | false
          "/"           | "/"                                    | true
          """)
  void matchTakesTextBetweenSlashesAsAPatternWithComments(
      String actual, String expected, boolean holds) {
    check(Expectation.MATCH, actual, expected, holds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "abc"     | 3 | true
          [1,2]     | 2 | true
          {"a":1}   | 1 | true
          {}        | 1 | false
          12        | 2 | false
          null      | 0 | false
          """)
  void lengthCountsCharactersElementsAndMembers(String actual, String expected, boolean holds) {
    check(Expectation.LENGTH, actual, expected, holds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          null    | false
          false   | false
          "False" | false
          0       | false
          "0"     | false
          ""      | false
          true    | true
          "x"     | true
          -1      | true
          {}      | true
          []      | true
          """)
  void trueIsWhatIsThereAndNeitherFalseNorZeroNorEmpty(String actual, boolean holds) {
    check(Expectation.IS_TRUE, actual, "null", holds);
    check(Expectation.IS_FALSE, actual, "null", !holds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1    | 2   | true  | true  | false | false
          2    | 2.0 | false | true  | false | true
          3    | 2   | false | false | true  | true
          "3"  | 2   | false | false | false | false
          null | 2   | false | false | false | false
          """)
  void orderIsThatOfNumbersAlone(
      String actual, String expected, boolean lt, boolean lte, boolean gt, boolean gte) {
    check(Expectation.LT, actual, expected, lt);
    check(Expectation.LTE, actual, expected, lte);
    check(Expectation.GT, actual, expected, gt);
    check(Expectation.GTE, actual, expected, gte);
  }
}
