package dev.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import dev.tidemark.store.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The classes that write JSON, walk it, and take parts of it.
final class JsonPartsTest {
  private static JsonText json(String text) {
    return JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(JsonOutput out) {
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  private static JsonOutput output(String compact) {
    byte[] bytes = compact.getBytes(StandardCharsets.UTF_8);
    return new JsonOutput(bytes.length).append(bytes, 0, bytes.length);
  }

  /// Random compact JSON, with literals of many forms.
  private static void random(RandomGenerator random, int depth, JsonOutput out) {
    switch (random.nextInt(depth > 4 ? 4 : 6)) {
      case 0 -> out.value(randomText(random));
      case 1 -> out.value(random.nextLong());
      case 2 -> out.raw((random.nextInt(100) + ".50e-3").getBytes(StandardCharsets.US_ASCII));
      case 3 -> {
        if (random.nextBoolean()) {
          out.nullValue();
        } else {
          out.value(random.nextBoolean());
        }
      }
      case 4 -> {
        out.openObject();
        int members = random.nextInt(4);
        for (int i = 0; i < members; i++) {
          random(random, depth + 1, out.name(i + randomText(random)));
        }
        out.closeObject();
      }
      default -> {
        out.openArray();
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
          random(random, depth + 1, out);
        }
        out.closeArray();
      }
    }
  }

  private static String randomText(RandomGenerator random) {
    String letters = "ab{}[],:\"\\\n\u0000\u001f中\ud83d\ude00 .";
    int[] codePoints = letters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
    }
    return text.toString();
  }

  @Test
  void whatIsWrittenIsCompactJsonAndSurvivesLayingOutAndWalking() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    for (int i = 0; i < 2_000; i++) {
      JsonOutput out = new JsonOutput(1);
      random(random, 0, out);
      String compact = text(out);
      assertEquals(compact, json(compact).toString(), () -> seed + ": not compact");
      String pretty = text(PrettyJson.of(out.array(), out.length()));
      assertEquals(compact, json(pretty).toString(), () -> seed + ": " + pretty);
      JsonCursor cursor = new JsonCursor(json(compact));
      assertEquals(out.length(), cursor.skip(), () -> seed + ": " + compact);
    }
  }

  @Test
  void textsComeOutOfTheWalkAsTheyWereWritten() {
    Seed seed = Seed.ofRun();
    RandomGenerator random = seed.random();
    for (int i = 0; i < 2_000; i++) {
      String name = randomText(random);
      String value = randomText(random);
      JsonOutput out = new JsonOutput().openObject().field(name, value).closeObject();
      JsonCursor cursor = new JsonCursor(json(text(out)));
      cursor.enter();
      assertTrue(cursor.more());
      assertEquals(name, cursor.name(), seed::toString);
      assertEquals(value, cursor.text(), seed::toString);
      assertFalse(cursor.more());
    }
  }

  @Test
  void numbersAreWrittenInFull() {
    for (long number :
        new long[] {
          0, 1, -1, 9, 10, -10, 99, 100, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE
        }) {
      assertEquals(Long.toString(number), text(new JsonOutput().value(number)));
    }
  }

  @Test
  void escapesAreResolved() {
    JsonCursor cursor =
        new JsonCursor(json("\"\\u0041\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\"\\\\é\""));
    assertEquals("A😀/\b\f\n\r\t\"\\é", cursor.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a             |             | {\"a\":1.0}",
        "b             |             | {\"b\":{\"c\":[1,{\"d\":2}],\"e\":3}}",
        "b.e           |             | {\"b\":{\"e\":3}}",
        "b.c.d         |             | {\"b\":{\"c\":[{\"d\":2}]}}",
        "b.*           |             | {\"b\":{\"c\":[1,{\"d\":2}],\"e\":3}}",
        "*.e           |             | {\"b\":{\"e\":3}}",
        "x.y           |             | {\"x.y\":4}",
        "x             |             | {\"x.y\":4}",
        "none          |             | {}",
        "              | b,x         | {\"a\":1.0}",
        "              | *.d         | {\"a\":1.0,\"b\":{\"c\":[1],\"e\":3},\"x.y\":4}",
        "b             | b.c         | {\"b\":{\"e\":3}}",
        "b,a           | b           | {\"a\":1.0}",
        "*             | *           | {}"
      })
  void sourceFiltersKeepWhatOpenSearchKeeps(String includes, String excludes, String expected) {
    SourceFilter filter =
        SourceFilter.of(
            includes == null ? List.of() : RequestParameters.splitList(includes),
            excludes == null ? List.of() : RequestParameters.splitList(excludes));
    JsonOutput out = new JsonOutput();
    filter.write(json("{\"a\":1.0,\"b\":{\"c\":[1,{\"d\":2}],\"e\":3},\"x.y\":4}"), out);
    assertEquals(expected, text(out));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "took                   | {\"took\":1}",
        "items.*.status         | {\"items\":[{\"index\":{\"status\":201}},{\"create\":{\"status\":409}}]}",
        "**.type                | {\"items\":[{\"create\":{\"error\":{\"type\":\"x\"}}}]}",
        "items.index            | {\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}}]}",
        "-items                 | {\"took\":1,\"e\\\\.f\":0}",
        "items,-items.*.status  | {\"items\":[{\"index\":{\"_id\":\"1\"}},{\"create\":{\"error\":{\"type\":\"x\"}}}]}",
        "t*                     | {\"took\":1}",
        "none.*                 | {}",
        "-**.status,-took       | {\"items\":[{\"index\":{\"_id\":\"1\"}},{\"create\":{\"error\":{\"type\":\"x\"}}}],\"e\\\\.f\":0}"
      })
  void filterPathsKeepWhatOpenSearchKeeps(String paths, String expected) {
    JsonOutput answer =
        output(
            "{\"took\":1,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}},"
                + "{\"create\":{\"status\":409,\"error\":{\"type\":\"x\"}}}],\"e\\\\.f\":0}");
    assertEquals(expected, text(FilterPath.of(RequestParameters.splitList(paths)).apply(answer)));
  }

  @Test
  void anEscapedDotIsPartOfAStep() {
    JsonOutput answer = output("{\"a.b\":1,\"a\":{\"b\":2}}");
    assertEquals("{\"a.b\":1}", text(FilterPath.of(List.of("a\\.b")).apply(answer)));
    assertEquals("{\"a\":{\"b\":2}}", text(FilterPath.of(List.of("a.b")).apply(answer)));
  }

  @ParameterizedTest
  @CsvSource({
    "a*c,abc,true",
    "a*c,ac,true",
    "a*c,acb,false",
    "*,'',true",
    "a,ab,false",
    "*a*b*,xaxbx,true",
    "**,x,true"
  })
  void globsMatchWholeTexts(String pattern, String text, boolean expected) {
    assertEquals(expected, Glob.matches(pattern, text));
  }

  /// Values from OpenSearch's own tests of its hash.
  @ParameterizedTest
  @CsvSource({
    "hell, 5a0cb7c3",
    "hello, d7c31989",
    "hello w, 22ab2984",
    "hello wo, df0ca123",
    "hello wor, e7744d61",
    "The quick brown fox jumps over the lazy dog, e07db09c",
    "The quick brown fox jumps over the lazy cog, 4e63d2ad"
  })
  void routingHashesAreOpenSearchs(String routing, String hash) {
    assertEquals(hash, Integer.toHexString(RoutingHash.of(routing)));
  }
}
