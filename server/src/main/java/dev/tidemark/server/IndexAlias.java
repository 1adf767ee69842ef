package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Another name of an index.
///
/// @param filter a query that searches through the alias keep to, or null
/// @param indexRouting the routing of writes through the alias, or null
/// @param searchRouting the routing of searches through the alias, or null
/// @param writeIndex whether writes through the alias go to this index; null if nothing was said
/// @param hidden whether wildcards pass the alias by; null if nothing was said
record IndexAlias(
    @Nullable JsonText filter,
    @Nullable String indexRouting,
    @Nullable String searchRouting,
    @Nullable Boolean writeIndex,
    @Nullable Boolean hidden) {

  /// Reads the aliases of an index, by name.
  static Map<String, IndexAlias> readAll(JsonCursor json) {
    Map<String, IndexAlias> aliases = new LinkedHashMap<>();
    json.enter();
    while (json.more()) {
      String name = json.name();
      BodyFields.requireObject(json, name);
      aliases.put(name, read(json));
    }
    return aliases;
  }

  private static IndexAlias read(JsonCursor json) {
    JsonText filter = null;
    String indexRouting = null;
    String searchRouting = null;
    Boolean writeIndex = null;
    Boolean hidden = null;
    json.enter();
    while (json.more()) {
      String field = json.name();
      if (json.atNull()) {
        json.skip();
        continue;
      }
      switch (field) {
        case "filter" -> filter = json.value();
        case "routing" -> {
          String routing = BodyFields.text(json, field);
          indexRouting = indexRouting == null ? routing : indexRouting;
          searchRouting = searchRouting == null ? routing : searchRouting;
        }
        case "index_routing", "indexRouting", "index-routing" ->
            indexRouting = BodyFields.text(json, field);
        case "search_routing", "searchRouting", "search-routing" ->
            searchRouting = BodyFields.text(json, field);
        case "is_write_index" -> writeIndex = BodyFields.flag(json, field);
        case "is_hidden" -> hidden = BodyFields.flag(json, field);
        default -> throw ApiException.illegalArgument("Unknown field [" + field + "] in alias");
      }
    }
    return new IndexAlias(filter, indexRouting, searchRouting, writeIndex, hidden);
  }

  static void writeAll(Map<String, IndexAlias> aliases, JsonOutput out) {
    out.openObject();
    aliases.forEach((name, alias) -> alias.write(out.name(name)));
    out.closeObject();
  }

  private void write(JsonOutput out) {
    out.openObject();
    if (filter != null) {
      out.name("filter").raw(filter);
    }
    if (indexRouting != null) {
      out.field("index_routing", indexRouting);
    }
    if (searchRouting != null) {
      out.field("search_routing", searchRouting);
    }
    if (writeIndex != null) {
      out.field("is_write_index", writeIndex);
    }
    if (hidden != null) {
      out.field("is_hidden", hidden);
    }
    out.closeObject();
  }

  boolean isHidden() {
    return Boolean.TRUE.equals(hidden);
  }
}
