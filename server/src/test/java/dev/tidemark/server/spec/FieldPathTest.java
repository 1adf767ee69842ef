package dev.tidemark.server.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  private final @Nullable Object root =
      Json.read(
          """
          {"items":[{"index":{"status":201}},{"a.b":{"c":7}}],
           "nodes":{"n1":{"name":"first"}},"none":null,"count":3}
          """);
  private final Stash stash = new Stash();

  private @Nullable Object at(String path) {
    return FieldPath.lookUp(root, path, stash);
  }

  @Test
  void namesAndPositionsLeadDown() {
    assertEquals(201, at("items.0.index.status"));
  }

  @Test
  void anEscapedDotBelongsToTheName() {
    assertEquals(7, at("items.1.a\\.b.c"));
    assertEquals(List.of("a.b", "c"), FieldPath.split("a\\.b.c"));
  }

  @Test
  void theEmptyPathIsTheRoot() {
    assertEquals(root, at(""));
  }

  @Test
  void whatIsMissingIsNull() {
    assertNull(at("nothing.below.it"));
    assertNull(at("none.below"));
  }

  @Test
  void aNameMayComeFromTheStash() {
    stash.put("node", "n1");
    stash.put("digit", 1);
    assertEquals("first", at("nodes.$node.name"));
    assertEquals("first", at("nodes.n${digit}.name"));
  }

  @Test
  void anArbitraryKeyIsOneOfTheObjects() {
    assertEquals("n1", at("nodes._arbitrary_key_"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"items.2", "items.first", "items.-1", "count.below"})
  void aPathThatDoesNotFitTheShapeFails(String path) {
    assertThrows(AssertionError.class, () -> at(path));
  }
}
