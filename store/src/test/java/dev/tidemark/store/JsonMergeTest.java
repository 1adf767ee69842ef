package dev.tidemark.store;

import static dev.tidemark.store.Docs.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// How a partial document goes into a whole one.
class JsonMergeTest {
  private static JsonMerge.Merged merged(String base, String partial) {
    JsonMerge.Merged merged = JsonMerge.merge(json(base), json(partial));
    assertNotNull(merged);
    return merged;
  }

  private static void becomes(String base, String partial, String expected) {
    JsonMerge.Merged merged = merged(base, partial);
    assertEquals(expected, merged.text().toString());
    assertTrue(merged.changed());
    // The result is JSON, and merging once more changes nothing.
    assertEquals(expected, json(merged.text().toString()).toString());
    assertFalse(merged(expected, partial).changed());
  }

  private static void staysTheSame(String base, String partial) {
    assertFalse(merged(base, partial).changed());
  }

  @Test
  void keysKeepTheirPlaceAndNewOnesFollow() {
    becomes("{\"a\":1,\"b\":2}", "{\"c\":3,\"a\":4}", "{\"a\":4,\"b\":2,\"c\":3}");
    becomes("{}", "{\"a\":1,\"b\":{}}", "{\"a\":1,\"b\":{}}");
  }

  @Test
  void objectsMergeDeeplyAndEverythingElseIsReplaced() {
    becomes(
        "{\"o\":{\"x\":{\"p\":1},\"y\":2},\"l\":[1,2]}",
        "{\"o\":{\"x\":{\"q\":3}},\"l\":[3]}",
        "{\"o\":{\"x\":{\"p\":1,\"q\":3},\"y\":2},\"l\":[3]}");
    becomes("{\"a\":{\"b\":1}}", "{\"a\":2}", "{\"a\":2}");
    becomes("{\"a\":2}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}");
    becomes("{\"a\":{\"b\":1}}", "{\"a\":null}", "{\"a\":null}");
    becomes("{\"a\":[{\"b\":1}]}", "{\"a\":[{\"c\":1}]}", "{\"a\":[{\"c\":1}]}");
  }

  @Test
  void literalsStayAsTheyCame() {
    becomes(
        "{\"n\":1.00,\"s\":\"\\u0061\"}",
        "{\"m\":9007199254740993}",
        "{\"n\":1.00,\"s\":\"\\u0061\",\"m\":9007199254740993}");
    becomes("{\"n\":1.0}", "{\"n\":1.00}", "{\"n\":1.00}");
  }

  @Test
  void aKeyIsTheSameHoweverItIsEscaped() {
    becomes("{\"a\":1}", "{\"\\u0061\":2}", "{\"a\":2}");
    becomes("{\"\\u0061\":{\"x\":1}}", "{\"a\":{\"y\":2}}", "{\"\\u0061\":{\"x\":1,\"y\":2}}");
    becomes("{\"q\\\"\":1}", "{\"q\\u0022\":2}", "{\"q\\\"\":2}");
  }

  @Test
  void bracesAndQuotesInStringsMislead() {
    becomes(
        "{\"a\":\"}\\\"]{\",\"b\":[\"]\",{\"x\":\"}\\\\\"}]}",
        "{\"c\":\"{\\\"\"}",
        "{\"a\":\"}\\\"]{\",\"b\":[\"]\",{\"x\":\"}\\\\\"}],\"c\":\"{\\\"\"}");
  }

  @Test
  void equalValuesAreNoChange() {
    staysTheSame("{\"a\":1,\"b\":{\"c\":2}}", "{}");
    staysTheSame("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"b\":{\"d\":3,\"c\":2},\"a\":1}");
    staysTheSame("{\"a\":{}}", "{\"a\":{}}");
    staysTheSame("{\"a\":[1,{\"b\":\"c\"}]}", "{\"a\":[1,{\"b\":\"c\"}]}");
  }

  @Test
  void aResultBeyondTheLimitIsNull() {
    String most = "x".repeat(StoreLimits.SOURCE_BYTES_MAX - 20);
    assertNotNull(JsonMerge.merge(json("{\"a\":\"" + most + "\"}"), json("{\"b\":1234}")));
    assertNull(JsonMerge.merge(json("{\"a\":\"" + most + "\"}"), json("{\"b\":1234567890}")));
  }

  @Test
  void aReplacementMaySaveAResultFromTheLimit() {
    String most = "x".repeat(StoreLimits.SOURCE_BYTES_MAX - 20);
    JsonMerge.Merged merged =
        JsonMerge.merge(json("{\"a\":\"" + most + "\"}"), json("{\"b\":1234567890,\"a\":\"\"}"));
    assertNotNull(merged);
    assertEquals("{\"a\":\"\",\"b\":1234567890}", merged.text().toString());
  }

  @Test
  void deepAndLargeDocumentsMergeInOnePass() {
    // 500 levels around 8 MB: going over the inner text once for each level would take minutes.
    int levels = StoreLimits.DEPTH_MAX - 1;
    String leaf = "x".repeat(8 << 20);
    String base = "{\"k\":".repeat(levels) + "{\"a\":\"" + leaf + "\"}" + "}".repeat(levels);
    String partial = "{\"k\":".repeat(levels) + "{\"b\":\"" + leaf + "\"}" + "}".repeat(levels);
    for (int i = 0; i < 5; i++) {
      assertNull(JsonMerge.merge(json(base), json(partial)));
      assertTrue(merged(base, partial.replace("xx", "")).changed());
    }
  }
}
