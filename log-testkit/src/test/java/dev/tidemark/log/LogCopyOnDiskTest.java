package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.assertHolds;
import static dev.tidemark.log.TestRecords.assertWorks;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Copies of log directories of the file system, and directories that are no copies.
class LogCopyOnDiskTest {
  private static final LogOptions SMALL = smallSegments().build();
  private static final int ROUNDS = 6;

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @TempDir private Path folder;

  @FunctionalInterface
  private interface Copier {
    void copy(Path from, Path to) throws Exception;
  }

  @Test
  void aLogCopiedByTheSystemsOwnCommandWhileItIsWrittenOpens() throws Exception {
    copyWhileWritten(
        (from, to) -> {
          Process cp = new ProcessBuilder("cp", "-r", from.toString(), to.toString()).start();
          // It complains about a segment that got its name after the directory was listed.
          String errors = errors(cp);
          assertTrue(cp.waitFor() == 0 || errors.contains("No such file"), errors);
        });
  }

  @Test
  void aLogCopiedInAnyOrderInChunksWhileItIsWrittenOpens() throws Exception {
    copyWhileWritten(this::copyInChunks);
  }

  /// Many copies of a log that a thread writes all the time; each holds at least what was durable
  /// when its copying began.
  private void copyWhileWritten(Copier copier) throws Exception {
    Path source = folder.resolve("source");
    try (Log log = Log.open(source, SMALL)) {
      Thread writer = Thread.ofPlatform().start(() -> writeUntilInterrupted(log));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          log.awaitDurable(waitFor(log, 100L * (round + 1)));
          Path copy = folder.resolve("copy-" + round);
          long durable = log.durableLsn();
          copier.copy(source, copy);
          try (Log copied = Log.open(copy, SMALL)) {
            long last = copied.durableLsn();
            assertTrue(last >= durable, () -> last + " of " + durable + ", " + seed);
            assertHolds(copied, 1, last);
          }
          assertWorks(FileStorage.at(copy), SMALL, lastLsn(copy) + 1);
        }
      } finally {
        writer.interrupt();
        writer.join();
      }
      assertHolds(log, 1, log.durableLsn());
    }
    try (Log log = Log.open(source, SMALL)) {
      assertInstanceOf(RecoveryReport.Clean.class, log.recovery());
    }
  }

  private static void writeUntilInterrupted(Log log) {
    while (!Thread.currentThread().isInterrupted()) {
      log.append(payload(log.appendedLsn() + 1));
      if (log.appendedLsn() % 7 == 0) {
        log.sync();
      }
    }
  }

  private static long waitFor(Log log, long lsn) throws InterruptedException {
    while (log.appendedLsn() < lsn) {
      Thread.sleep(1);
    }
    return lsn;
  }

  private static long lastLsn(Path directory) {
    try (Log log = Log.open(directory, SMALL)) {
      return log.durableLsn();
    }
  }

  /// Several files at once, `LOCK` among them.
  private void copyInChunks(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    List<OpenCopy> open = new ArrayList<>();
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.toString().endsWith(".tmp")) {
          Path target = to.resolve(file.getFileName());
          open.add(new OpenCopy(Files.newInputStream(file), Files.newOutputStream(target)));
        }
      }
    }
    Collections.shuffle(open, new Random(random.nextLong()));
    while (!open.isEmpty()) {
      OpenCopy file = open.get(random.nextInt(Math.min(3, open.size())));
      byte[] chunk = file.in.readNBytes(1 + random.nextInt(6000));
      file.out.write(chunk);
      if (chunk.length == 0) {
        file.in.close();
        file.out.close();
        open.remove(file);
      }
    }
  }

  private record OpenCopy(InputStream in, OutputStream out) {}

  private static String errors(Process process) {
    try {
      return new String(process.getErrorStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Segments of 1 to 33, 34 to 66, 67 to 80; the second one has no record 40.
  private Path damaged(String name) throws IOException {
    Path directory = folder.resolve(name);
    try (Log log = Log.open(directory, SMALL)) {
      write(log, 1, 80);
    }
    Log.open(directory, SMALL).close();
    try (var file =
        new RandomAccessFile(directory.resolve(SegmentImage.fileName(67)).toFile(), "rw")) {
      file.seek(4096 + 5 * 120);
      file.write(new byte[120]);
    }
    return directory;
  }

  @Test
  void damageInADirectoryThatIsNoCopyIsRefusedAndNothingChanged() throws Exception {
    assertRefused(damaged("log"));
  }

  @Test
  void aRenamedDirectoryIsNoCopy() throws Exception {
    assertRefused(Files.move(damaged("log"), folder.resolve("moved")));
  }

  private static void assertRefused(Path directory) throws IOException {
    List<String> before = image(directory);
    assertThrows(CorruptLogException.class, () -> Log.open(directory, SMALL));
    assertEquals(before, image(directory));
  }

  private static List<String> image(Path directory) throws IOException {
    List<String> image = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        image.add(file.getFileName() + " " + Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return image;
  }

  @Test
  void aCopyWithoutItsLockFileIsJudgedAsAnOriginal() throws Exception {
    for (String left : new String[] {"missing", "empty", "without identity"}) {
      Path copy = folder.resolve("copy " + left);
      copyInChunks(damaged("log " + left), copy);
      Path lock = copy.resolve("LOCK");
      Files.delete(lock);
      if (!left.equals("missing")) {
        Files.writeString(lock, left.equals("empty") ? "" : "pid 1234");
      }
      assertThrows(CorruptLogException.class, () -> Log.open(copy, SMALL), left);
      assertFalse(image(copy).toString().contains("aside"));
    }
  }

  @Test
  void aCopyIsKnownOnceAndThenALogOfItsOwn() throws Exception {
    Path copy = folder.resolve("copy");
    copyInChunks(damaged("log"), copy);
    try (Log log = Log.open(copy, SMALL)) {
      assertInstanceOf(RecoveryReport.IncompleteCopy.class, log.recovery());
      assertHolds(log, 1, 71);
      write(log, 72, 75);
    }
    try (Log log = Log.open(copy, SMALL)) {
      assertInstanceOf(RecoveryReport.Clean.class, log.recovery());
      assertHolds(log, 1, 75);
    }
    try (var file = new RandomAccessFile(copy.resolve(SegmentImage.fileName(67)).toFile(), "rw")) {
      file.seek(4096 + 2 * 120);
      file.write(new byte[120]);
    }
    assertRefused(copy);
  }

  @Test
  void theIdentityIsThereBeforeTheFirstSegmentAndNeverCut() throws Exception {
    Path directory = folder.resolve("log");
    Log.open(directory, SMALL).close();
    String identity = Files.readString(directory.resolve("LOCK")).lines().findFirst().orElse("");
    assertTrue(identity.startsWith("directory inode "), identity);
    for (int i = 0; i < 3; i++) {
      try (Log log = Log.open(directory, SMALL)) {
        write(log, i + 1, i + 1);
        assertEquals(128, Files.size(directory.resolve("LOCK")));
      }
    }
  }

  @Test
  void whatMakesADirectoryTheSame() {
    var one = new DirectoryIdentity(12, 1_700_000_000_000_000_001L);
    assertEquals(one, DirectoryIdentity.parse(one.text() + "   \npid 3\n"));
    assertTrue(one.isSameDirectory(new DirectoryIdentity(99, one.bornNanos())));
    assertFalse(one.isSameDirectory(new DirectoryIdentity(12, one.bornNanos() + 1)));
    assertTrue(one.isSameDirectory(new DirectoryIdentity(12, 0)));
    assertFalse(one.isSameDirectory(new DirectoryIdentity(13, 0)));
  }
}
