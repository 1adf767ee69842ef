package dev.tidemark.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// What a bench found, as a table for people or as one JSON object for programs.
///
/// @param machine where
/// @param rows what, in the order they were measured
record Report(MachineFacts machine, List<Row> rows) {
  private static final MathContext SIX_DIGITS = new MathContext(6);
  private static final List<String> HEADS =
      List.of("row", "n", "median", "range", "against", "ratio", "range", "floor", "anchor", "");

  /// One line: `{machine, rows: [{name, unit, n, median, min, max, against, ratio, ...}]}`. `ratio`
  /// is the median of the rounds' ratios; `against`, `ratio` and the fields behind it are null in a
  /// row that ran alone; `rawMedian` is the median of what it took turns with.
  String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeName("machine");
      writeMachine(json);
      json.writeName("rows");
      json.writeStartArray();
      for (Row row : rows) {
        writeRow(json, row);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  /// The forms of a report.
  enum Form {
    TABLE,
    JSON
  }

  /// Prints in one of the forms.
  void print(PrintWriter out, Form form) {
    switch (form) {
      case JSON -> out.println(json());
      case TABLE -> printTable(out);
    }
    out.flush();
  }

  private void writeMachine(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("cpu", machine.cpu());
    json.writeNumberProperty("cores", machine.cores());
    json.writeNumberProperty("memoryMib", machine.memoryMib());
    json.writeStringProperty("kernel", machine.kernel());
    number(json, "load", machine.load());
    json.writeStringProperty("fileSystem", machine.fileSystem());
    json.writeStringProperty("device", machine.device());
    json.writeStringProperty("jdk", machine.jdk());
    json.writeStringProperty("jvmFlags", machine.jvmFlags());
    json.writeStringProperty("raw", machine.raw());
    number(json, "syncMicros", machine.syncMicros());
    text(json, "logAccess", machine.logAccess());
    text(json, "server", machine.server());
    json.writeEndObject();
  }

  private static void writeRow(JsonGenerator json, Row row) {
    json.writeStartObject();
    json.writeStringProperty("name", row.name());
    json.writeStringProperty("unit", row.unit());
    json.writeNumberProperty("n", row.figures().n());
    number(json, "median", row.figures().median());
    number(json, "min", row.figures().min());
    number(json, "max", row.figures().max());
    Rounds.@Nullable Pairs against = row.against();
    Series ratios = row.ratios();
    text(json, "against", row.other());
    number(json, "ratio", ratios == null ? Double.NaN : ratios.median());
    number(json, "ratioMin", ratios == null ? Double.NaN : ratios.min());
    number(json, "ratioMax", ratios == null ? Double.NaN : ratios.max());
    number(json, "rawMedian", against == null ? Double.NaN : against.raw().median());
    Row.@Nullable Target target = row.target();
    text(json, "target", target == null ? null : target.of().name().toLowerCase(Locale.ROOT));
    text(json, "better", target == null ? null : target.sense().sign());
    number(json, "floor", target == null ? Double.NaN : target.floor());
    number(json, "anchor", target == null ? Double.NaN : target.anchor());
    text(json, "standing", target == null ? null : row.standing().name());
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, value);
    }
  }

  private static void number(JsonGenerator json, String name, double value) {
    json.writeName(name);
    if (Double.isFinite(value)) {
      json.writeNumber(new BigDecimal(value).round(SIX_DIGITS).toPlainString());
    } else {
      json.writeNull();
    }
  }

  private void printTable(PrintWriter out) {
    out.println(machineLines());
    List<List<String>> table = new ArrayList<>();
    table.add(HEADS);
    rows.forEach(row -> table.add(cells(row)));
    int[] widths = new int[HEADS.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      boolean empty = table.stream().skip(1).allMatch(line -> line.get(column).isEmpty());
      widths[i] = empty ? 0 : table.stream().mapToInt(l -> l.get(column).length()).max().orElse(0);
    }
    for (List<String> line : table) {
      out.println(aligned(line, widths));
    }
    List<Row> aimed = rows.stream().filter(row -> row.target() != null).toList();
    long met = aimed.stream().filter(row -> row.standing() == Row.Standing.MET).count();
    long lost = aimed.stream().filter(row -> row.standing() == Row.Standing.BELOW_FLOOR).count();
    out.printf(
        Locale.ROOT,
        "%n%d of %d rows with a goal reach it, %d miss their floor.%n",
        met,
        aimed.size(),
        lost);
  }

  private String machineLines() {
    StringBuilder lines = new StringBuilder();
    lines.append(
        String.format(
            Locale.ROOT,
            "%s, %d cores, %,d MiB, %s, load %.2f%n%s on %s, a small durable write %.0f us (%s)%n%s",
            machine.cpu(),
            machine.cores(),
            machine.memoryMib(),
            machine.kernel(),
            machine.load(),
            machine.fileSystem(),
            machine.device(),
            machine.syncMicros(),
            machine.raw(),
            machine.jdk()));
    if (machine.logAccess() != null) {
      lines.append(", log access ").append(machine.logAccess());
    }
    if (machine.server() != null) {
      lines.append(System.lineSeparator()).append("server: ").append(machine.server());
    }
    return lines.append(System.lineSeparator()).toString();
  }

  private static List<String> cells(Row row) {
    Rounds.@Nullable Pairs against = row.against();
    Series ratios = row.ratios();
    Row.@Nullable Target target = row.target();
    return List.of(
        row.name(),
        Integer.toString(row.figures().n()),
        figure(row.figures().median()) + " " + row.unit(),
        figure(row.figures().min()) + " .. " + figure(row.figures().max()),
        against == null ? "" : row.other() + " " + figure(against.raw().median()),
        ratios == null ? "" : figure(ratios.median()),
        ratios == null ? "" : figure(ratios.min()) + " .. " + figure(ratios.max()),
        target == null ? "" : bound(target, target.floor()),
        target == null ? "" : bound(target, target.anchor()),
        row.standing().label());
  }

  private static String bound(Row.Target target, double bound) {
    return Double.isNaN(bound) ? "" : target.sense().sign() + " " + figure(bound);
  }

  /// Three digits or more: whole from 100 on, in millions from a million on.
  private static String figure(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return figure(value / 1e6) + "M";
    }
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /// The first column and the last stand left, the figures right; a column of width 0 is left out.
  private static String aligned(List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] == 0) {
        continue;
      }
      String pad = " ".repeat(widths[i] - line.get(i).length());
      boolean left = i == 0 || i == widths.length - 1;
      text.append(left ? line.get(i) + pad : pad + line.get(i)).append("  ");
    }
    return text.toString().stripTrailing();
  }
}
