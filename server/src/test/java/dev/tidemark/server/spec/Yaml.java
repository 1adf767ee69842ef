package dev.tidemark.server.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// YAML to the plain values of [Json]. By YAML 1.2's core schema: dates, and words such as `yes`,
/// are strings. Stateless.
final class Yaml {
  private Yaml() {}

  /// The documents of a text that hold anything.
  static List<Map<String, @Nullable Object>> documents(String label, String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(label).setSchema(new CoreSchema()).build();
    List<Map<String, @Nullable Object>> documents = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(text)) {
      if (document != null) {
        documents.add(Json.members(plain(document)));
      }
    }
    return documents;
  }

  /// A copy in which every key is a string, as JSON has them.
  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      map.forEach((key, member) -> members.put(String.valueOf(key), plain(member)));
      return members;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> elements = new ArrayList<>();
      list.forEach(element -> elements.add(plain(element)));
      return elements;
    }
    return value;
  }
}
