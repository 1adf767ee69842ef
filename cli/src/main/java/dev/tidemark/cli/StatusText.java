package dev.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A server's status as a person reads it.
final class StatusText {
  /// Every number and text of the status by its path, such as `log.bytes` or `collections.0.name`.
  private final Map<String, String> values = new TreeMap<>();

  private StatusText() {}

  /// @throws tools.jackson.core.JacksonException if the status is no JSON
  static String of(String url, byte[] status) {
    var text = new StatusText();
    try (JsonParser parser = Json.parser(status)) {
      parser.nextToken();
      text.read(parser, "");
    }
    return text.render(url);
  }

  /// Reads the value at which the parser stands.
  private void read(JsonParser parser, String path) {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          read(parser, path.isEmpty() ? name : path + "." + name);
        }
      }
      case START_ARRAY -> {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
          read(parser, path + "." + i);
        }
      }
      case null, default -> values.put(path, parser.getString());
    }
  }

  private String render(String url) {
    var out = new StringBuilder();
    out.append(
        "Tidemark %s at %s, up %s\n\n"
            .formatted(text("version"), url, duration(number("uptime_ms") / 1_000)));
    out.append(
        TextTable.of(
            List.of(
                List.of("accepted", "LSN " + count("watermarks.appended_lsn"), ""),
                List.of(
                    "durable", "LSN " + count("watermarks.durable_lsn"), behind("lags.durable")),
                List.of(
                    "visible", "LSN " + count("watermarks.applied_lsn"), behind("lags.applied")),
                List.of(
                    "key-value",
                    "LSN " + count("watermarks.kv_lsn"),
                    behind("lags.kv") + ": a restart replays as many from the log")),
            2));
    out.append(
        "\nlog %s in %s segments, from LSN %s; key-value side %s\n"
            .formatted(
                size("log.bytes"),
                count("log.segments"),
                count("log.first_lsn"),
                size("kv.bytes")));
    if (values.containsKey("collections.0.name")) {
      out.append('\n');
      out.append(TextTable.figures(indices()));
    }
    return out.toString();
  }

  private List<List<String>> indices() {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("index", "documents", "deleted", "sources", "next _seq_no"));
    for (int i = 0; values.containsKey("collections." + i + ".name"); i++) {
      String at = "collections." + i + ".";
      rows.add(
          List.of(
              text(at + "name"),
              count(at + "documents"),
              count(at + "deleted"),
              size(at + "source_bytes"),
              count(at + "next_seq_no")));
    }
    return rows;
  }

  private String text(String path) {
    return values.getOrDefault(path, "?");
  }

  private long number(String path) {
    return Long.parseLong(values.getOrDefault(path, "0"));
  }

  private String count(String path) {
    return TextTable.count(number(path));
  }

  private String behind(String path) {
    return count(path) + " behind";
  }

  private String size(String path) {
    return TextTable.size(number(path));
  }

  private static String duration(long seconds) {
    if (seconds < 60) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 60) {
      return minutes + " min";
    }
    return minutes < 48 * 60
        ? "%d h %d min".formatted(minutes / 60, minutes % 60)
        : "%d days".formatted(minutes / (24 * 60));
  }
}
