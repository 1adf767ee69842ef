package dev.tidemark.log.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CrashStorageFaultTest {
  private final CrashStorage storage = new CrashStorage();

  @Test
  void aFaultOnceHitsTheNthOperationAndNoOther() throws IOException {
    StorageFile file = storage.create("a");
    storage.faults().failOnce(StorageOp.WRITE, 2);

    write(file, 0, "1");
    var fault = assertThrows(InjectedFaultException.class, () -> write(file, 1, "2"));
    write(file, 2, "3");

    assertEquals(StorageOp.WRITE, fault.op());
    assertEquals("1\0003", text("a"));
  }

  @Test
  void aFaultFromTheNthOnLastsUntilItIsCleared() throws IOException {
    StorageFile file = storage.create("a");
    write(file, 0, "1");
    storage.faults().failFrom(StorageOp.READ, 2);
    MemorySegment target = MemorySegment.ofArray(new byte[1]);

    assertEquals(1, file.read(target, 0));
    for (int i = 0; i < 3; i++) {
      assertThrows(InjectedFaultException.class, () -> file.read(target, 0));
    }
    storage.faults().clear();
    assertEquals(1, file.read(target, 0));
  }

  @Test
  void aTornWriteLeavesItsFirstBytes() throws IOException {
    StorageFile file = storage.create("a");
    storage.faults().tearOnce(1, 2);

    assertThrows(InjectedFaultException.class, () -> write(file, 0, "abc"));

    assertEquals("ab", text("a"));
  }

  @Test
  void anErrorSaysWhatTheSystemSays() throws IOException {
    StorageFile file = storage.create("a");
    storage.faults().tearOnce(1, 2, FaultKind.NO_SPACE);
    storage.faults().failOnce(StorageOp.SYNC, 1);

    var full = assertThrows(InjectedFaultException.class, () -> write(file, 0, "abc"));
    assertEquals(FaultKind.NO_SPACE, full.kind());
    assertTrue(String.valueOf(full.getMessage()).endsWith("No space left on device"));
    assertEquals("ab", text("a"));
    var broken = assertThrows(InjectedFaultException.class, file::sync);
    assertEquals(FaultKind.IO_ERROR, broken.kind());
    assertTrue(String.valueOf(broken.getMessage()).endsWith("Input/output error"));
  }

  @Test
  void aSlowOperationTakesItsTimeAndThenWorks() throws IOException {
    StorageFile file = storage.create("a");
    write(file, 0, "1");
    storage.syncDirectory();
    storage.faults().slowOnce(StorageOp.SYNC, 1, Duration.ofMillis(5));

    long begin = System.nanoTime();
    file.sync();

    assertTrue(System.nanoTime() - begin >= 5_000_000);
    assertEquals("1", new String(storage.crash().bytes("a"), UTF_8));
  }

  @Test
  void everyDirectoryOperationCanFailAndThenChangesNothing() throws IOException {
    storage.create("a").close();
    storage.syncDirectory();
    for (StorageOp op :
        List.of(
            StorageOp.LIST,
            StorageOp.OPEN,
            StorageOp.CREATE,
            StorageOp.RENAME,
            StorageOp.DELETE,
            StorageOp.LOCK)) {
      storage.faults().failOnce(op, 1);
    }

    assertThrows(InjectedFaultException.class, storage::list);
    assertThrows(InjectedFaultException.class, () -> storage.open("a"));
    assertThrows(InjectedFaultException.class, () -> storage.create("b"));
    assertThrows(InjectedFaultException.class, () -> storage.rename("a", "b"));
    assertThrows(InjectedFaultException.class, () -> storage.delete("a"));
    assertThrows(InjectedFaultException.class, storage::lock);
    assertEquals(List.of("a"), storage.list());

    storage.rename("a", "b");
    storage.faults().failOnce(StorageOp.SYNC_DIRECTORY, 1);
    assertThrows(InjectedFaultException.class, storage::syncDirectory);
    assertEquals(List.of("a"), storage.crash().files());
  }

  @Test
  void aSyncThatSucceedsAfterOneThatFailedProvesNothing() throws IOException {
    StorageFile file = storage.create("a");
    write(file, 0, "0");
    file.sync();
    storage.syncDirectory();
    write(file, 0, "1");
    storage.faults().failOnce(StorageOp.SYNC, 1);
    assertThrows(InjectedFaultException.class, file::sync);

    file.sync();
    assertEquals("0", new String(storage.crash().bytes("a"), UTF_8));

    write(file, 0, "2");
    file.sync();
    assertEquals("2", new String(storage.crash().bytes("a"), UTF_8), "written again, then synced");
  }

  @Test
  void operationsAreCountedInTotalAndPerFileThoseThatFailToo() throws IOException {
    StorageFile a = storage.create("a");
    StorageFile b = storage.create("b");
    write(a, 0, "1");
    write(b, 0, "1");
    storage.faults().failOnce(StorageOp.WRITE, 1);
    assertThrows(InjectedFaultException.class, () -> write(b, 0, "1"));
    b.sync();
    b.size();
    storage.syncDirectory();

    assertEquals(3, storage.counts().of(StorageOp.WRITE));
    assertEquals(2, storage.counts().of(StorageOp.WRITE, "b"));
    assertEquals(0, storage.counts().of(StorageOp.SYNC, "a"));
    assertEquals(1, storage.counts().of(StorageOp.SYNC, "b"));
    assertEquals(1, storage.counts().of(StorageOp.SIZE));
    assertEquals(1, storage.counts().of(StorageOp.SYNC_DIRECTORY));
    storage.counts().reset();
    assertEquals(0, storage.counts().of(StorageOp.WRITE));
  }

  @Test
  void aClosedHandleRefuses() throws IOException {
    StorageFile file = storage.create("a");
    file.close();
    file.close();

    assertThrows(ClosedChannelException.class, () -> write(file, 0, "1"));
    assertThrows(ClosedChannelException.class, file::sync);
    assertThrows(ClosedChannelException.class, file::size);
  }

  @Test
  void anInterruptIsHarmlessByDefault() throws IOException {
    StorageFile file = storage.create("a");
    Thread.currentThread().interrupt();
    write(file, 0, "1");
    file.sync();

    assertTrue(Thread.interrupted(), "the status is kept");
    assertEquals("1", text("a"));
  }

  @Test
  void anInterruptedCallerClosesAnInterruptibleFileForAll() throws IOException {
    CrashStorage interruptible = CrashStorage.interruptible();
    assertFalse(interruptible.interruptSafe());
    assertFalse(interruptible.crash().interruptSafe());
    StorageFile file = interruptible.create("a");
    Thread.currentThread().interrupt();

    assertThrows(ClosedByInterruptException.class, () -> write(file, 0, "1"));
    assertTrue(Thread.interrupted(), "the status is kept");
    assertThrows(ClosedChannelException.class, () -> write(file, 0, "1"));
    write(interruptible.open("a"), 0, "1");
  }

  @Test
  void anInterruptEndsAPausedSyncOfAnInterruptibleFile() throws Exception {
    CrashStorage interruptible = CrashStorage.interruptible();
    StorageFile file = interruptible.create("a");
    AtomicReference<Throwable> first = new AtomicReference<>();
    AtomicReference<Throwable> second = new AtomicReference<>();
    try (Gate gate = interruptible.faults().pause(StorageOp.SYNC)) {
      Thread one = Thread.ofVirtual().start(() -> syncInto(file, first));
      gate.awaitEntered();
      Thread two = Thread.ofVirtual().start(() -> syncInto(file, second));
      while (gate.waiting() < 2) {
        Thread.onSpinWait();
      }
      one.interrupt();
      one.join();
      gate.release();
      two.join();
    }

    assertInstanceOf(ClosedByInterruptException.class, first.get());
    assertInstanceOf(AsynchronousCloseException.class, second.get());
  }

  private static void syncInto(StorageFile file, AtomicReference<Throwable> failure) {
    try {
      file.sync();
    } catch (IOException e) {
      failure.set(e);
    }
  }

  private static void write(StorageFile file, long offset, String text) throws IOException {
    file.write(MemorySegment.ofArray(text.getBytes(UTF_8)), offset);
  }

  private String text(String name) {
    return new String(storage.bytes(name), UTF_8);
  }
}
