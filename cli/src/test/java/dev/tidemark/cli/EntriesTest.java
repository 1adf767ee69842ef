package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read from files of each shape, told as `line|what is sent`.
final class EntriesTest {
  @TempDir private Path temp;

  @Test
  void oneDocumentALineWithAByteOrderMarkBlankLinesAndEitherLineEnd() throws Exception {
    assertEquals(
        List.of(
            "1|{\"index\":{}}\n{\"a\":1}\n",
            "4|{\"index\":{}}\n { \"a\" : 2.50 } \n",
            "5|{\"index\":{}}\n{\"a\":3}\n"),
        read("\uFEFF{\"a\":1}\r\n\n \t\r\n { \"a\" : 2.50 } \n{\"a\":3}"));
  }

  @Test
  void nothingAndOnlyBlankLinesAreNoDocuments() throws Exception {
    for (String text : List.of("", "\n", "\uFEFF", "\r\n \n", "[]", " [ \n ] \n")) {
      assertEquals(List.of(), read(text), text);
    }
  }

  @Test
  void anIdComesFromTheFieldAsItIsWritten() throws Exception {
    assertEquals(
        List.of(
            "1|{\"index\":{\"_id\":\"x\\\"\u00e9\"}}\n{\"n\":{\"id\":0},\"id\":\"x\\\"\u00e9\"}\n",
            "2|{\"index\":{\"_id\":\"9007199254740993\"}}\n{\"id\":9007199254740993}\n",
            "3|{\"index\":{\"_id\":\"1.50\"}}\n{\"id\":1.50}\n",
            "4|no string or number in the field \"id\" for an id",
            "5|no string or number in the field \"id\" for an id",
            "6|no string or number in the field \"id\" for an id"),
        read(
            """
            {"n":{"id":0},"id":"x\\"\u00e9"}
            {"id":9007199254740993}
            {"id":1.50}
            {"id":null}
            {"id":{"id":1}}
            {"other":1}
            """,
            null,
            "id"));
    assertTrue(read("{\"id\" 1}", null, "id").getFirst().startsWith("1|not JSON: "));
  }

  @Test
  void anArraysElementsStandAloneWithoutTheirLineEnds() throws Exception {
    assertEquals(
        List.of(
            "1|{\"index\":{}}\n{\"a\":[1,{\"b\":\"]}\\\"\"}]}\n",
            "3|{\"index\":{}}\n{ \"a\":  2.50}\n",
            "6|{\"index\":{}}\n7\n",
            "6|{\"index\":{}}\n\"s\\n\"\n",
            "6|{\"index\":{}}\n[ 1]\n"),
        read(
            "\uFEFF [{\"a\":[1,{\"b\":\"]}\\\"\"}]}\n,\n{ \"a\":\r\n\t  2.50}\r\n,\n7,\"s\\n\" ,[\n 1]\n]\n\n"));
  }

  @Test
  void aRawLineEndInAStringOfAnArrayIsRefusedAlone() throws Exception {
    assertEquals(
        List.of(
            "1|a string holds a raw control character",
            "2|a string holds a raw control character",
            "3|{\"index\":{}}\n{}\n"),
        read("[{\"a\":\"1\n2\"},{\"b\":\"\\\n\"},{}]"));
  }

  @Test
  void aBrokenArrayStopsAtItsLineAndKeepsWhatStandsBefore() {
    for (String text :
        List.of(
            "[{},\n,{}]",
            "[{},\n]",
            "[{}\n{}]",
            "[{},\n{\"a\":",
            "[{},\n\"a",
            "[{}]\n{}",
            "[{}\n")) {
      var entries = new ArrayList<String>();
      var e = assertThrows(BrokenFileException.class, () -> read(text, null, null, entries), text);
      assertTrue(String.valueOf(e.getMessage()).startsWith("Line 2 is broken: "), e.getMessage());
      assertEquals(List.of("1|{\"index\":{}}\n{}\n"), entries, text);
    }
  }

