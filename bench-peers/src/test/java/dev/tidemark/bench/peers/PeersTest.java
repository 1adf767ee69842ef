package dev.tidemark.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.bench.Bench;
import dev.tidemark.bench.Peer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each peer once, in its shortest form: its rows are there, and each of its writes is synced.
class PeersTest {
  private static final List<String> ROWS =
      List.of("write/1", "write/8-platform", "write/32-virtual", "write/256-virtual", "batch/1000");

  @TempDir private Path folder;

  private static Stream<Peer> peers() {
    return ServiceLoader.load(Peer.class).stream().map(ServiceLoader.Provider::get);
  }

  @Test
  void thePeersAreThoseThatAreNamed() {
    assertEquals(
        List.of(
            "artemis-aio", "artemis-nio", "chronicle", "h2-mvstore", "kafka", "rocksdb", "sqlite"),
        peers().map(Peer::name).sorted().toList());
  }

  @ParameterizedTest
  @MethodSource("peers")
  void eachWriteOfAPeerIsSyncedAndItsRowsAreMeasured(Peer peer) {
    @Nullable String missing = peer.missing();
    assumeTrue(missing == null, () -> peer.name() + ": " + missing);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Bench.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "log",
            "--peers",
            peer.name(),
            "--dir",
            folder.toString(),
            "--rounds",
            "1",
            "--seconds",
            "0.01",
            "--json");
    assertEquals(0, status, err::toString);
    for (String row : ROWS) {
      assertTrue(median(out.toString(), row + "/" + peer.name()) > 0, out::toString);
    }
    boolean traced = !err.toString().contains("is left out: there is no strace");
    assumeTrue(traced, "there is no strace here: whether the writes are synced was not looked at");
    assertTrue(median(out.toString(), "syncs/" + peer.name()) >= 1, out::toString);
  }

  private static double median(String json, String row) {
    Matcher matcher =
        Pattern.compile("\"name\":\"" + Pattern.quote(row) + "\".*?\"median\":([0-9.]+)")
            .matcher(json);
    assertTrue(matcher.find(), () -> row + " is missing: " + json);
    return Double.parseDouble(matcher.group(1));
  }
}
