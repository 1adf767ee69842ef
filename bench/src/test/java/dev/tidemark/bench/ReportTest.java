package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final MachineFacts MACHINE =
      new MachineFacts(
          "A \"fast\" one",
          2,
          4096,
          "Linux 6",
          0.5,
          "ext4",
          "/dev/x",
          "JDK",
          "-Xmx1g",
          "pwrite",
          101.23456789,
          "native",
          null);
  private static final Row BESIDE =
      Row.beside(
          "write/1",
          "records/s",
          new Rounds.Pairs(
              new Series(List.of(10_000.0, 10_000.0, 20_000.0)),
              new Series(List.of(9_000.0, 5_000.0, 19_000.0))),
          Row.Target.atLeast(0.85, 0.95));
  private static final Row ALONE =
      Row.alone(
          "memory/rss", "MiB", new Series(List.of(300.0)), Row.Target.atMost(Double.NaN, 256));

  @Test
  void theJsonIsOneLineOfMachineAndRows() {
    String json = new Report(MACHINE, List.of(BESIDE, ALONE)).json();
    assertFalse(json.contains("\n"));
    Map<String, @Nullable Object> report = Json.object(json);
    assertEquals(List.of("machine", "rows"), List.copyOf(report.keySet()));
    Map<?, ?> machine = assertInstanceOf(Map.class, report.get("machine"));
    assertEquals("A \"fast\" one", machine.get("cpu"));
    assertEquals(101.235, machine.get("syncMicros"));
    assertEquals("native", machine.get("logAccess"));
    assertEquals(2, Json.rows(json).size());
  }

  @Test
  void aRowBesideThePlainLoopHasItsRatio() {
    Map<String, @Nullable Object> row =
        Json.rows(new Report(MACHINE, List.of(BESIDE)).json()).getFirst();
    assertEquals(
        List.of("name", "unit", "n", "median", "min", "max", "against", "ratio"),
        List.copyOf(row.keySet()).subList(0, 8));
    assertEquals("write/1", row.get("name"));
    assertEquals("records/s", row.get("unit"));
    assertEquals(3.0, row.get("n"));
    assertEquals(9_000.0, row.get("median"));
    assertEquals(5_000.0, row.get("min"));
    assertEquals(19_000.0, row.get("max"));
    assertEquals("raw", row.get("against"));
    assertEquals(0.9, row.get("ratio"));
    assertEquals(0.5, row.get("ratioMin"));
    assertEquals(0.95, row.get("ratioMax"));
    assertEquals(10_000.0, row.get("rawMedian"));
  }

  @Test
  void aRowOnItsOwnIsAgainstNothing() {
    Map<String, @Nullable Object> row =
        Json.rows(new Report(MACHINE, List.of(ALONE)).json()).getFirst();
    assertTrue(row.containsKey("against"));
    assertNull(row.get("against"));
    assertTrue(row.containsKey("ratio"));
    assertNull(row.get("ratio"));
  }

  @Test
  void aMissIsMarkedByHowFarItFell() {
    assertEquals(Row.Standing.BELOW_ANCHOR, BESIDE.standing());
    assertEquals(Row.Standing.BELOW_ANCHOR, ALONE.standing());
    Row.Target target = Row.Target.atLeast(0.85, 0.95);
    assertEquals(Row.Standing.BELOW_FLOOR, target.standing(0.84));
    assertEquals(Row.Standing.MET, target.standing(0.95));
    assertEquals(Row.Standing.MET, Row.Target.atMost(Double.NaN, 256).standing(256));
    assertEquals(Row.Standing.BELOW_FLOOR, Row.Target.atMost(300, 256).standing(301));
  }

  @Test
  void aTargetOfTheFigureIsNotMeasuredByTheRatio() {
    Row.Target figure = Row.Target.atLeast(Double.NaN, 8_000).ofFigure();
    Rounds.Pairs pairs =
        new Rounds.Pairs(new Series(List.of(100_000.0)), new Series(List.of(9_000.0)));
    assertEquals(Row.Standing.MET, Row.beside("a", "1/s", pairs, figure).standing());
    Row.Target ratio = Row.Target.atLeast(Double.NaN, 8_000);
    assertEquals(Row.Standing.BELOW_ANCHOR, Row.beside("a", "1/s", pairs, ratio).standing());
  }

  @Test
  void aRowNamesWhatItTookTurnsWith() {
    Rounds.Pairs pairs = new Rounds.Pairs(new Series(List.of(4.0)), new Series(List.of(6.0)));
    Report report =
        new Report(MACHINE, List.of(Row.against("without", "window", "1/s", pairs, null)));
    assertEquals("without", Json.rows(report.json()).getFirst().get("against"));
    StringWriter text = new StringWriter();
    report.print(new PrintWriter(text), Report.Form.TABLE);
    assertTrue(text.toString().contains("without 4.00"), text::toString);
  }

  @Test
  void theTableShowsEveryRowWithItsBoundsAndTheMisses() {
    StringWriter text = new StringWriter();
    new Report(MACHINE, List.of(BESIDE, ALONE)).print(new PrintWriter(text), Report.Form.TABLE);
    String table = text.toString();
    String write = table.lines().filter(line -> line.startsWith("write/1")).findFirst().orElse("");
    assertTrue(write.contains("9,000 records/s"), table);
    assertTrue(write.contains(">= 0.85"), table);
    assertTrue(write.contains("0.50 .. 0.95"), table);
    assertTrue(write.endsWith("short of the anchor"), table);
    assertTrue(table.contains("<= 256"), table);
    assertTrue(table.contains("0 of 2 rows with a goal reach it, 0 miss their floor."), table);
  }
}
