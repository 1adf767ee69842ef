package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A directory has one owner, whatever it is called and whoever asks.
class LogLockTest {
  private static final LogOptions OPTIONS = options().build();

  @TempDir private Path folder;

  @Test
  void aSecondOpenInThisProcessIsRefusedUnderEveryName() throws Exception {
    Path directory = Files.createDirectory(folder.resolve("log"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), directory);
    Path parentLink = Files.createSymbolicLink(folder.resolve("up"), folder);
    List<Path> names =
        List.of(
            directory,
            link,
            parentLink.resolve("log"),
            folder.resolve("x").resolve("..").resolve("log"),
            Path.of("").toAbsolutePath().relativize(directory));
    Files.createDirectory(folder.resolve("x"));
    try (Log log = Log.open(link, OPTIONS)) {
      write(log, 1, 2);
      for (Path name : names) {
        var locked = assertThrows(LogLockedException.class, () -> Log.open(name, OPTIONS));
        assertTrue(String.valueOf(locked.getMessage()).contains("log"), locked::getMessage);
      }
      assertThrows(LogLockedException.class, () -> Log.open(directory, OPTIONS));
      assertEquals(List.of("locked"), openInAnotherProcess(directory), "still held for all");
      write(log, 3, 3);
    }
    for (Path name : names) {
      try (Log log = Log.open(name, OPTIONS)) {
        assertHolds(log, 1, 3);
      }
    }
  }

  @Test
  void anotherProcessIsRefusedUntilTheOwnerCloses() throws Exception {
    try (Log log = Log.open(folder, OPTIONS)) {
      write(log, 1, 2);
      assertEquals(List.of("locked"), openInAnotherProcess(folder));
      assertEquals(List.of("locked"), openInAnotherProcess(folder), "a refusal frees nothing");
      assertThrows(LogLockedException.class, () -> Log.open(folder, OPTIONS));
      write(log, 3, 3);
    }
    assertEquals(List.of("opened 3"), openInAnotherProcess(folder));
    try (Log log = Log.open(folder, OPTIONS)) {
      assertHolds(log, 1, 3);
    }
  }

  @Test
  void theDeathOfTheOwnerFreesTheDirectory() throws Exception {
    Process owner = LogChild.start(LogChild.HOLD, folder);
    try (BufferedReader output = owner.inputReader()) {
      assertEquals("opened 0", output.readLine());
      assertThrows(LogLockedException.class, () -> Log.open(folder, OPTIONS));
      owner.destroyForcibly().waitFor();
    }
    try (Log log = Log.open(folder, OPTIONS)) {
      write(log, 1, 1);
    }
  }

  @Test
  void aFailedOpenFreesTheDirectory() {
    CrashStorage storage = TestRecords.closedAfter(3, OPTIONS);
    String segment = storage.files().getFirst();
    storage.flipBit(segment, 4100, 0);
    for (int i = 0; i < 3; i++) {
      assertThrows(CorruptLogException.class, () -> Log.open(storage, OPTIONS));
    }
    storage.flipBit(segment, 4100, 0);
    try (Log log = Log.open(storage, OPTIONS)) {
      assertEquals(4, log.write(payload(4)));
    }
  }

  @Test
  void aStorageHasOneLog() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, OPTIONS)) {
      assertThrows(LogLockedException.class, () -> Log.open(storage, OPTIONS));
      write(log, 1, 1);
    }
    Log.open(storage, OPTIONS).close();
  }

  private static List<String> openInAnotherProcess(Path directory) throws Exception {
    Process process = LogChild.start(LogChild.OPEN, directory);
    try (BufferedReader output = process.inputReader()) {
      List<String> lines = output.lines().toList();
      assertEquals(0, process.waitFor());
      return lines;
    }
  }
}
