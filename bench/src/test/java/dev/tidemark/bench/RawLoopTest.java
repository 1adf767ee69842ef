package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RawLoopTest {
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Path OWN_IO = Path.of("/proc/self/io");

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void prepare() throws IOException {
    file = folder.resolve("raw");
    RawLoop.prepare(file);
  }

  @Test
  void theFileIsFullOfZerosBeforeTheFirstLoop() throws IOException {
    assertEquals(RawLoop.FILE_BYTES, Files.size(file));
    try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
      byte[] piece = new byte[4096];
      for (long at : new long[] {0, 5 << 20, RawLoop.FILE_BYTES - 4096}) {
        content.seek(at);
        content.readFully(piece);
        for (byte b : piece) {
          assertEquals(0, b);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachWriteIsFollowedByOneSync(RawFile.Access access) throws Exception {
    assumeTrue(access == RawFile.Access.CHANNEL || ForeignFile.available());
    try (RawLoop loop = RawLoop.open(file, access)) {
      assertTrue(loop.writesOf(72).rate(MOMENT) > 0);
      assertTrue(loop.writes() > 0);
      assertEquals(loop.writes(), loop.syncs());
    }
  }

  /// The kernel counts a page, and those that it keeps together with it, as written when it becomes
  /// dirty. Small blocks fill one page some 56 times: only if each sync really takes the page to
  /// the disk is it dirty anew each time.
  @ParameterizedTest
  @EnumSource
  void eachSyncReachesTheDisk(RawFile.Access access) throws Exception {
    assumeTrue(Files.isReadable(OWN_IO) && ForeignFile.available());
    assumeFalse(FileSystemFacts.of(folder).inMemory(), "the folder for tests lies in memory");
    try (RawLoop loop = RawLoop.open(file, access)) {
      long before = bytesWritten();
      loop.writesOf(72).rate(MOMENT);
      long pages = (bytesWritten() - before) / 4096;
      assertTrue(pages >= loop.writes(), pages + " pages for " + loop.writes() + " writes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBlocksLieOneBehindTheOther(RawFile.Access access) throws Exception {
    assumeTrue(access == RawFile.Access.CHANNEL || ForeignFile.available());
    long writes;
    try (RawLoop loop = RawLoop.open(file, access)) {
      loop.writesOf(72).rate(MOMENT);
      writes = loop.writes();
    }
    byte[] content = Files.readAllBytes(file);
    int end = Math.toIntExact(72 * writes);
    assertEquals(0x5A, content[end - 1]);
    assertEquals(0, content[end]);
  }

  @ParameterizedTest
  @EnumSource
  void aBlockThatDoesNotFitStartsOver(RawFile.Access access) throws Exception {
    assumeTrue(access == RawFile.Access.CHANNEL || ForeignFile.available());
    try (RawLoop loop = RawLoop.open(file, access)) {
      Work work = loop.writesOf(RawLoop.BLOCK_BYTES_MAX);
      while (loop.writes() * RawLoop.BLOCK_BYTES_MAX <= RawLoop.FILE_BYTES) {
        work.rate(MOMENT);
      }
    }
    assertEquals(RawLoop.FILE_BYTES, Files.size(file));
  }

  @ParameterizedTest
  @EnumSource
  void aReadBehindTheEndIsAnError(RawFile.Access access) throws Exception {
    assumeTrue(access == RawFile.Access.CHANNEL || ForeignFile.available());
    try (RawLoop loop = RawLoop.open(file, access)) {
      assertTrue(loop.readsOf(96, new long[] {0, 4096}).rate(MOMENT) > 0);
      Work behind = loop.readsOf(96, new long[] {RawLoop.FILE_BYTES});
      assertThrows(IOException.class, () -> behind.rate(MOMENT));
    }
  }

  @Test
  void theFastestWayIsOneOfThoseThatThisSystemHas() throws Exception {
    try (RawLoop loop = RawLoop.fastest(file, MOMENT, some -> some.writesOf(72))) {
      assertTrue(loop.access() == RawFile.Access.CHANNEL || ForeignFile.available());
      assertEquals(0, loop.writes());
    }
  }

  private static long bytesWritten() throws IOException {
    return Long.parseLong(MachineFacts.lineOf(OWN_IO, "write_bytes", "0"));
  }
}
