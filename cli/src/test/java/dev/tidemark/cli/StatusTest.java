package dev.tidemark.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `status` against a server.
final class StatusTest {
  private static final String ANSWER =
      """
      {"version":"0.1","uptime_ms":3723000,"watermarks":{"appended_lsn":1234,"durable_lsn":1234,\
      "applied_lsn":1230,"kv_lsn":234},"lags":{"durable":0,"applied":4,"kv":996},\
      "log":{"bytes":1572864,"segments":2,"first_lsn":200},"kv":{"bytes":2048},"counts":{},\
      "collections":[{"name":"a","documents":1,"deleted":0,"next_seq_no":1,"source_bytes":12},\
      {"name":"movies","documents":3201,"deleted":10,"next_seq_no":3211,"source_bytes":1300000}]}""";

  @Test
  void aPersonSeesWatermarksLagsSizesAndCounts() throws Exception {
    try (var server = new BulkServer(body -> new BulkServer.Reply(200, ANSWER))) {
      Cli status = Cli.run("status", "--url", server.url());
      assertEquals(0, status.status(), status.err());
      assertEquals(
          """
          Tidemark 0.1 at %s, up 1 h 2 min

          accepted   LSN 1,234
          durable    LSN 1,234  0 behind
          visible    LSN 1,230  4 behind
          key-value    LSN 234  996 behind: a restart replays as many from the log

          log 1.5 MiB in 2 segments, from LSN 200; key-value side 2.0 KiB

          index   documents  deleted  sources  next _seq_no
          a               1        0     12 B             1
          movies      3,201       10  1.2 MiB         3,211
          """
              .formatted(server.url()),
          status.out());
    }
  }

  @Test
  void aScriptSeesTheServersOwnJson() throws Exception {
    try (var server = new BulkServer(body -> new BulkServer.Reply(200, ANSWER))) {
      assertEquals(ANSWER + "\n", Cli.run("status", "--json", "--url", server.url()).out());
    }
  }

  @Test
  void aRunningServersNumbersArriveInTheText(@TempDir Path temp) throws Exception {
    try (var server = ServeProcess.start(temp, "--sample")) {
      String text = Cli.run("status", "--url", server.url()).out();
      assertTrue(text.matches("(?s).*\nvisible +LSN 3,20[12] +0 behind\n.*"), text);
      assertTrue(text.matches("(?s).*\nmovies +3,201 +0 +1\\.2 MiB +3,201\n"), text);
    }
  }
}
