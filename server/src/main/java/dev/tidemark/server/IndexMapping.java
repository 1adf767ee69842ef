package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the document routes need of a mapping, and the checks of one when an index is created.
///
/// @param sourceEnabled whether answers carry the source
/// @param storedFields the dotted paths of fields with `store: true`
record IndexMapping(boolean sourceEnabled, Set<String> storedFields) {
  private static final Set<String> TYPES =
      Set.of(
          "alias",
          "binary",
          "boolean",
          "byte",
          "completion",
          "constant_keyword",
          "date",
          "date_nanos",
          "date_range",
          "derived",
          "double",
          "double_range",
          "flat_object",
          "float",
          "float_range",
          "geo_point",
          "geo_shape",
          "half_float",
          "integer",
          "integer_range",
          "ip",
          "ip_range",
          "join",
          "keyword",
          "knn_vector",
          "long",
          "long_range",
          "match_only_text",
          "nested",
          "object",
          "percolator",
          "point",
          "rank_feature",
          "rank_features",
          "scaled_float",
          "search_as_you_type",
          "semantic_version",
          "shape",
          "short",
          "star_tree",
          "text",
          "token_count",
          "unsigned_long",
          "version",
          "wildcard",
          "xy_point",
          "xy_shape");

  static IndexMapping of(JsonText mappings) {
    boolean sourceEnabled = true;
    Set<String> stored = new HashSet<>();
    JsonCursor json = new JsonCursor(mappings);
    if (!json.atObject()) {
      return new IndexMapping(true, Set.of());
    }
    json.enter();
    while (json.more()) {
      String name = json.name();
      if (name.equals("_source") && json.atObject()) {
        sourceEnabled = !"false".equals(memberText(json, "enabled"));
      } else if (name.equals("properties") && json.atObject()) {
        fields(json, "", stored);
      } else {
        json.skip();
      }
    }
    return new IndexMapping(sourceEnabled, Set.copyOf(stored));
  }

  /// Refuses mappings that OpenSearch refuses: nameless fields, fields of no known type, and
  /// mappings wrapped in a type.
  static void check(JsonText mappings) {
    JsonCursor json = new JsonCursor(mappings);
    json.enter();
    while (json.more()) {
      String name = json.name();
      if (name.equals("_doc")) {
        throw ApiException.illegalArgument("The mapping definition cannot be nested under a type");
      }
      if (name.equals("properties")) {
        BodyFields.requireObject(json, name);
        fields(json, "", new HashSet<>());
      } else {
        json.skip();
      }
    }
  }

  /// Goes through the fields of `properties`, checks each, and collects those that are stored.
  private static void fields(JsonCursor json, String path, Set<String> stored) {
    json.enter();
    while (json.more()) {
      String name = json.name();
      if (name.isEmpty()) {
        throw invalid("name cannot be empty string");
      }
      if (!json.atObject()) {
        throw invalid("Expected map for property [fields] on field [" + name + "]");
      }
      field(json, path + name, name, stored);
    }
  }

  private static void field(JsonCursor json, String path, String name, Set<String> stored) {
    String type = null;
    boolean hasFields = false;
    json.enter();
    while (json.more()) {
      String key = json.name();
      if (key.equals("properties") && json.atObject()) {
        hasFields = true;
        fields(json, path + ".", stored);
      } else if (key.equals("type") && json.atScalar()) {
        type = json.text();
      } else if (key.equals("store") && json.atScalar()) {
        if (json.text().equals("true")) {
          stored.add(path);
        }
      } else {
        json.skip();
      }
    }
    if (type != null && !TYPES.contains(type)) {
      throw invalid("No handler for type [" + type + "] declared on field [" + name + "]");
    }
    if (type == null && !hasFields) {
      throw invalid("No type specified for field [" + name + "]");
    }
  }

  private static @Nullable String memberText(JsonCursor json, String member) {
    String text = null;
    json.enter();
    while (json.more()) {
      if (json.name().equals(member) && json.atScalar()) {
        text = json.text();
      } else {
        json.skip();
      }
    }
    return text;
  }

  private static ApiException invalid(String reason) {
    return ApiException.badRequest(
            "mapper_parsing_exception", "Failed to parse mapping [_doc]: " + reason)
        .causedBy("illegal_argument_exception", reason);
  }
}
