package dev.tidemark.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A table for people: columns with short names, rows of cells, laid out as `_cat` answers are.
final class CatTable {
  /// How a column's cells stand.
  enum Align {
    LEFT,
    RIGHT
  }

  /// Whether the names of the columns stand above them.
  private enum Header {
    SHOWN,
    HIDDEN
  }

  /// Whether a column is shown if the request names none.
  enum Shown {
    ALWAYS,
    ON_REQUEST
  }

  /// One column.
  ///
  /// @param aliases short names, with commas between
  record Column(String name, String aliases, Align align, Shown shown, String description) {
    boolean isCalled(String asked) {
      return name.equals(asked) || List.of(aliases.split(",", -1)).contains(asked);
    }

    boolean fits(String pattern) {
      if (Glob.matches(pattern, name)) {
        return true;
      }
      for (String alias : aliases.split(",", -1)) {
        if (Glob.matches(pattern, alias)) {
          return true;
        }
      }
      return false;
    }
  }

  /// One cell.
  ///
  /// @param text as shown; null for nothing
  /// @param number what it sorts by, if it is one
  record Cell(@Nullable String text, @Nullable Long number) {
    static Cell of(String text) {
      return new Cell(text, null);
    }

    static Cell of(long number) {
      return new Cell(Long.toString(number), number);
    }

    /// A size, in the unit asked for, or the largest that keeps it above 1.
    static Cell bytes(long bytes, @Nullable String unit) {
      return new Cell(sized(bytes, unit), bytes);
    }
  }

  private static final Comparator<Cell> CELL_ORDER =
      Comparator.comparing(Cell::number, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(Cell::text, Comparator.nullsFirst(Comparator.naturalOrder()));

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  CatTable(List<Column> columns) {
    this.columns = columns;
  }

  void addRow(List<Cell> cells) {
    rows.add(cells);
  }

  /// The table as the request wants it: help, text, or JSON.
  Answer answer(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    if (parameters.isOn("help")) {
      return Answer.text(help());
    }
    List<Chosen> chosen = chosen(parameters);
    sort(parameters.list("s"));
    String format = request.format();
    return format.equals("json") || format.equals("yaml")
        ? Answer.json(json(chosen))
        : Answer.text(text(chosen, parameters.isOn("v") ? Header.SHOWN : Header.HIDDEN));
  }

  private String help() {
    int[] widths = new int[3];
    for (Column column : columns) {
      widths[0] = Math.max(widths[0], column.name().length());
      widths[1] = Math.max(widths[1], column.aliases().length());
      widths[2] = Math.max(widths[2], column.description().length());
    }
    StringBuilder text = new StringBuilder();
    for (Column column : columns) {
      pad(text, column.name(), widths[0], Align.LEFT).append(" | ");
      pad(text, column.aliases(), widths[1], Align.LEFT).append(" | ");
      pad(text, column.description(), widths[2], Align.LEFT).append('\n');
    }
    return text.toString();
  }

  /// A column to show, and the name it was asked for by.
  private record Chosen(int column, String name) {}

  private List<Chosen> chosen(RequestParameters parameters) {
    List<Chosen> chosen = new ArrayList<>();
    List<String> asked = parameters.list("h");
    for (int i = 0; i < columns.size() && asked.isEmpty(); i++) {
      if (columns.get(i).shown() == Shown.ALWAYS) {
        chosen.add(new Chosen(i, columns.get(i).name()));
      }
    }
    for (String name : asked) {
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        if (Glob.isPattern(name) ? column.fits(name) : column.isCalled(name)) {
          chosen.add(new Chosen(i, Glob.isPattern(name) ? column.name() : name));
        }
      }
    }
    if (!parameters.isOnByDefault("ts")) {
      chosen.removeIf(choice -> isTime(columns.get(choice.column()).name()));
    }
    return chosen.stream().distinct().toList();
  }

  private static boolean isTime(String column) {
    return column.equals("epoch") || column.equals("timestamp");
  }

  private void sort(List<String> keys) {
    Comparator<List<Cell>> order = null;
    for (String key : keys) {
      int colon = key.indexOf(':');
      String name = colon < 0 ? key : key.substring(0, colon);
      int index = indexOf(name);
      Comparator<List<Cell>> next = Comparator.comparing(row -> row.get(index), CELL_ORDER);
      if (key.endsWith(":desc")) {
        next = next.reversed();
      }
      order = order == null ? next : order.thenComparing(next);
    }
    if (order != null) {
      rows.sort(order);
    }
  }

  private int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isCalled(name)) {
        return i;
      }
    }
    throw ApiException.badRequest(
        "unsupported_operation_exception", "Unable to sort by unknown sort key `" + name + "`");
  }

  private String text(List<Chosen> chosen, Header header) {
    List<Integer> widths = new ArrayList<>();
    for (Chosen choice : chosen) {
      widths.add(width(choice.column(), header == Header.SHOWN ? choice.name().length() : 0));
    }
    StringBuilder text = new StringBuilder();
    if (header == Header.SHOWN) {
      line(text, chosen, widths, Chosen::name);
    }
    for (List<Cell> row : rows) {
      line(text, chosen, widths, choice -> row.get(choice.column()).text());
    }
    return text.toString();
  }

  private int width(int column, int min) {
    int width = min;
    for (List<Cell> row : rows) {
      String text = row.get(column).text();
      width = Math.max(width, text == null ? 0 : text.length());
    }
    return width;
  }

  private interface CellText {
    @Nullable String of(Chosen choice);
  }

  private void line(StringBuilder text, List<Chosen> chosen, List<Integer> widths, CellText cells) {
    for (int i = 0; i < chosen.size(); i++) {
      boolean last = i + 1 == chosen.size();
      String cell = cells.of(chosen.get(i));
      Align align = columns.get(chosen.get(i).column()).align();
      int width = last && align == Align.LEFT ? 0 : widths.get(i);
      pad(text, cell == null ? "" : cell, width, align);
      text.append(last ? '\n' : ' ');
    }
  }

  private static StringBuilder pad(StringBuilder text, String cell, int width, Align align) {
    String blanks = " ".repeat(Math.max(0, width - cell.length()));
    return align == Align.RIGHT
        ? text.append(blanks).append(cell)
        : text.append(cell).append(blanks);
  }

  private JsonOutput json(List<Chosen> chosen) {
    JsonOutput out = new JsonOutput().openArray();
    for (List<Cell> row : rows) {
      out.openObject();
      for (Chosen choice : chosen) {
        String text = row.get(choice.column()).text();
        out.name(choice.name());
        if (text == null) {
          out.nullValue();
        } else {
          out.value(text);
        }
      }
      out.closeObject();
    }
    return out.closeArray();
  }

  private static String sized(long bytes, @Nullable String unit) {
    String units = "bkmgtp";
    if (unit != null && !unit.isEmpty()) {
      int step = units.indexOf(Character.toLowerCase(unit.charAt(0)));
      if (step < 0) {
        throw ApiException.illegalArgument("unknown unit [" + unit + "] for [bytes]");
      }
      return Long.toString(bytes >> (10 * step));
    }
    int step = 0;
    while (step < 5 && bytes >> (10 * (step + 1)) > 0) {
      step++;
    }
    if (step == 0) {
      return bytes + "b";
    }
    double value = (double) bytes / (1L << (10 * step));
    String number = String.format(Locale.ROOT, "%.1f", Math.floor(value * 10) / 10);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + units.charAt(step)
        + "b";
  }
}
