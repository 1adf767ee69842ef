package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import dev.tidemark.store.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// An index's settings: flat names that start with `index.`, each with a text or a list of texts.
/// Immutable.
final class IndexSettings {
  /// The version that OpenSearch 2.19.0 writes into its indices.
  private static final String VERSION_CREATED = "136407827";

  private static final Set<String> OURS =
      Set.of("index.uuid", "index.provided_name", "index.creation_date", "index.version.created");

  private static final Set<String> KNOWN =
      Set.of(
          "index.number_of_shards",
          "index.number_of_replicas",
          "index.number_of_routing_shards",
          "index.routing_partition_size",
          "index.hidden",
          "index.refresh_interval",
          "index.auto_expand_replicas",
          "index.codec",
          "index.priority",
          "index.gc_deletes",
          "index.default_pipeline",
          "index.final_pipeline",
          "index.write.wait_for_active_shards",
          "index.load_fixed_bitset_filters_eagerly",
          "index.max_result_window",
          "index.max_inner_result_window",
          "index.max_rescore_window",
          "index.max_docvalue_fields_search",
          "index.max_script_fields",
          "index.max_ngram_diff",
          "index.max_shingle_diff",
          "index.max_refresh_listeners",
          "index.max_adjacency_matrix_filters",
          "index.max_terms_count",
          "index.max_regex_length",
          "index.max_slices_per_scroll",
          "index.highlight.max_analyzed_offset",
          "index.optimize_auto_generated_id",
          "index.shard.check_on_startup",
          "index.fielddata.cache",
          "index.requests.cache.enable",
          "index.append_only.enabled");

