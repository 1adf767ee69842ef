package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.log.ThreadKind.Call;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the JVM's flags on native access come to, each tried in a process of its own: the log says
/// in its stats how it reaches the disk, the JVM warns of nothing, and interrupts harm no one.
class LogAccessTest {
  private static final int RECORDS = 200;

  @TempDir private Path folder;

  @Test
  void withoutTheFlagTheLogGoesThroughChannelsAndNothingIsWarnedOf() throws Exception {
    assertSays("nio");
  }

  @Test
  void whereNativeAccessIsDeniedTheLogGoesThroughChannels() throws Exception {
    assertSays("nio", "--illegal-native-access=deny");
  }

  @Test
  void whereIllegalNativeAccessIsAllowedTheLogStillWaitsForTheFlag() throws Exception {
    assertSays("nio", "--illegal-native-access=allow");
  }

  @Test
  void withTheFlagTheLogMakesItsOwnCallsOnLinux() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "elsewhere there are no such calls");
    assertSays("native", "--enable-native-access=ALL-UNNAMED");
    assertSays("native", "--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny");
  }

  /// The log has each record once, whatever way it was opened by before.
  private void assertSays(String access, String... flags) throws Exception {
    Path log = folder.resolve("log");
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of(flags));
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(LogAccessTest.class.getName(), log.toString()));
    int status =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    assertEquals("", Files.readString(err), () -> "said by " + command);
    assertEquals(0, status);
    assertEquals(access + "\n", Files.readString(out));
  }

  /// Writes from threads of both kinds that are interrupted again and again, finds each record,
  /// trims, and says how it reached the disk.
  public static void main(String[] args) throws Exception {
    LogOptions options = TestRecords.smallSegments().build();
    try (Log log = Log.open(Path.of(args[0]), options)) {
      long first = log.durableLsn() + 1;
      List<Call<Long>> writers = new ArrayList<>();
      for (ThreadKind kind : ThreadKind.values()) {
        writers.add(kind.start(() -> writeThroughInterrupts(log)));
      }
      while (writers.stream().anyMatch(w -> !w.result().isDone())) {
        writers.forEach(w -> w.thread().interrupt());
        Thread.sleep(0, 200_000);
      }
      for (Call<Long> writer : writers) {
        writer.join();
      }
      long last = log.sync();
      assertEquals(first - 1 + (long) RECORDS * writers.size(), last);
      Thread.currentThread().interrupt();
      long lsn = first;
      try (Replay replay = log.replay(first)) {
        for (RecordView r = replay.next(); r != null; r = replay.next()) {
          assertEquals(lsn++, r.lsn());
          assertArrayEquals(r.toBytes(), log.read(r.position()));
        }
      }
      assertEquals(last + 1, lsn);
      log.trimBefore(last);
      say(log.stats().access());
    }
  }

  private static long writeThroughInterrupts(Log log) {
    long lsn = 0;
    byte[] payload = new byte[300];
    for (int n = 0; n < RECORDS; n++) {
      Arrays.fill(payload, (byte) n);
      lsn = log.append(payload);
      for (boolean waiting = true; waiting; ) {
        try {
          log.awaitDurable(lsn);
          waiting = false;
        } catch (LogInterruptedException e) {
          Thread.interrupted();
        }
      }
    }
    return lsn;
  }

  private static void say(String line) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    out.print(line + "\n");
    out.flush();
  }
}
