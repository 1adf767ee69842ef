package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tidemark log ...` on logs that are whole, torn and damaged.
final class LogCommandsTest {
  /// Segments hold 33 records: a record of 64 bytes is a frame of 120.
  private static final LogOptions SMALL =
      LogOptions.builder().segmentBytesMax(8 << 10).windowBytes(8 << 10).build();

  private static final String SECOND = "00000000000000000034.seg";
  private static final String THIRD = "00000000000000000067.seg";
  private static final int FRAME = 120;
  private static final int HEADER = 4096;

  private final Path temp;
  private final Path log;

  LogCommandsTest(@TempDir Path temp) {
    this.temp = temp;
    this.log = temp.resolve("journal");
    try (Log written = Log.open(log, SMALL)) {
      for (long lsn = 1; lsn <= 80; lsn++) {
        written.write(payload(lsn));
      }
    }
  }

  private static byte[] payload(long lsn) {
    byte[] bytes = ("record " + lsn + " \u00e9 \"").getBytes(UTF_8);
    return Arrays.copyOf(bytes, 64);
  }

  private Cli log(String command, String... more) {
    var arguments = new ArrayList<>(List.of("log", command, log.toString()));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }

  private void flip(String segment, long offset) throws IOException {
    try (var file = new RandomAccessFile(log.resolve(segment).toFile(), "rw")) {
      file.seek(offset);
      int old = file.read();
      file.seek(offset);
      file.write(old ^ 1);
    }
  }

  /// Cuts the last frame that holds a record in two, and takes away what lies behind.
  private void tear() throws IOException {
    try (var file = new RandomAccessFile(log.resolve(THIRD).toFile(), "rw")) {
      file.setLength(HEADER + 14 * FRAME - 20);
    }
  }

  private static List<Long> lsns(String ndjson) {
    return ndjson
        .lines()
        .map(line -> Long.valueOf(line.replaceFirst("\\{\"lsn\":(\\d+),.*", "$1")))
        .toList();
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private List<String> image() throws IOException {
    var image = new ArrayList<String>();
    try (Stream<Path> files = Files.list(log)) {
      for (Path file : files.sorted().toList()) {
        image.add(
            file.getFileName()
                + " "
                + Arrays.hashCode(Files.readAllBytes(file))
                + " "
                + Files.getLastModifiedTime(file));
      }
    }
    return image;
  }

  @Test
  void aWholeLogIsVerifiedWithStatus0() {
    Cli verify = log("verify");
    assertEquals(0, verify.status(), verify.err());
    assertEquals("clean: 80 records in 3 segments verified, LSN 1 to 80\n", verify.out());
    assertTrue(log("verify", "--json").out().startsWith("{\"state\":\"clean\",\"first_lsn\":1,"));
  }

  @Test
  void aTornTailIsStatus1() throws Exception {
    tear();
    Cli verify = log("verify");
    assertEquals(1, verify.status(), verify.err());
    assertTrue(verify.out().contains(THIRD + " at byte 5656: bytes of a write"), verify.out());
    assertTrue(verify.out().endsWith("torn: 79 records in 3 segments verified, LSN 1 to 79\n"));
    assertEquals(1, log("verify", "--json").status());
    assertEquals(0, log("dump").status());
    assertEquals(range(1, 79), lsns(log("dump").out()));
  }

  @Test
  void damageIsStatus2AndNamesFileByteAndRecords() throws Exception {
    flip(SECOND, HEADER + 5 * FRAME + 70);
    Cli verify = log("verify");
    assertEquals(2, verify.status(), verify.err());
    assertTrue(
        verify
            .out()
            .startsWith(SECOND + " at byte " + (HEADER + 5 * FRAME) + ": frames here are damaged"),
        verify.out());
    assertTrue(verify.out().contains("; lost: LSN 39\n"), verify.out());
    assertTrue(
        log("verify", "--json")
            .out()
            .contains("\"end\":%d,\"first_lsn\":39,".formatted(HEADER + 6 * FRAME)));
  }

  @Test
  void whatCannotBeDoneIsStatus3AndAWrongCallStatus4() throws Exception {
    for (String command : List.of("stat", "verify", "dump", "tail")) {
      Cli none = Cli.run("log", command, temp.resolve("none").toString());
      assertEquals(3, none.status());
      assertTrue(none.err().startsWith("tidemark: There is no folder "), none.err());
      assertEquals(3, Cli.run("log", command, temp.toString()).status());
      Cli wrong = Cli.run("log", command, log.toString(), "--nonsense");
      assertEquals(4, wrong.status());
      assertEquals(2, wrong.err().lines().count(), wrong.err());
      assertEquals(4, Cli.run("log", command).status());
    }
    assertEquals(4, Cli.run("log").status());
    assertEquals(4, Cli.run("log", "vreify").status());
    assertFalse(Files.exists(temp.resolve("none")));
    try (var file = new RandomAccessFile(log.resolve(SECOND).toFile(), "rw")) {
      file.setLength(10);
    }
    assertEquals(2, log("verify").status());
  }

  @Test
  void noCommandChangesTheDirectory() throws Exception {
    flip(SECOND, HEADER + 5 * FRAME + 70);
    List<String> before = image();
    log("stat");
    log("verify");
    log("dump");
    log("tail");
    log("salvage", temp.resolve("rescued").toString());
    assertEquals(before, image());
  }

  @Test
  void theFolderOfAServerIsTakenForItsLog() {
    Path data = temp.resolve("data");
    DocumentStore.open(data, StoreOptions.defaults()).close();
    Cli verify = Cli.run("log", "verify", data.toString());
    assertEquals(0, verify.status(), verify.err());
    assertTrue(Cli.run("log", "stat", data.toString()).out().startsWith("log " + data));
  }

  @Test
  void statShowsEachSegmentAndWhatOpeningWouldFind() throws Exception {
    Cli stat = log("stat");
    assertEquals(0, stat.status(), stat.err());
    List<String> lines = stat.out().lines().toList();
    assertTrue(lines.getFirst().startsWith("log " + log + ": LSN 1 to 80, 80 records, "));
    assertEquals("opening it finds a log that was closed in order", lines.get(1));
    assertTrue(lines.get(5).matches(SECOND + " +34-66 +33 +2\\.1 KiB .* sealed"), stat.out());
    assertTrue(lines.get(6).endsWith("Z  closed"), stat.out());
    assertTrue(log("stat", "--json").out().contains("\"segment\":[{\"name\":\"0000"));
    flip(SECOND, 20);
    stat = log("stat");
    assertEquals(0, stat.status());
    assertTrue(stat.out().contains("\nopening it fails: " + SECOND), stat.out());
  }

  @Test
  void dumpWritesEachRecordInTheFormAskedFor() {
    Cli dump = log("dump", "--from", "34", "--to", "34");
    assertEquals(0, dump.status(), dump.err());
    assertTrue(
        dump.out()
            .matches(
                "\\{\"lsn\":34,\"position\":\\{\"segment\":34,\"offset\":4144},\"time\":\"[0-9T:.-]+Z\",\"size\":64,\"payload\":\"record 34 \u00e9 \\\\\"(\\\\u0000){50}\"}\n"),
        dump.out());
    assertTrue(
        log("dump", "--from", "80", "--payload", "hex").out().contains("\"7265636f726420383020c3"));
    assertTrue(
        log("dump", "--from", "80", "--payload", "base64")
            .out()
            .contains("\"cmVjb3JkIDgwIMOpICIA"));
    assertTrue(log("dump", "--from", "80", "--payload", "none").out().endsWith(",\"size\":64}\n"));
    assertEquals(range(1, 80), lsns(log("dump").out()));
    assertEquals("", log("dump", "--from", "81").out());
  }

  @Test
  void dumpLeavesDamagedRecordsOutAndSaysSo() throws Exception {
    flip(SECOND, HEADER + 5 * FRAME + 70);
    Cli dump = log("dump");
    assertEquals(2, dump.status());
    var expected = new ArrayList<>(range(1, 80));
    expected.remove(39L);
    assertEquals(expected, lsns(dump.out()));
    assertTrue(dump.err().contains("lost: LSN 39"), dump.err());
    Cli before = log("dump", "--to", "38");
    assertEquals(0, before.status());
    assertEquals("", before.err());
  }

  @Test
  void tailWritesTheLastRecords() {
    assertEquals(range(71, 80), lsns(log("tail").out()));
    assertEquals(range(78, 80), lsns(log("tail", "-n", "3").out()));
    assertEquals(range(1, 80), lsns(log("tail", "-n", "1000").out()));
    assertEquals(range(60, 80), lsns(log("tail", "--from", "60").out()));
  }

  /// Another process writes; the reader of the output ends after so many lines.
  @Test
  void tailFollowsAnotherProcessAcrossSegments() throws Exception {
    var out = new ByteArrayOutputStream();
    var reader =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            if (out.toString(UTF_8).lines().count() >= 205) {
              throw new IOException("Broken pipe");
            }
          }
        };
    var err = new ByteArrayOutputStream();
    var streams =
        new Streams(
            new ByteArrayInputStream(new byte[0]),
            reader,
            new PrintStream(err, true, UTF_8),
            Screen.PLAIN,
            Screen.PLAIN);
    Process writer = LogWriter.start(log, 200, temp.resolve("writer.err"));
    try {
      int status = Tidemark.run(streams, "log", "tail", log.toString(), "-f", "-n", "5");
      assertEquals(141, status, err.toString(UTF_8));
    } finally {
      writer.destroyForcibly().waitFor();
    }
    assertEquals(
        range(76, 280), lsns(out.toString(UTF_8)), Files.readString(temp.resolve("writer.err")));
  }

  @Test
  void tailTellsOfDamageItComesUpon() throws Exception {
    flip(THIRD, HEADER + 5 * FRAME + 70);
    Cli tail = log("tail", "-f", "--from", "60");
    assertEquals(2, tail.status());
    assertEquals(range(60, 71), lsns(tail.out()));
    assertTrue(tail.err().contains(THIRD), tail.err());
  }

  @Test
  void salvageKeepsWhatLiesBeforeTheFirstLostRecordAsALogAndTheRestBeside() throws Exception {
    flip(SECOND, HEADER + 5 * FRAME + 70);
    Path rescued = temp.resolve("rescued");
    Cli salvage = log("salvage", rescued.toString());
    assertEquals(2, salvage.status(), salvage.err());
    assertTrue(salvage.out().contains("; lost: LSN 39\n"), salvage.out());
    assertTrue(salvage.out().contains("kept as a log: LSN 1 to 38\n"), salvage.out());
    assertTrue(salvage.out().endsWith(".ndjson: 41 records up to LSN 80\n"), salvage.out());
    assertEquals(0, Cli.run("log", "verify", rescued.toString()).status());
    assertEquals(log("dump", "--to", "38").out(), dump(rescued), "times and positions as well");
    String beside = Files.readString(temp.resolve("rescued.ndjson"));
    assertEquals(log("dump", "--from", "40", "--payload", "base64").out(), beside);
    try (Log log = Log.open(rescued, SMALL)) {
      assertEquals(39, log.write(new byte[1]));
    }
  }

  @Test
  void salvageOfAnIntactLogIsACopy() throws Exception {
    Path rescued = temp.resolve("rescued");
    Cli salvage = log("salvage", rescued.toString(), "--json");
    assertEquals(0, salvage.status(), salvage.err());
    assertEquals(
        "{\"first_lsn\":1,\"last_kept_lsn\":80,\"written_beside\":0,\"last_lsn\":80,\"damages\":[]}\n",
        salvage.out());
    assertEquals(log("dump").out(), dump(rescued));
    assertFalse(Files.exists(temp.resolve("rescued.ndjson")));
  }

  @Test
  void salvageOfATrimmedLogKeepsItsLsns() {
    try (Log trimmed = Log.open(log, SMALL)) {
      trimmed.trimBefore(40);
    }
    Path rescued = temp.resolve("rescued");
    assertEquals(0, log("salvage", rescued.toString()).status());
    assertEquals(range(34, 80), lsns(dump(rescued)));
  }

  @Test
  void salvageLosesNoRecordToADamagedSealOrHeader() throws Exception {
    flip(SECOND, HEADER + 33 * FRAME + 5);
    Path rescued = temp.resolve("rescued");
    assertEquals(2, log("salvage", rescued.toString()).status());
    assertEquals(range(1, 80), lsns(dump(rescued)));
    flip("00000000000000000001.seg", 20);
    Path again = temp.resolve("again");
    assertEquals(2, log("salvage", again.toString()).status());
    assertEquals(range(1, 80), lsns(dump(again)));
    assertFalse(Files.exists(temp.resolve("again.ndjson")));
  }

  @Test
  void salvageOverwritesNothing() throws Exception {
    Path taken = Files.createDirectory(temp.resolve("taken"));
    Files.writeString(taken.resolve("file"), "mine");
    assertEquals(3, log("salvage", taken.toString()).status());
    Path beside = Files.writeString(temp.resolve("other.ndjson"), "mine");
    assertEquals(3, log("salvage", temp.resolve("other").toString()).status());
    assertEquals("mine", Files.readString(beside));
    assertEquals(3, log("salvage", log.resolve("inside").toString()).status());
    assertFalse(Files.exists(log.resolve("inside")));
  }

  private static String dump(Path directory) {
    Cli dump = Cli.run("log", "dump", directory.toString());
    assertEquals(0, dump.status(), dump.err());
    return dump.out();
  }

  @Test
  void benchSyncMeasuresEachAllocationAndLeavesNothingBehind() throws Exception {
    Path disk = Files.createDirectory(temp.resolve("disk"));
    Cli bench = Cli.run("log", "bench-sync", disk.toString(), "--millis", "1", "--rounds", "1");
    assertEquals(0, bench.status(), bench.err());
    for (String row :
        List.of("grows", "holes", "zeros by 256.0 KiB", "zeros, whole file", "recycled")) {
      assertTrue(bench.out().contains("\n" + row), bench.out());
    }
    assertTrue(bench.out().contains("8.0 KiB"), bench.out());
    assertTrue(bench.err().contains("round 1 of 1"), bench.err());
    Cli json =
        Cli.run("log", "bench-sync", disk.toString(), "--millis", "1", "--rounds", "1", "--json");
    assertTrue(json.out().contains("\"write_bytes\":8192,\"writes_per_second\":"), json.out());
    try (Stream<Path> files = Files.list(disk)) {
      assertEquals(List.of(), files.toList());
    }
    assertEquals(3, Cli.run("log", "bench-sync", disk.toString(), "--rounds", "0").status());
    assertEquals(3, Cli.run("log", "bench-sync", temp.resolve("none").toString()).status());
  }
}