  /// Families whose members are kept without a look at them.
  private static final List<String> FAMILIES =
      List.of(
          "index.analysis.",
          "index.analyze.",
          "index.blocks.",
          "index.routing.",
          "index.sort.",
          "index.similarity.",
          "index.merge.",
          "index.translog.",
          "index.search.",
          "index.searchable_snapshot.",
          "index.indexing.",
          "index.mapping.",
          "index.mapper.",
          "index.query.",
          "index.queries.",
          "index.soft_deletes.",
          "index.store.",
          "index.lifecycle.",
          "index.unassigned.",
          "index.allocation.",
          "index.replication.",
          "index.remote_store.",
          "index.composite_index.",
          "index.codec.",
          "index.warmer.",
          "index.flush_after_merge",
          "index.plugins.",
          "index.knn");

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "index.refresh_interval", "1s",
          "index.hidden", "false",
          "index.max_result_window", "10000",
          "index.codec", "default",
          "index.gc_deletes", "60s",
          "index.mapping.total_fields.limit", "1000",
          "index.mapping.depth.limit", "20");

  private final Map<String, List<String>> values;

  private IndexSettings(Map<String, List<String>> values) {
    this.values = values;
  }

  static IndexSettings of(JsonText json) {
    Map<String, List<String>> values = new TreeMap<>();
    JsonCursor cursor = new JsonCursor(json);
    if (cursor.atObject()) {
      collect(cursor, "", values);
    }
    return new IndexSettings(values);
  }

  /// Takes flat and nested names, with or without `index.` in front. A null unsets.
  private static void collect(JsonCursor json, String path, Map<String, List<String>> values) {
    json.enter();
    while (json.more()) {
      String name = path + json.name();
      if (json.atObject()) {
        collect(json, name + ".", values);
      } else if (json.atNull()) {
        json.skip();
      } else {
        String full = name.startsWith("index.") ? name : "index." + name;
        values.put(full, BodyFields.texts(json, full));
      }
    }
  }

  /// Refuses what OpenSearch refuses when an index is created.
  void check() {
    TreeSet<String> ours = new TreeSet<>(values.keySet());
    ours.retainAll(OURS);
    if (!ours.isEmpty()) {
      throw ApiException.badRequest(
          "validation_exception",
          ApiException.validation(
                  ours.stream()
                      .map(name -> "private index setting [" + name + "] can not be set explicitly")
                      .toList())
              .reason());
    }
    for (String name : values.keySet()) {
      if (!KNOWN.contains(name) && FAMILIES.stream().noneMatch(name::startsWith)) {
        throw unknown(name);
      }
    }
    int shards = shards();
    number("index.number_of_replicas", 1, 0, Integer.MAX_VALUE);
    flag("index.hidden");
    String refresh = text("index.refresh_interval");
    if (refresh != null) {
      TimeValue.millis("index.refresh_interval", refresh);
    }
    if (routingShards() % shards != 0) {
      throw ApiException.illegalArgument(
          "the number of source shards ["
              + shards
              + "] must be a factor of ["
              + routingShards()
              + "]");
    }
  }

  private static ApiException unknown(String name) {
    String hint = RequestParameters.hint(name, KNOWN);
    return ApiException.illegalArgument(
        "unknown setting ["
            + name
            + "]"
            + (hint.isEmpty()
                ? " please check that any required plugins are installed, or check the breaking"
                    + " changes documentation for removed settings"
                : hint.substring(3)));
  }

  int shards() {
    return number("index.number_of_shards", 1, 1, 1024);
  }

  int replicas() {
    return number("index.number_of_replicas", 1, 0, Integer.MAX_VALUE);
  }

  /// Into how many parts routing hashes fall before they fall into shards.
  int routingShards() {
    int shards = shards();
    int splits = Math.max(1, 10 - (32 - Integer.numberOfLeadingZeros(shards - 1)));
    return number("index.number_of_routing_shards", shards << splits, shards, Integer.MAX_VALUE);
  }

  boolean hidden() {
    return flag("index.hidden");
  }

  private @Nullable String text(String name) {
    List<String> texts = values.get(name);
    return texts == null || texts.isEmpty() ? null : texts.getFirst();
  }

  private int number(String name, int otherwise, int min, int max) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw ApiException.illegalArgument(
          "Failed to parse value [" + text + "] for setting [" + name + "]");
    }
    if (number < min || number > max) {
      throw ApiException.illegalArgument(
          "Failed to parse value ["
              + text
              + "] for setting ["
              + name
              + "] must be "
              + (number < min ? ">= " + min : "<= " + max));
    }
    return number;
  }

  private boolean flag(String name) {
    String text = text(name);
    if (text == null || text.equals("false")) {
      return false;
    }
    if (!text.equals("true")) {
      throw ApiException.illegalArgument(
          "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
    }
    return true;
  }

  /// The form that is kept: flat, sorted, all texts.
  JsonText toJson() {
    JsonOutput out = new JsonOutput();
    writeFlat(values, out);
    return JsonText.parse(out.toBytes());
  }

  /// All settings of an index, with those that every index has.
  Map<String, List<String>> shown(CollectionInfo collection) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put("index.creation_date", List.of(Long.toString(collection.createdAtMs())));
    all.put("index.number_of_shards", List.of(Integer.toString(shards())));
    all.put("index.number_of_replicas", List.of(Integer.toString(replicas())));
    all.put("index.uuid", List.of(collection.uuid()));
    all.put("index.version.created", List.of(VERSION_CREATED));
    all.put("index.provided_name", List.of(collection.name()));
    values.forEach(all::putIfAbsent);
    return all;
  }

  /// What applies where an index says nothing.
  Map<String, List<String>> defaults() {
    Map<String, List<String>> defaults = new TreeMap<>();
    DEFAULTS.forEach((name, value) -> defaults.put(name, List.of(value)));
    defaults.keySet().removeAll(values.keySet());
    return defaults;
  }

  /// Writes settings under their flat names.
  static void writeFlat(Map<String, List<String>> settings, JsonOutput out) {
    out.openObject();
    settings.forEach((name, texts) -> writeTexts(name, texts, out));
    out.closeObject();
  }

  /// Writes settings as nested objects, one for each part of their names.
  static void writeNested(Map<String, List<String>> settings, JsonOutput out) {
    out.openObject();
    Map<String, Map<String, List<String>>> groups = new LinkedHashMap<>();
    settings.forEach(
        (name, texts) -> {
          int dot = name.indexOf('.');
          if (dot < 0 || settings.containsKey(name.substring(0, dot))) {
            writeTexts(name, texts, out);
          } else {
            groups
                .computeIfAbsent(name.substring(0, dot), _ -> new LinkedHashMap<>())
                .put(name.substring(dot + 1), texts);
          }
        });
    groups.forEach((name, group) -> writeNested(group, out.name(name)));
    out.closeObject();
  }

  private static void writeTexts(String name, List<String> texts, JsonOutput out) {
    out.name(name);
    if (texts.size() == 1) {
      out.value(texts.getFirst());
      return;
    }
    out.openArray();
    texts.forEach(out::value);
    out.closeArray();
  }
}
