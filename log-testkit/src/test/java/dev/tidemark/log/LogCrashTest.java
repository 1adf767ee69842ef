package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.records;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes, killed at random times: what it had acknowledged is there.
///
/// `-Dtidemark.kills=N` makes it more rounds.
class LogCrashTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.kills", 8);

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// What a write was, by the LSN of its last record.
  private record Write(int writer, long n) {}

  private final Map<Long, Write> acknowledged = new HashMap<>();

  @Test
  void everyAcknowledgedRecordSurvivesKills(@TempDir Path directory) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      writeUntilKilled(directory);
      try (Log log = Log.open(directory, LogChild.options())) {
        List<LogRecord> records = records(log);
        assertFindsWhatWasAcknowledged(records);
        assertHoldsNothingElse(records);
        // Written by this process, and gone before the next round.
        long lsn = log.write(new byte[0]);
        assertEquals(records.size() + 1, lsn, seed::toString);
        assertEquals(lsn, log.sync());
        assertFalse(acknowledged.containsKey(lsn));
      }
    }
    assertTrue(acknowledged.size() > ROUNDS, "the kills left time to write");
  }

  private void writeUntilKilled(Path directory) throws Exception {
    Process child = LogChild.start(LogChild.WRITE, directory);
    try (BufferedReader output = child.inputReader(StandardCharsets.US_ASCII)) {
      String opened = output.readLine();
      assertTrue(opened != null && opened.startsWith("opened "), () -> opened + " " + seed);
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Thread.sleep(random.nextInt(300));
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                    // Through the handle: the process object would close the pipe unread.
                    child.toHandle().destroyForcibly();
                  });
      readAcknowledgements(output);
      killer.join();
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private void readAcknowledgements(BufferedReader output) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = output.read(); c >= 0; c = output.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      String[] words = line.toString().split(" ", -1);
      Write write = new Write(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      acknowledged.put(Long.parseLong(words[0]), write);
      line.setLength(0);
    }
  }

  private void assertFindsWhatWasAcknowledged(List<LogRecord> records) {
    acknowledged.forEach(
        (last, write) -> {
          int count = LogChild.count(write.writer, write.n);
          assertTrue(last <= records.size(), () -> write + " is lost: " + seed);
          for (int i = 0; i < count; i++) {
            byte[] found = records.get((int) (last - count + i)).payload();
            assertArrayEquals(
                LogChild.payload(write.writer, write.n, i), found, () -> write + " " + seed);
          }
        });
  }

  /// Dense, each record one that was written, and each batch whole.
  private void assertHoldsNothingElse(List<LogRecord> records) {
    List<LogRecord> rest = new ArrayList<>(records);
    long lsn = 1;
    while (!rest.isEmpty()) {
      LogRecord first = rest.removeFirst();
      assertEquals(lsn++, first.lsn(), seed::toString);
      if (first.payload().length == 0) {
        continue;
      }
      String[] words = new String(first.payload(), StandardCharsets.US_ASCII).split(" ", -1);
      int writer = Integer.parseInt(words[0]);
      long n = Long.parseLong(words[1]);
      assertArrayEquals(LogChild.payload(writer, n, 0), first.payload(), seed::toString);
      for (int i = 1; i < LogChild.count(writer, n); i++) {
        assertFalse(rest.isEmpty(), () -> "half a batch: " + seed);
        byte[] next = rest.removeFirst().payload();
        assertArrayEquals(LogChild.payload(writer, n, i), next, seed::toString);
        lsn++;
      }
    }
  }
}
