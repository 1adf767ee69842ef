package dev.tidemark.log.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import dev.tidemark.log.spi.StorageLockedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CrashStorageTest {
  private static final int SECTOR = 512;
  private static final int CRASHES = 400;

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();
  private final CrashStorage storage = new CrashStorage();

  @Test
  void readersSeeWhatWasWrittenAtOnce() throws IOException {
    StorageFile file = storage.create("a");
    write(file, 3, "xyz");

    assertEquals(6, file.size());
    assertEquals("\0\0\0xyz", text(storage.bytes("a")));
    MemorySegment target = MemorySegment.ofArray(new byte[8]);
    assertEquals(2, file.read(target, 4));
    assertEquals(0, file.read(target, 6));
    assertEquals(List.of("a"), storage.list());
  }

  @Test
  void aCrashLosesOrKeepsEachUnsyncedSectorOnItsOwn() throws IOException {
    StorageFile file = durable("a", new byte[4 * SECTOR]);
    byte[] ones = new byte[4 * SECTOR];
    Arrays.fill(ones, (byte) 1);
    file.write(MemorySegment.ofArray(ones), 0);

    Set<String> seen = new HashSet<>();
    for (int i = 0; i < CRASHES; i++) {
      byte[] left = storage.crash(random).bytes("a");
      StringBuilder sectors = new StringBuilder();
      for (int at = 0; at < left.length; at += SECTOR) {
        byte first = left[at];
        for (int j = 0; j < SECTOR; j++) {
          assertEquals(first, left[at + j], () -> "a sector is whole: " + seed);
        }
        sectors.append(first);
      }
      seen.add(sectors.toString());
    }

    assertTrue(seen.contains("0000") && seen.contains("1111"), () -> seen + " " + seed);
    assertTrue(seen.contains("0101") || seen.contains("1010"), () -> seen + " " + seed);
    assertArrayEquals(new byte[4 * SECTOR], storage.crash().bytes("a"));
  }

  @Test
  void aCrashMayLeaveAnyVersionOfASectorSinceItsSync() throws IOException {
    StorageFile file = durable("a", bytes("0"));
    write(file, 0, "1");
    write(file, 0, "2");

    Set<String> seen = new HashSet<>();
    for (int i = 0; i < CRASHES; i++) {
      seen.add(text(storage.crash(random).bytes("a")));
    }

    assertEquals(Set.of("0", "1", "2"), seen, seed::toString);
  }

  @Test
  void aCrashMayLeaveAFileShortOrFilledWithZeros() throws IOException {
    StorageFile file = durable("a", bytes("0"));
    write(file, 1, "1");

    Set<String> seen = new HashSet<>();
    for (int i = 0; i < CRASHES; i++) {
      seen.add(text(storage.crash(random).bytes("a")));
    }

    assertEquals(Set.of("0", "01", "0\0"), seen, seed::toString);
  }

  @Test
  void syncedBytesSurviveEveryCrash() throws IOException {
    StorageFile file = durable("a", bytes("0"));
    byte[] expected = new byte[3 * SECTOR];
    for (int round = 0; round < CRASHES; round++) {
      int at = random.nextInt(expected.length);
      byte[] some = new byte[1 + random.nextInt(expected.length - at)];
      random.nextBytes(some);
      System.arraycopy(some, 0, expected, at, some.length);
      file.write(MemorySegment.ofArray(some), at);
      if (random.nextBoolean()) {
        file.write(MemorySegment.ofArray(expected), 0);
        file.sync();
        assertArrayEquals(expected, storage.crash().bytes("a"), seed::toString);
        assertArrayEquals(expected, storage.crash(random).bytes("a"), seed::toString);
      }
    }
  }

  @Test
  void aSyncCoversItsOwnFileOnly() throws IOException {
    StorageFile a = durable("a", bytes("0"));
    StorageFile b = durable("b", bytes("0"));
    write(a, 0, "1");
    write(b, 0, "1");
    b.sync();

    assertEquals("0", text(storage.crash().bytes("a")));
    assertEquals("1", text(storage.crash().bytes("b")));
  }

  @Test
  void aNewNameIsDurableOnlyAfterTheDirectorysSync() throws IOException {
    StorageFile file = storage.create("a");
    write(file, 0, "x");
    file.sync();

    assertEquals(List.of(), storage.crash().files());
    storage.syncDirectory();
    assertEquals("x", text(storage.crash().bytes("a")));
  }

  @Test
  void aCrashKeepsOrLosesEachDirectoryChangeAsAWhole() throws IOException {
    durable("a", bytes("a")).close();
    durable("b", bytes("b")).close();
    storage.rename("a", "c");
    storage.delete("b");

    Set<List<String>> seen = new HashSet<>();
    for (CrashStorage left : storage.crashes(4, random)) {
      seen.add(left.files());
      assertEquals("a", text(left.bytes(left.files().contains("a") ? "a" : "c")));
    }

    assertEquals(Set.of(List.of("a", "b"), List.of("b", "c"), List.of("a"), List.of("c")), seen);
    for (int i = 0; i < CRASHES; i++) {
      assertTrue(seen.contains(storage.crash(random).files()), seed::toString);
    }
    storage.syncDirectory();
    assertEquals(List.of("c"), storage.crash().files());
  }

  @Test
  void noChangeOfANameSurvivesWithoutThoseBeforeIt() throws IOException {
    durable("a", bytes("a")).close();
    storage.create("b");
    storage.rename("b", "c");
    storage.delete("c");
    storage.rename("a", "c");

    Set<List<String>> seen = new HashSet<>();
    storage.crashes(16, random).forEach(left -> seen.add(left.files()));

    assertEquals(Set.of(List.of("a"), List.of("a", "b"), List.of("a", "c"), List.of("c")), seen);
  }

  @Test
  void whatACrashMayLeaveIsEnumeratedWhereItIsLittle() throws IOException {
    StorageFile file = durable("a", new byte[2 * SECTOR]);
    for (int n = 1; n <= 2; n++) {
      byte[] twice = new byte[2 * SECTOR];
      Arrays.fill(twice, (byte) n);
      file.write(MemorySegment.ofArray(twice), 0);
    }

    Set<String> seen = new HashSet<>();
    for (CrashStorage left : storage.crashes(9, random)) {
      byte[] bytes = left.bytes("a");
      seen.add(bytes[0] + " " + bytes[SECTOR]);
    }
    assertEquals(Set.of("0 0", "0 1", "0 2", "1 0", "1 1", "1 2", "2 0", "2 1", "2 2"), seen);
    assertEquals(8, storage.crashes(8, random).size(), "as many as are allowed, by chance");

    file.sync();
    assertEquals(1, storage.crashes(9, random).size());
  }

  @Test
  void aDirectorySyncCoversOnlyWhatHadHappenedWhenItBegan() throws Exception {
    durable("a", bytes("a")).close();
    storage.rename("a", "b");
    try (Gate gate = storage.faults().pause(StorageOp.SYNC_DIRECTORY)) {
      Thread syncer = Thread.ofVirtual().start(() -> assertWorks(storage::syncDirectory));
      gate.awaitEntered();
      storage.rename("b", "c");
      gate.release();
      syncer.join();
    }

    assertEquals(List.of("b"), storage.crash().files());
    assertEquals(List.of("c"), storage.files());
  }

  @Test
  void aPausedSyncCoversOnlyWhatHadBeenWrittenBeforeIt() throws Exception {
    StorageFile file = durable("a", bytes("000"));
    write(file, 0, "1");
    try (Gate gate = storage.faults().pause(StorageOp.SYNC)) {
      Thread syncer = Thread.ofVirtual().start(() -> assertWorks(file::sync));
      gate.awaitEntered();
      assertEquals("000", text(storage.crash().bytes("a")));
      write(file, 1, "1");
      write(file, 3, "1");
      gate.release();
      syncer.join();
    }

    assertEquals("100", text(storage.crash().bytes("a")));
    assertEquals("11" + "01", text(storage.bytes("a")));
  }

  @Test
  void anOpenHandleOutlivesRenameAndDelete() throws IOException {
    StorageFile file = durable("a", bytes("x"));
    storage.rename("a", "b");
    write(file, 0, "y");
    assertEquals("y", text(storage.bytes("b")));
    storage.delete("b");

    MemorySegment target = MemorySegment.ofArray(new byte[1]);
    assertEquals(1, file.read(target, 0));
    assertEquals('y', target.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)[0]);
  }

  @Test
  void theDeathOfTheProcessLosesNothingButLeavesItInDoubt() throws IOException {
    StorageFile file = durable("a", bytes("0"));
    write(file, 0, "1");
    storage.rename("a", "b");
    CrashStorage copy = storage.copy();
    write(file, 0, "2");

    assertEquals("1", text(copy.bytes("b")));
    assertEquals(List.of("a"), copy.crash().files());
    assertEquals("0", text(copy.crash().bytes("a")));
    copy.open("b").sync();
    copy.syncDirectory();
    assertEquals("1", text(copy.crash().bytes("b")));
    assertEquals("0", text(storage.crash().bytes("a")), "the copy is another storage");
  }

  @Test
  void aCrashedStorageIsAnotherStorage() throws IOException {
    StorageFile file = durable("a", bytes("0"));
    CrashStorage left = storage.crash();
    write(file, 0, "1");
    file.sync();

    assertEquals("0", text(left.bytes("a")));
    assertEquals("0", text(left.crash().bytes("a")));
  }

  @Test
  void namesMustExistOrBeFree() throws IOException {
    durable("a", bytes("a")).close();
    durable("b", bytes("b")).close();

    assertThrows(FileAlreadyExistsException.class, () -> storage.create("a"));
    assertThrows(FileAlreadyExistsException.class, () -> storage.rename("a", "b"));
    assertThrows(NoSuchFileException.class, () -> storage.open("c"));
    assertThrows(NoSuchFileException.class, () -> storage.rename("c", "d"));
    assertThrows(NoSuchFileException.class, () -> storage.delete("c"));
  }

  @Test
  void aDirectoryHasOneOwner() throws IOException {
    Storage.Ownership first = storage.lock();
    assertThrows(StorageLockedException.class, storage::lock);
    first.close();
    Storage.Ownership second = storage.lock();
    first.close();

    assertThrows(StorageLockedException.class, storage::lock, "a late close frees nothing");
    second.close();
    storage.lock().close();
  }

  @Test
  void theDiskEditorChangesWhatIsDurable() throws IOException {
    StorageFile file = durable("a", bytes("abc"));
    write(file, 0, "x");
    storage.rename("a", "b");
    var before = storage.image();
    storage.flipBit("b", 2, 0);
    assertFalse(before.equals(storage.image()));
    storage.flipBit("b", 2, 0);
    assertEquals(before, storage.image());
    storage.cut("b", 2);
    storage.overwrite("b", 1, bytes("yz"));
    assertEquals("xyz", text(storage.bytes("b")));
    storage.put("new", bytes("n"));

    for (int i = 0; i < CRASHES; i++) {
      CrashStorage left = storage.crash(random);
      assertEquals("xyz", text(left.bytes("b")), seed::toString);
      assertEquals("n", text(left.bytes("new")), seed::toString);
    }
    storage.remove("b");
    assertEquals(List.of("a", "new"), storage.crash().files());
  }

  private StorageFile durable(String name, byte[] bytes) throws IOException {
    StorageFile file = storage.create(name);
    file.write(MemorySegment.ofArray(bytes), 0);
    file.sync();
    storage.syncDirectory();
    return file;
  }

  private static void write(StorageFile file, long offset, String text) throws IOException {
    file.write(MemorySegment.ofArray(bytes(text)), offset);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private interface Action {
    void run() throws IOException;
  }

  private static void assertWorks(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