  @Test
  void linesOfADumpKeepIdRoutingAndSource() throws Exception {
    assertEquals(
        List.of(
            "1|{\"index\":{\"_id\":\"a/\u00e9\\n\"}}\n{\"x\": 1.0}\n",
            "2|{\"index\":{\"_id\":\"b\",\"routing\":\"r\"}}\n{\"_id\":{\"_source\":[]}}\n",
            "3|no _id and _source, as a line of a dump has",
            "4|no _id and _source, as a line of a dump has"),
        read(
            """
            {"_id":"a/\u00e9\\n","_version":3,"_seq_no":7,"_source":{"x": 1.0}}
            {"_source":{"_id":{"_source":[]}},"_id":"b","_routing":"r"}
            {"_id":"c","_source":[1]}
            []
            """));
  }

  @Test
  void documentsThatOnlyResembleTheOtherFormatsAreDocuments() throws Exception {
    for (String text :
        List.of(
            "{\"index\":{},\"a\":1}",
            "{\"index\":1}",
            "{\"_id\":\"1\",\"a\":{}}",
            "{\"_id\":\"1\",\"_source\":\"web\"}",
            "{\"_id\":1,\"_source\":{}}",
            "nonsense")) {
      assertEquals(List.of("1|{\"index\":{}}\n" + text + "\n"), read(text), text);
    }
  }

  @Test
  void aDumpWhoseFirstDocumentIsLargeIsKnownByItsBeginning() throws Exception {
    String source = "{\"s\":\"" + "x".repeat(1 << 20) + "\"}";
    assertEquals(
        List.of("1|{\"index\":{\"_id\":\"1\"}}\n" + source + "\n"),
        read("{\"_id\":\"1\",\"_version\":1,\"_source\":" + source + "}\n"));
  }

  @Test
  void bulkActionsPassAsTheyAre() throws Exception {
    assertEquals(
        List.of(
            "1|{ \"create\": {\"_id\":5,\"_index\":\"x\"} }\n{\"a\":1}\n",
            "4|{\"delete\":{\"_id\":\"1\"}}\n",
            "5|{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{}}\n",
            "7|the file ends where this action's document should be"),
        read(
            """
            { "create": {"_id":5,"_index":"x"} }

            {"a":1}\r
            {"delete":{"_id":"1"}}
            {"update":{"_id":"1"}}
            {"doc":{}}
            {"index":{}}
            """));
  }

  @Test
  void behindABrokenBulkActionNothingIsRead() {
    for (String broken :
        List.of("{\"indx\":{}}", "{\"index\":{}", "{\"index\":{}} {}", "{\"index\":1}", "x")) {
      String text = "{\"index\":{}}\n{\"a\":1}\n" + broken + "\n{\"delete\":{\"_id\":\"1\"}}\n";
      var entries = new ArrayList<String>();
      var e = assertThrows(BrokenFileException.class, () -> read(text, Format.bulk, null, entries));
      assertTrue(String.valueOf(e.getMessage()).startsWith("Line 3 "), e.getMessage());
      assertEquals(List.of("1|{\"index\":{}}\n{\"a\":1}\n"), entries);
    }
  }

  @Test
  void aFormatGivenIsNotDetected() throws Exception {
    assertEquals(
        List.of("1|{\"index\":{}}\n{\"index\":{}}\n"), read("{\"index\":{}}", Format.ndjson, null));
    assertThrows(UserError.class, () -> read("{\"index\":{}}\n{}\n", Format.bulk, "id"));
  }

  @Test
  void gzipAndZstdAreUnpackedAlsoInSeveralParts() throws Exception {
    byte[] one = "\uFEFF{\"a\":1}\n".getBytes(UTF_8);
    byte[] two = "{\"a\":2}\n".getBytes(UTF_8);
    List<String> expected =
        List.of("1|{\"index\":{}}\n{\"a\":1}\n", "2|{\"index\":{}}\n{\"a\":2}\n");
    assertEquals(expected, read(joined(gzip(one), gzip(two))));
    assertEquals(expected, read(joined(Zstd.compress(one), Zstd.compress(two))));
  }

