package dev.tidemark.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import dev.tidemark.store.CrashingWriter.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes is killed at random times, again and again in one directory. After each
/// kill a copy of the directory is opened: what was acknowledged is there, byte for byte, with its
/// versions and sequence numbers, and no batch is there by half. The directory itself goes to the
/// next process as the kill left it.
///
/// `-Dtidemark.rounds=N` kills N times.
class StoreCrashTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.rounds", 30);
  private static final int KILLED = 128 + 9;
  private static final List<Mode> MODES = List.of(Mode.values());

  @TempDir Path temp;
  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  /// What is known of a document.
  ///
  /// @param body null if it is deleted
  private record State(long version, long seqNo, @Nullable String body) {}

  /// What one thread of the killed process was doing.
  private static final class Progress {
    /// The last intent that was not answered: id and body (null to delete) in order.
    private List<Map.Entry<String, String>> inFlight = List.of();
  }

  /// The documents as acknowledged, over all rounds.
  private final Map<String, State> acknowledged = new TreeMap<>();

  private final Map<Integer, Progress> threads = new HashMap<>();
  private int windowsOpen;

  @Test
  void aKillLosesNothingThatWasAcknowledgedAndLeavesNothingByHalf() throws Exception {
    Path directory = temp.resolve("data");
    for (int round = 0; round < ROUNDS; round++) {
      Mode mode = MODES.get(round % MODES.size());
      String context = seed + ", round " + round + " " + mode;
      run(directory, mode, round);
      Path copy = temp.resolve("copy" + round);
      copyTree(directory, copy);
      try (DocumentStore store = DocumentStore.open(copy, CrashingWriter.options(mode))) {
        verify(store, context);
        StoreStatus status = store.status();
        if (mode == Mode.FLUSHED_BEHIND) {
          assertTrue(status.kvLsn() > 0 && status.kvLsn() < status.appliedLsn(), context);
          windowsOpen++;
        }
      }
      deleteTree(copy);
    }
    assertTrue(windowsOpen >= ROUNDS / 3, "the window was held open");
    assertTrue(acknowledged.size() > 10, "something was written");
  }

  /// Runs a process, lets it write for a while, kills it, and takes down what it said.
  private void run(Path directory, Mode mode, int round) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temp,
                "-cp",
                System.getProperty("java.class.path"),
                CrashingWriter.class.getName(),
                directory.toString(),
                mode.name(),
                Integer.toString(round))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String awaited = mode == Mode.FLUSHED_BEHIND ? "WINDOW" : "READY";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        if (line.equals(awaited)) {
          killLater(process, random.nextInt(400));
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertEquals(KILLED, process.waitFor(), () -> seed + ": the process ended by itself");
    take(lines);
  }

  /// In the background, since the process stops when nobody reads what it says.
  private static void killLater(Process process, int millis) {
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(millis);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              // The process's own method would close the stream on what is still to be read.
              process.toHandle().destroyForcibly();
            });
  }

  private void take(List<String> lines) {
    threads.clear();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      // What was cut by the kill was neither begun nor read by anyone.
      if (line.startsWith("B") && line.endsWith(" .")) {
        threadOf(words).inFlight = intents(words);
      } else if (line.startsWith("A") && line.endsWith(" .")) {
        acknowledge(words);
      }
    }
  }

  private Progress threadOf(String[] words) {
    return threads.computeIfAbsent(Integer.valueOf(words[1]), thread -> new Progress());
  }

  private static List<Map.Entry<String, String>> intents(String[] words) {
    List<Map.Entry<String, String>> intents = new ArrayList<>();
    for (int i = 2; i < words.length - 1; i++) {
      String[] parts = words[i].split("=", 2);
      intents.add(Map.entry(parts[0], parts[1]));
    }
    return intents;
  }

  private void acknowledge(String[] words) {
    Progress progress = threadOf(words);
    for (int i = 2; i < words.length - 1; i++) {
      Map.Entry<String, String> intent = progress.inFlight.get(i - 2);
      String[] answer = words[i].split("[=/]", 3);
      assertEquals(intent.getKey(), answer[0]);
      State before = acknowledged.get(answer[0]);
      State after = new State(Long.parseLong(answer[1]), Long.parseLong(answer[2]), body(intent));
      assertEquals(before == null ? 1 : before.version() + 1, after.version(), seed::toString);
      acknowledged.put(answer[0], after);
    }
    progress.inFlight = List.of();
  }

  private static @Nullable String body(Map.Entry<String, String> intent) {
    return intent.getValue().equals("-") ? null : intent.getValue();
  }

  private void verify(DocumentStore store, String context) {
    Map<String, State> found = found(store);
    for (Map.Entry<Integer, Progress> thread : threads.entrySet()) {
      verifyThread(thread.getKey(), thread.getValue().inFlight, found, context);
    }
    // Whoever was not heard of in this round wrote nothing: it was verified before.
    for (Map.Entry<String, State> each : acknowledged.entrySet()) {
      assertEquals(each.getValue(), found.get(each.getKey()), context);
    }
    assertEquals(acknowledged.keySet(), found.keySet(), context);
    verifyCounts(store, found, context);
  }

  /// The thread's documents are as acknowledged, or as the one batch that it still had in flight
  /// leaves them; then that counts as acknowledged from now on.
  private void verifyThread(
      int thread,
      List<Map.Entry<String, String>> inFlight,
      Map<String, State> found,
      String context) {
    Map<String, State> without = ofThread(acknowledged, thread);
    Map<String, State> actual = ofThread(found, thread);
    if (actual.equals(without)) {
      return;
    }
    Map<String, State> with = new TreeMap<>(without);
    Map.Entry<String, String> first = inFlight.isEmpty() ? null : inFlight.getFirst();
    assertNotNull(first, () -> context + ": " + without + " became " + actual);
    // Operations of a batch stand side by side in the log; their numbers follow from the last's.
    State last = actual.get(inFlight.getLast().getKey());
    assertNotNull(last, () -> context + ": the end of " + inFlight + " is missing");
    long seqNo = last.seqNo() - inFlight.size() + 1;
    for (Map.Entry<String, String> intent : inFlight) {
      State before = with.get(intent.getKey());
      long version = before == null ? 1 : before.version() + 1;
      with.put(intent.getKey(), new State(version, seqNo++, body(intent)));
    }
    assertEquals(with, actual, context);
    acknowledged.putAll(with);
  }

  private static Map<String, State> ofThread(Map<String, State> states, int thread) {
    Map<String, State> own = new TreeMap<>(states);
    own.keySet().removeIf(id -> !id.startsWith(thread + "-"));
    return own;
  }

  /// Everything the store holds, deleted documents included.
  private static Map<String, State> found(DocumentStore store) {
    Map<String, State> found = new TreeMap<>();
    store
        .keyValueSide()
        .forEachEntry(
            (key, value) -> {
              if (key.length > 5) {
                StoredDocument.Head head = StoredDocument.readHead(value, value.length);
                String id = StoredKey.id(key);
                Document document = store.get("crash", id);
                String body = document == null ? null : document.source().toString();
                found.put(id, new State(head.version(), head.seqNo(), body));
              }
            });
    return found;
  }

  private static void verifyCounts(DocumentStore store, Map<String, State> found, String context) {
    CollectionInfo info = store.collection("crash");
    if (found.isEmpty()) {
      return;
    }
    assertNotNull(info, context);
    Set<Long> seqNos = new HashSet<>();
    long changes = 0;
    long live = 0;
    long bytes = 0;
    for (State state : found.values()) {
      assertTrue(seqNos.add(state.seqNo()), context + ": a sequence number was taken twice");
      assertTrue(state.seqNo() < info.nextSeqNo(), context);
      changes += state.version();
      String body = state.body();
      live += body == null ? 0 : 1;
      bytes += body == null ? 0 : body.length();
    }
    // Each change took one version of its document and one sequence number: none is missing.
    assertEquals(changes, info.nextSeqNo(), context);
    assertTrue(seqNos.contains(info.nextSeqNo() - 1), context);
    assertEquals(live, info.documents(), context);
    assertEquals(found.size() - live, info.deleted(), context);
    assertEquals(bytes, info.sourceBytes(), context);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> entries = Files.walk(from)) {
      for (Path entry : entries.toList()) {
        Files.copy(entry, to.resolve(from.relativize(entry).toString()));
      }
    }
  }

  private static void deleteTree(Path root) throws IOException {
    try (Stream<Path> entries = Files.walk(root)) {
      for (Path entry : entries.toList().reversed()) {
        Files.delete(entry);
      }
    }
  }
}
