package dev.tidemark.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// What is taken as JSON, what is refused, and that nothing changes on the way.
class JsonTextTest {
  private static String compact(String json) {
    return JsonText.parse(json.getBytes(UTF_8)).toString();
  }

  private static InvalidJsonException refused(String json) {
    return refused(json.getBytes(UTF_8));
  }

  private static InvalidJsonException refused(byte[] json) {
    return assertThrows(InvalidJsonException.class, () -> JsonText.parse(json));
  }

  private static String message(String json) {
    return String.valueOf(refused(json).getMessage());
  }

  private static byte[] hex(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }

  @Test
  void whiteSpaceOutsideStringsIsDropped() {
    assertEquals(
        "{\"a b\":[1,{\"c\":\" d\\t\"},true,null],\"e\":\"\"}",
        compact(" {\t\"a b\" :\r\n [ 1 , { \"c\" : \" d\\t\" } , true , null ] ,\"e\":\"\" }\n"));
    assertEquals("[]", compact("[ ]"));
    assertEquals("{}", compact("\n{ }"));
    assertEquals("{\"a\":{},\"b\":[]}", compact("{ \"a\":{} ,\"b\":[] }"));
  }

  @Test
  void everyLiteralStaysAsItCame() {
    for (String json :
        new String[] {
          "{\"n\":9007199254740993}",
          "{\"n\":0.1000000000000000055}",
          "{\"n\":1.00}",
          "{\"n\":-0.0}",
          "{\"n\":1E+2}",
          "{\"n\":1e-400}",
          "{\"s\":\"\\u00e4\\/\\u0000\\ud83d\\ude00\"}",
          "{\"s\":\"ä€😀\"}",
          "{\"\":1,\".\":2,\"a..b\":3}",
          "{\"a\":[{\"b\":\"z\"},{\"b\":4}]}",
        }) {
      assertEquals(json, compact(json));
    }
  }

  @Test
  void withoutWhiteSpaceTheArrayItselfIsKept() {
    byte[] json = "{\"a\":1}".getBytes(UTF_8);
    assertSame(json, JsonText.parse(json).bytes());
  }

  @Test
  void aPartOfAnArrayIsParsedAlone() {
    byte[] json = "xx{\"a\": 1}yy".getBytes(UTF_8);
    assertEquals("{\"a\":1}", JsonText.parse(json, 2, 8).toString());
    assertEquals("7", JsonText.parse("x7y".getBytes(UTF_8), 1, 1).toString());
    assertEquals(
        8, assertThrows(InvalidJsonException.class, () -> JsonText.parse(json, 2, 9)).offset());
  }

  @Test
  void anyValueIsAValue() {
    for (String json : new String[] {"1", "-0", "\"\"", "true", "false", "null", "[]", "0.5e1"}) {
      assertEquals(json, compact(json));
      assertFalse(JsonText.parse(json.getBytes(UTF_8)).isObject());
    }
    assertTrue(JsonText.parse("{}".getBytes(UTF_8)).isObject());
  }

  @Test
  void aByteOrderMarkInFrontIsDropped() {
    assertEquals("{}", compact("\ufeff{}"));
    assertEquals("{}", compact("\ufeff {}"));
    refused("{\ufeff}");
    refused("\ufeff\ufeff{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"\\u0061\":1,\"a\":2}",
        "{\"x\":{\"y\":[{\"a\":1,\"b\":2,\"a\":3}]}}",
        "{\"\":1,\"\":2}",
        "{\"\\/\":1,\"/\":2}",
        "{\"ä\":1,\"\\u00e4\":2}",
        "{\"\\ud83d\\ude00\":1,\"😀\":2}",
        "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"a\":3}"
      })
  void theSameKeyTwiceIsRefused(String json) {
    assertTrue(message(json).contains("twice"));
  }

  @Test
  void theSameKeyInDifferentObjectsIsFine() {
    String json = "{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}";
    assertEquals(json, compact(json));
  }

