package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StashTest {
  private final Stash stash = new Stash();

  @BeforeEach
  void keep() {
    stash.put("id", "a$b");
    stash.put("seq", 7);
    stash.answer(Json.read("{\"docs\":[{\"n\":1}]}"));
  }

  @Test
  void aWholeReferenceKeepsTheKindOfTheValue() {
    assertEquals(7, stash.resolve("$seq"));
    assertEquals(7, stash.resolve("${seq}"));
  }

  @Test
  void anEmbeddedReferenceBecomesText() {
    assertEquals("x-7-a$b", stash.resolve("x-${seq}-${id}"));
  }

  @Test
  void theLastAnswerIsTheBody() {
    assertEquals(Json.read("{\"docs\":[{\"n\":1}]}"), stash.resolve("$body"));
    assertEquals(1, stash.resolve("$body.docs.0.n"));
  }

  @Test
  void referencesAreReplacedAtEveryDepthAndInKeys() {
    assertEquals(
        Map.of("7", List.of(7, Map.of("k", "a$b"))),
        stash.resolveAll(Map.of("${seq}", List.of("$seq", Map.of("k", "$id")))));
  }

  @Test
  void anUnknownNameFails() {
    assertThrows(AssertionError.class, () -> stash.resolve("$other"));
  }
}
