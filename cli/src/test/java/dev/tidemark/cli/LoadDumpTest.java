package dev.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tidemark.server.TidemarkServer;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `load` and `dump` against a server.
final class LoadDumpTest {
  private static final String HARD =
      """
      {"_id":"a","_version":1,"_seq_no":0,"_source":{"n":9007199254740993,"f":0.1000000000000000055,"z":-0.0,"e":1E+2}}
      {"_id":"b\\"\\\\/ \\n\u00e9\uD83D\uDE00","_version":1,"_seq_no":1,"_routing":"r\\"1","_source":{"":1,".":2,"a..b":3,"s":"a\\u0000"}}
      {"_id":"c","_version":1,"_seq_no":2,"_source":{"_id":"x","_source":{"_id":"y"},"index":{"_id":"z"}}}
      {"_id":"d","_version":1,"_seq_no":3,"_source":{}}
      """;

  @TempDir private Path temp;

  private final DocumentStore store;
  private final TidemarkServer server;

  LoadDumpTest(@TempDir Path data) {
    store = DocumentStore.open(data, StoreOptions.defaults());
    server = TidemarkServer.start(store, "127.0.0.1", 0);
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void aDumpIsTheSameAfterALoadOfIt() throws Exception {
    assertEquals(0, load("one", HARD.getBytes(UTF_8)).status());
    Cli one = dump("one");
    assertEquals(HARD, one.out());
    assertEquals(0, load("two", one.out().getBytes(UTF_8)).status());
    assertEquals(HARD, dump("two").out());
  }

  @Test
  void gzipZstdArrayAndBulkGiveTheSameDocuments() throws Exception {
    String plain = "{\"id\":1,\"x\":1.0}\n{\"id\":2,\"x\":[]}\n";
    List<byte[]> files =
        List.of(
            plain.getBytes(UTF_8),
            gzip(plain),
            Zstd.compress(plain.getBytes(UTF_8)),
            "[{\"id\":1,\n\"x\":1.0}, {\"id\":2,\"x\":[]}]".getBytes(UTF_8));
    String expected =
        """
        {"_id":"1","_version":1,"_seq_no":0,"_source":{"id":1,"x":1.0}}
        {"_id":"2","_version":1,"_seq_no":1,"_source":{"id":2,"x":[]}}
        """;
    for (int i = 0; i < files.size(); i++) {
      Cli load = load("i" + i, files.get(i), "--id-field", "id", "--in-flight", "1");
      assertEquals(0, load.status(), load.err());
      assertEquals(expected, dump("i" + i).out());
    }
    String bulk =
        """
        {"create":{"_id":"1"}}
        {"id":1,"x":1.0}
        {"index":{"_id":"2"}}
        {"x":0}
        {"delete":{"_id":"2"}}
        {"delete":{"_id":"none"}}
        {"update":{"_id":"1"}}
        {"doc":{"y":2}}
        """;
    Cli load = load("bulk", bulk.getBytes(UTF_8));
    assertEquals(0, load.status(), load.err());
    assertTrue(load.out().startsWith("5 documents into bulk "), load.out());
    assertEquals(
        "{\"_id\":\"1\",\"_version\":2,\"_seq_no\":4,\"_source\":{\"id\":1,\"x\":1.0,\"y\":2}}\n",
        dump("bulk").out());
  }

  @Test
  void eachBadLineIsRejectedAloneWithItsNumber() throws Exception {
    var file = new ByteArrayOutputStream();
    for (String line :
        List.of(
            "{\"good\":1}",
            "{\"a\":1,\"\\u0061\":2}",
            "{\"d\":1e400}",
            "nonsense",
            "",
            "[1]",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":1} trailing",
            "{\"a\":".repeat(1_000))) {
      file.writeBytes((line + "\n").getBytes(UTF_8));
    }
    file.writeBytes(new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}', '\n'});
    file.writeBytes("{\"good\":2}".getBytes(UTF_8));
    Path rejects = temp.resolve("rejects");
    Cli load = load("i", file.toByteArray(), "--rejects", rejects.toString());
    assertEquals(3, load.status(), load.err());
    assertTrue(load.out().startsWith("2 documents into i "), load.out());
    assertEquals(
        List.of("2", "3", "4", "6", "7", "8", "9", "10"),
        Files.readAllLines(rejects).stream()
            .map(row -> row.replaceFirst("\\{\"line\":(\\d+),\"reason\":\"[^\"]+.*", "$1"))
            .sorted((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)))
            .toList());
    assertEquals(2, dump("i").out().lines().count());
  }

  @Test
  void anIdOver512BytesIsRejectedAndOneOf512IsTaken() throws Exception {
    String fits = "\u00e9".repeat(256);
    Path rejects = temp.resolve("rejects");
    Cli load =
        load(
            "i",
            "{\"id\":\"%s\"}\n{\"id\":\"%sx\"}\n".formatted(fits, fits).getBytes(UTF_8),
            "--id-field",
            "id",
            "--rejects",
            rejects.toString());
    assertEquals(3, load.status(), load.err());
    assertTrue(Files.readString(rejects).startsWith("{\"line\":2,"), Files.readString(rejects));
    assertEquals(1, dump("i").out().lines().count());
  }

  @Test
  void anIndexThatCannotBeIsNamed() throws Exception {
    Cli load = load("_Bad", "{}\n".getBytes(UTF_8));
    assertEquals(1, load.status());
    assertTrue(load.err().contains("_Bad"), load.err());
    assertEquals(1, load.err().lines().count(), load.err());
    Cli dump = dump("none");
    assertEquals(1, dump.status());
    assertEquals("", dump.out());
    assertTrue(dump.err().contains("no such index [none]"), dump.err());
  }

  private Cli load(String index, byte[] file, String... more) throws IOException {
    Path path = Files.write(temp.resolve("file"), file);
    var arguments =
        new java.util.ArrayList<String>(
            List.of("load", path.toString(), "--index", index, "--url", url()));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--rejects")) {
      arguments.addAll(List.of("--rejects", temp.resolve(index + ".rejects").toString()));
    }
    return Cli.run(arguments.toArray(String[]::new));
  }

  private Cli dump(String index) {
    return Cli.run("dump", "--index", index, "--url", url());
  }

  private String url() {
    return "http://127.0.0.1:" + server.port();
  }

  private static byte[] gzip(String text) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }
}
