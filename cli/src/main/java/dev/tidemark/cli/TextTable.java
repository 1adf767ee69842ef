package dev.tidemark.cli;

import java.util.List;
import java.util.Locale;

/// Rows in columns, and the amounts in them, as a person reads them.
final class TextTable {
  private TextTable() {}

  /// The first column to the left, figures to the right.
  static String figures(List<List<String>> rows) {
    return of(rows, Integer.MAX_VALUE);
  }

  /// As [#figures], with words from the column `words` on.
  static String of(List<List<String>> rows, int words) {
    var out = new StringBuilder();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int at = column;
        int width = rows.stream().mapToInt(r -> r.get(at).length()).max().orElse(0);
        String cell = row.get(column);
        String space = " ".repeat(width - cell.length());
        boolean left = column == 0 || column >= words;
        line.append(column == 0 ? "" : "  ").append(left ? cell + space : space + cell);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }

  /// A number with its thousands apart.
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// A number of bytes in the unit that suits it.
  static String size(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + " B";
    }
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
        : String.format(Locale.ROOT, "%,.1f MiB", bytes / (1024.0 * 1024));
  }
}
