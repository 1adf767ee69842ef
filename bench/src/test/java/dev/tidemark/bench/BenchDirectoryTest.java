package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchDirectoryTest {
  private static final String MOUNTS =
      """
      27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
      25 27 0:23 / /dev/shm rw,relatime shared:4 - tmpfs tmpfs rw,size=64k
      31 27 0:40 / /mnt/with\\040space rw - xfs /dev/vdb rw
      32 27 0:41 / /mnt/over rw - overlay overlay rw,lowerdir=/a,upperdir=/dev/shm/up,workdir=/w
      33 27 0:42 / /mnt/twice rw - ext4 /dev/vdc rw
      34 33 0:43 / /mnt/twice rw - ramfs none rw
      """;

  @TempDir private Path folder;

  @Test
  void aPathBelongsToTheDeepestMountThatLeadsToIt() throws IOException {
    assertEquals("ext4", parsed("/home/someone").type());
    assertEquals("/dev/vda", parsed("/home/someone").device());
    assertEquals("tmpfs", parsed("/dev/shm/a/b").type());
    assertEquals("ext4", parsed("/dev/shmall").type());
    assertEquals("/dev/vdb", parsed("/mnt/with space/x").device());
  }

  @Test
  void ofTwoMountsAtOnePlaceTheLaterHidesTheEarlier() throws IOException {
    assertEquals("ramfs", parsed("/mnt/twice/x").type());
    assertTrue(parsed("/mnt/twice/x").inMemory());
  }

  @Test
  void anOverlayIsInMemoryIfWhatItWritesToIs() throws IOException {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(shm) && FileSystemFacts.of(shm).inMemory());
    assertEquals(Path.of("/dev/shm/up"), parsed("/mnt/over/x").upper());
    assertTrue(new FileSystemFacts("overlay", "overlay", "0:41", shm).inMemory());
    Path outside = Path.of("/not/seen");
    assertFalse(new FileSystemFacts("overlay", "overlay", "0:41", outside).inMemory());
  }

  @Test
  void whatADiskTookIsCountedInBytesAndInRequests() throws IOException {
    String disks =
        """
         254       0 vda 25014 12 1580002 7781 91321 55512 40 30022 0 28123 37804
         254       1 vda1 1 2 3 4 5 6 7 8 0 9 10
        """;
    assertEquals(OptionalLong.of(40 * 512), parsed("/home/someone").bytesTaken(disks));
    assertEquals(OptionalLong.empty(), parsed("/dev/shm/a").bytesTaken(disks));
    assertEquals(OptionalLong.of(91321), parsed("/home/someone").writesTaken(disks));
  }

  @Test
  void aFolderInMemoryIsRefusedWithAMessageAndStaysAsItWas() throws IOException {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(shm) && FileSystemFacts.of(shm).inMemory());
    Path place = Files.createTempDirectory(shm, "bench-test-");
    try {
      IOException refusal =
          assertThrows(
              BenchDirectory.MemoryFileSystemException.class, () -> BenchDirectory.create(place));
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.contains("tmpfs"), message);
      assertTrue(message.contains("--dir"), message);
      try (Stream<Path> left = Files.list(place)) {
        assertEquals(0, left.count());
      }
    } finally {
      BenchDirectory.delete(place);
    }
  }

  @Test
  void theFolderIsFreshAndGoesWithAllThatIsInIt() throws IOException {
    assumeTrue(!FileSystemFacts.of(folder).inMemory(), "the folder for tests lies in memory");
    Path kept = Files.createFile(folder.resolve("kept"));
    Path made;
    try (BenchDirectory directory = BenchDirectory.create(folder)) {
      made = directory.path();
      assertEquals(folder, made.getParent());
      Files.createFile(Files.createDirectories(made.resolve("a/b")).resolve("c"));
    }
    assertFalse(Files.exists(made));
    assertTrue(Files.exists(kept));
  }

  private static FileSystemFacts parsed(String path) throws IOException {
    return FileSystemFacts.parse(MOUNTS, Path.of(path));
  }
}