  @Test
  void compressedDataThatEndsEarlyIsAnErrorBehindWhatCouldBeRead() throws Exception {
    var random = new java.util.Random(1);
    var text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append("{\"a\":").append(random.nextLong()).append("}\n");
    }
    byte[] plain = text.toString().getBytes(UTF_8);
    for (byte[] packed : List.of(gzip(plain), Zstd.compress(plain))) {
      var entries = new ArrayList<String>();
      byte[] cut = Arrays.copyOf(packed, packed.length - 1);
      assertThrows(IOException.class, () -> read(cut, null, null, entries));
      assertTrue(entries.size() > 90_000, entries.size() + " entries");
    }
    assertThrows(UserError.class, () -> read(Arrays.copyOf(gzip(plain), 30)));
  }

  @Test
  void utf16IsNamed() {
    var e = assertThrows(UserError.class, () -> read("{}".getBytes(UTF_16)));
    assertTrue(String.valueOf(e.getMessage()).contains("UTF-16"), e.getMessage());
  }

  @Test
  void aLineOverTheLimitIsRefusedAloneInEveryFormat() throws Exception {
    String large = "{\"s\":\"" + "x".repeat(LineReader.LINE_BYTES_MAX) + "\"}";
    String refused = "longer than 17 MiB";
    String after = "{\"index\":{}}\n{}\n";
    assertEquals(
        List.of("1|" + refused, "2|" + after), read(large + "\r\n{}\n", Format.ndjson, null));
    assertEquals(List.of("1|" + refused, "2|" + after), read("[" + large + ",\n{}]"));
    assertEquals(
        List.of("1|" + refused, "3|" + after),
        read("{\"index\":{}}\n" + large + "\n{\"index\":{}}\n{}\n"));
  }

  @Test
  void theLongestLineIsTakenWhole() throws Exception {
    String text = "{\"s\":\"" + "x".repeat(LineReader.LINE_BYTES_MAX - 8) + "\"}";
    assertEquals(LineReader.LINE_BYTES_MAX, text.length());
    List<String> expected = List.of("1|{\"index\":{}}\n" + text + "\n");
    assertEquals(expected, read(text + "\r\n"));
    assertEquals(expected, read("[" + text + "]"));
  }

  private List<String> read(String text) throws IOException {
    return read(text, null, null);
  }

  private List<String> read(String text, @Nullable Format format, @Nullable String idField)
      throws IOException {
    var entries = new ArrayList<String>();
    read(text, format, idField, entries);
    return entries;
  }

  private List<String> read(byte[] file) throws IOException {
    var entries = new ArrayList<String>();
    read(file, null, null, entries);
    return entries;
  }

  private void read(
      String text, @Nullable Format format, @Nullable String idField, List<String> entries)
      throws IOException {
    read(text.getBytes(UTF_8), format, idField, entries);
  }

  /// Reads by file and by standard input, which must give the same.
  private void read(
      byte[] file, @Nullable Format format, @Nullable String idField, List<String> entries)
      throws IOException {
    Path path = Files.write(temp.resolve("file"), file);
    var piped = new ArrayList<String>();
    IOException failure = null;
    try {
      read(Input.open(path.toString(), InputStream.nullInputStream()), format, idField, entries);
    } catch (IOException e) {
      failure = e;
    }
    try {
      read(Input.open("-", new ByteArrayInputStream(file)), format, idField, piped);
    } catch (IOException e) {
      assertEquals(String.valueOf(failure), e.toString());
    }
    assertEquals(entries, piped);
    if (failure != null) {
      throw failure;
    }
  }

  private static void read(
      Input input, @Nullable Format format, @Nullable String idField, List<String> into)
      throws IOException {
    try (input) {
      Entries entries =
          Entries.of(format != null ? format : Format.detect(input.text()), input.text(), idField);
      for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
        into.add(
            entry.line()
                + "|"
                + switch (entry) {
                  case Entry.Change change -> sent(change);
                  case Entry.Unreadable unreadable -> unreadable.reason();
                });
      }
    }
  }

  private static String sent(Entry.Change change) {
    var request = new ByteArrayOutputStream();
    change.writeTo(request);
    assertEquals(change.bytes(), request.size());
    return request.toString(UTF_8);
  }

  private static byte[] gzip(byte[] text) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(text);
    }
    return packed.toByteArray();
  }

  private static byte[] joined(byte[] a, byte[] b) {
    var both = new ByteArrayOutputStream();
    both.writeBytes(a);
    both.writeBytes(b);
    return both.toByteArray();
  }
}