  @Test
  void duplicatesAreFoundAmongManyKeys() {
    for (int keys : new int[] {15, 16, 17, 18, 40, 5_000}) {
      StringBuilder json = new StringBuilder("{");
      for (int i = 0; i < keys; i++) {
        json.append("\"key%d\":{\"key%d\":0,\"\\u006bey%d\":1},".formatted(i, i, i + 1));
      }
      String open = json.toString();
      assertEquals(open + "\"k\":1}", compact(open + "\"k\":1}"));
      for (int i : new int[] {0, keys / 2, keys - 1}) {
        refused(open + "\"key" + i + "\":1}");
        refused(open + "\"k\\u0065y" + i + "\":1}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e400", "1e309", "[1,-1e999]", "1e99999999999999999999"})
  void aNumberWithoutAFiniteValueIsRefused(String json) {
    assertTrue(message(json).contains("finite"));
    refused("{\"d\":" + json + "}");
  }

  @Test
  void theLargestFiniteNumbersAreTaken() {
    String nines = "9".repeat(308);
    assertEquals(nines, compact(nines));
    assertEquals("1" + "0".repeat(308), compact("1" + "0".repeat(308)));
    assertEquals("1.7976931348623157e308", compact("1.7976931348623157e308"));
    refused("2" + "0".repeat(308));
  }

  @Test
  void aNumberHasALimitedLength() {
    String longest = "0." + "1".repeat(StoreLimits.NUMBER_BYTES_MAX - 2);
    assertEquals(longest, compact(longest));
    refused(longest + "1");
    String tooLong = "{\"n\":" + "9".repeat(400_000) + "}";
    assertTrue(message(tooLong).contains("longer than 1000"), message(tooLong));
    assertEquals(5, refused(tooLong).offset());
    refused("1e" + "0".repeat(400_000));
  }

  @Test
  void manyDigitsCostNoMoreThanTheirLimit() {
    // Counted in refusals, not in time: a quadratic conversion would never get through them.
    byte[] nines = ("{\"n\":" + "9".repeat(400_000) + "}").getBytes(UTF_8);
    for (int i = 0; i < 20_000; i++) {
      refused(nines);
    }
  }

  @Test
  void depthHasItsLimit() {
    int max = StoreLimits.DEPTH_MAX;
    String arrays = "[".repeat(max) + "]".repeat(max);
    assertEquals(arrays, compact(arrays));
    String objects = "{\"a\":".repeat(max) + "1" + "}".repeat(max);
    assertEquals(objects, compact(objects));
    assertTrue(message("[" + arrays + "]").contains("deeper than 500"));
    refused("{\"a\":" + objects + "}");
    refused("{\"a\":".repeat(10_000));
    refused("[".repeat(1_000_000));
  }

  @Test
  void aKeyHasALimitedLength() {
    String longest = "k".repeat(StoreLimits.KEY_BYTES_MAX);
    compact("{\"" + longest + "\":1}");
    refused("{\"" + longest + "k\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{1:2}",
        "{a:1}",
        "{'a':1}",
        "{\"a\" 1}",
        "{\"a\"::1}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{\"a\":1]",
        "{} {}",
        "{}x",
        "1 2",
        "tru",
        "trux",
        "True",
        "nul",
        "NaN",
        "Infinity",
        "-Infinity",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e5",
        "1e",
        "1e+",
        "0x10",
        "1_000",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "\"\t\"",
        "\"\n\"",
        "\"\u0000\"",
        "// c\n1",
        "/* c */1",
        "\u00a01",
        "\f1",
        "\u000b1"
      })
  void whatIsNotJsonIsRefused(String json) {
    refused(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud800\":1}"
      })
  void halfASurrogatePairIsRefused(String json) {
    assertTrue(message(json).contains("surrogate"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22 ed a0 80 22", // D800 as if it were a character
        "22 ed bf bf 22",
        "22 ed a0 80 ed b0 80 22", // a pair, each half encoded by itself
        "22 c0 80 22", // longer than need be
        "22 c1 bf 22",
        "22 e0 9f bf 22",
        "22 f0 8f bf bf 22",
        "22 f4 90 80 80 22", // beyond the last character
        "22 f5 80 80 80 22",
        "22 ff 22",
        "22 80 22", // a continuation of nothing
        "22 c3 22",
        "22 c3 28 22",
        "22 e2 82 22",
        "22 e2 82",
        "22 f0 9f 98 22",
        "22 f0 9f 98",
        "22 c3",
        "7b 22 ff 22 3a 31 7d",
        "ff",
        "c3 a4"
      })
  void whatIsNotUtf8IsRefused(String bytes) {
    refused(hex(bytes));
  }

  @Test
  void theLastCharactersOfEachLengthAreTaken() {
    for (int c : new int[] {0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff}) {
      String json = "\"" + Character.toString(c) + "\"";
      assertEquals(json, compact(json));
    }
  }

  @Test
  void theMessageNamesThePlace() {
    String json = "{\n  \"ä\": 1,\n  \"ö\": tru\n}";
    assertTrue(message(json).contains("line 3, column 8 (byte 21)"), message(json));
    assertEquals(21, refused(json).offset());
    assertEquals(7, refused("{\"a\":1,\"a\":2}").offset());
    assertEquals(0, refused("").offset());
    assertEquals(3, refused("[1,").offset());
  }

  @Test
  void aLongKeyIsShortenedInTheMessage() {
    String key = "k".repeat(30_000);
    assertTrue(message("{\"" + key + "\":1,\"" + key + "\":2}").length() < 300);
  }

  @Test
  void everyPrefixOfADocumentIsRefused() {
    byte[] json =
        "{\"a\":[1.5e3,\"ä\\u00e4\\n\",true],\"b\":{\"c\":null,\"d\":-0}}".getBytes(UTF_8);
    JsonText.parse(json);
    for (int length = 0; length < json.length; length++) {
      int cut = length;
      assertThrows(InvalidJsonException.class, () -> JsonText.parse(json, 0, cut));
    }
  }

  /// A parser of others agrees about what is JSON, where our rules do not go beyond it.
  @Test
  void damagedTextIsJudgedAsAnotherParserDoes() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(500).build())
            .build();
    String alphabet = "{}[]\",:\\/ \n019-+.eEtrufalsn\"\"{}[],,::ab";
    String[] starts = {
      "{\"a\":[1,2.5,-3e2],\"b\":{\"c\":\"d\\n\\u0041\"},\"e\":[true,false,null]}",
      "[{\"x\":0},{\"x\":\"\"},[[[]]],{}]",
      "{\"n\":-0.0,\"m\":10,\"o\":{\"p\":{\"q\":[]}}}"
    };
    for (int round = 0; round < 60_000; round++) {
      StringBuilder text = new StringBuilder(starts[random.nextInt(starts.length)]);
      for (int edits = random.nextInt(4); edits >= 0; edits--) {
        char c = alphabet.charAt(random.nextInt(alphabet.length()));
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, c);
          case 1 -> text.insert(at, c);
          default -> text.deleteCharAt(at);
        }
      }
      String json = text.toString();
      boolean ours = accepts(json);
      assertEquals(others(factory, json), ours, () -> seed + ": " + json);
      if (ours) {
        assertEquals(compact(json), compact(compact(json)), seed::toString);
      }
    }
  }

  private static boolean accepts(String json) {
    try {
      JsonText.parse(json.getBytes(ISO_8859_1));
      return true;
    } catch (InvalidJsonException e) {
      return false;
    }
  }

  private static boolean others(JsonFactory factory, String json) {
    try (JsonParser parser =
        factory.createParser(ObjectReadContext.empty(), json.getBytes(ISO_8859_1))) {
      int values = 0;
      int depth = 0;
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isNumeric() && Double.isInfinite(parser.getDoubleValue())) {
          return false;
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        values += depth == 0 ? 1 : 0;
      }
      return values == 1;
    } catch (JacksonException e) {
      return false;
    }
  }
}
