package dev.tidemark.log.testkit;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import dev.tidemark.log.spi.StorageLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/// Storage in memory that knows what a power failure would leave of it.
///
/// - Bytes: a write changes what readers see. It is durable once a sync of the file that began
///   after it has returned. Until then a crash leaves, for each 512-byte sector, the durable
///   content or the one after any of the writes since.
/// - Directory: create, rename, replace and delete are seen at once and durable once
///   [#syncDirectory] has returned. Of those that are not, a crash leaves any, each whole, but none
///   without those before it that touched the same name. Syncing a file does not make its name
///   durable.
/// - [#crash(RandomGenerator)], [#crash()] and [#crashes] answer another storage, with what a power
///   failure left; [#copy] one with what the death of the process leaves, which is all that was
///   written, durable or not. The storage itself goes on as if nothing had happened, for the
///   threads that still use it.
///
/// [#faults] makes operations fail or wait, [#counts] counts them. Methods that take or give raw
/// bytes ([#put], [#flipBit], [#bytes], ...) stand for somebody with a disk editor: they are not
/// counted, do not fail by plan, and what they change is durable at once.
///
/// Any number of threads. Files up to 1 GiB.
public final class CrashStorage implements Storage {
  private final Interrupts interrupts;
  private final FaultPlan faults = new FaultPlan();
  private final StorageCounts counts = new StorageCounts();

  /// Guarded by this, as are the files.
  private final CrashDirectory directory;

  private volatile Watcher watcher = (op, file) -> {};

  /// The number of the hold on the directory, 0 if nobody holds it; guarded by this.
  private long owner;

  private long lastOwner;

  /// Whether the files are a copy's; guarded by this.
  private boolean copied;

  /// Guarded by this.
  private int openHandles;

  /// Is told of each operation before it takes effect, on the thread that makes it.
  interface Watcher {
    void before(StorageOp op, String file);
  }

  private enum Interrupts {
    HARMLESS,
    CLOSE_FILES
  }

  /// An empty storage, on which an interrupt has no effect.
  public CrashStorage() {
    this(Interrupts.HARMLESS, new CrashDirectory(Map.of()));
  }

  private CrashStorage(Interrupts interrupts, CrashDirectory directory) {
    this.interrupts = interrupts;
    this.directory = directory;
  }

  /// An empty storage that is not [#interruptSafe]: as with `FileChannel`, a write or sync by an
  /// interrupted thread closes the file for all who share the handle, and fails. Reads are safe.
  public static CrashStorage interruptible() {
    return new CrashStorage(Interrupts.CLOSE_FILES, new CrashDirectory(Map.of()));
  }

  // Storage

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public boolean interruptSafe() {
    return interrupts == Interrupts.HARMLESS;
  }

  @Override
  public synchronized boolean copied() {
    return copied;
  }

  @Override
  public List<String> list() throws IOException {
    enter(StorageOp.LIST, StorageCounts.NO_FILE);
    // Newest names first: whoever relies on an order finds out.
    synchronized (this) {
      return directory.live().keySet().stream().sorted(Comparator.reverseOrder()).toList();
    }
  }

  @Override
  public StorageFile open(String name) throws IOException {
    enter(StorageOp.OPEN, name);
    synchronized (this) {
      return handle(name, directory.existing(name));
    }
  }

  @Override
  public StorageFile create(String name) throws IOException {
    enter(StorageOp.CREATE, name);
    synchronized (this) {
      CrashFile file = new CrashFile();
      directory.create(name, file);
      return handle(name, file);
    }
  }

  private CrashHandle handle(String name, CrashFile file) {
    openHandles++;
    return new CrashHandle(this, name, file);
  }

  synchronized void closed() {
    openHandles--;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    enter(StorageOp.RENAME, from);
    synchronized (this) {
      directory.rename(from, to);
    }
  }

  @Override
  public void replace(String from, String to) throws IOException {
    enter(StorageOp.REPLACE, from);
    synchronized (this) {
      directory.renameOver(from, to);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    enter(StorageOp.DELETE, name);
    synchronized (this) {
      directory.delete(name);
    }
  }

  @Override
  public void syncDirectory() throws IOException {
    long covered;
    synchronized (this) {
      covered = directory.beginSync();
    }
    enter(StorageOp.SYNC_DIRECTORY, StorageCounts.NO_FILE);
    synchronized (this) {
      directory.endSync(covered);
    }
  }

  @Override
  public Ownership lock() throws IOException {
    enter(StorageOp.LOCK, StorageCounts.NO_FILE);
    synchronized (this) {
      if (owner != 0) {
        throw new StorageLockedException(name() + " has an owner");
      }
      long mine = ++lastOwner;
      owner = mine;
      return new Hold(mine);
    }
  }

  /// The hold of an owner, by its number.
  private final class Hold implements Ownership {
    private final long mine;

    Hold(long mine) {
      this.mine = mine;
    }

    @Override
    public boolean copied() {
      return CrashStorage.this.copied();
    }

    @Override
    public void adopt() throws IOException {
      if (copied()) {
        enter(StorageOp.ADOPT, StorageCounts.NO_FILE);
        synchronized (CrashStorage.this) {
          copied = false;
        }
      }
    }

    @Override
    public void close() {
      unlock(mine);
    }
  }

  private synchronized void unlock(long mine) {
    if (owner == mine) {
      owner = 0;
    }
  }

  // Faults and counts

  /// What shall go wrong.
  public FaultPlan faults() {
    return faults;
  }

  /// What was done.
  public StorageCounts counts() {
    return counts;
  }

  /// How many files were opened or created and not closed: 0 when everybody has cleaned up.
  public synchronized int openHandles() {
    return openHandles;
  }

  /// Counts an operation, holds it at the gates, and throws what the plan has for it.
  void enter(StorageOp op, String file) throws IOException {
    counts.add(op, file);
    watcher.before(op, file);
    InjectedFaultException fault = faults.draw(op, file);
    pass(faults.delay(op));
    boolean interrupted = false;
    for (Gate gate : faults.gates(op)) {
      boolean passed = false;
      while (!passed) {
        try {
          gate.pass();
          passed = true;
        } catch (InterruptedException e) {
          interrupted = true;
          // A file that closes on interrupts must wake its caller; all else waits on.
          passed = !interruptSafe();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (fault != null) {
      throw fault;
    }
  }

  private static void pass(Duration time) {
    if (time.isPositive()) {
      long end = System.nanoTime() + time.toNanos();
      for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  /// Tells the watcher, and no other, of every operation from now on.
  void watch(Watcher who) {
    watcher = who;
  }

  // Ends

  /// What a power failure may leave: the durable bytes and a random part of the others.
  public synchronized CrashStorage crash(RandomGenerator random) {
    return crash(Fate.random(random));
  }

  /// What a power failure leaves at the least: nothing but what is durable.
  public synchronized CrashStorage crash() {
    return crash(Fate.worst());
  }

  /// What a power failure may leave: everything there is if that is `max` or fewer, else the least
  /// and as many random ones as `max` allows. The same may be there twice.
  public synchronized List<CrashStorage> crashes(int max, RandomGenerator random) {
    List<CrashStorage> left = new ArrayList<>();
    if (directory.fates() <= max) {
      Fate.Each each = new Fate.Each();
      do {
        left.add(crash(each));
      } while (each.advance());
    } else {
      left.add(crash(Fate.worst()));
      while (left.size() < max) {
        left.add(crash(Fate.random(random)));
      }
    }
    return left;
  }

  private CrashStorage crash(Fate fate) {
    Map<String, CrashFile> left = new TreeMap<>();
    fate.nextFile();
    directory
        .afterCrash(fate)
        .forEach((name, file) -> left.put(name, CrashFile.ofDurable(file.afterCrash(fate))));
    return successor(new CrashDirectory(left));
  }

  private CrashStorage successor(CrashDirectory files) {
    CrashStorage successor = new CrashStorage(interrupts, files);
    successor.copied = copied;
    return successor;
  }

  /// How many different things a crash may leave, at the most.
  synchronized double fates() {
    return directory.fates();
  }

  /// What the death of the process leaves: everything written, as durable as it was. Without owner,
  /// faults or counts.
  public synchronized CrashStorage copy() {
    return successor(directory.copy());
  }

  // The disk editor

  /// The files and their live bytes, read-only. Two images are equal if all names and bytes are.
  public synchronized SortedMap<String, ByteBuffer> image() {
    SortedMap<String, ByteBuffer> image = new TreeMap<>();
    directory
        .live()
        .forEach((name, file) -> image.put(name, ByteBuffer.wrap(file.bytes()).asReadOnlyBuffer()));
    return image;
  }

  /// The names of all files, sorted.
  public synchronized List<String> files() {
    return List.copyOf(directory.live().keySet());
  }

  /// A copy of a file's live bytes.
  ///
  /// @throws IllegalArgumentException if there is no such file, as for all methods below
  public synchronized byte[] bytes(String name) {
    return known(name).bytes();
  }

  /// Makes the file hold exactly these bytes; it is created if need be. Handles that are open on
  /// the file keep the old one.
  public synchronized void put(String name, byte[] bytes) {
    CrashFile file = CrashFile.ofDurable(bytes);
    directory.replace(name, file);
  }

  /// Takes the file away.
  public synchronized void remove(String name) {
    known(name);
    directory.replace(name, null);
  }

  /// Inverts one bit.
  ///
  /// @param offset of its byte, from the start of the file
  /// @param bit 0 to 7, 0 being the lowest
  public synchronized void flipBit(String name, int offset, int bit) {
    byte[] bytes = bytes(name);
    bytes[Objects.checkIndex(offset, bytes.length)] ^= (byte) (1 << Objects.checkIndex(bit, 8));
    put(name, bytes);
  }

  /// Overwrites bytes from `offset` on; the file grows if need be.
  public synchronized void overwrite(String name, int offset, byte[] with) {
    byte[] old = bytes(name);
    byte[] bytes = Arrays.copyOf(old, Math.max(old.length, offset + with.length));
    System.arraycopy(with, 0, bytes, offset, with.length);
    put(name, bytes);
  }

  /// Cuts the file off after `size` bytes.
  public synchronized void cut(String name, int size) {
    byte[] bytes = bytes(name);
    put(name, Arrays.copyOf(bytes, Objects.checkIndex(size, bytes.length + 1)));
  }

  /// Has the next owner find evidence that the files were copied here from elsewhere.
  public synchronized void markCopied() {
    copied = true;
  }

  private CrashFile known(String name) {
    CrashFile file = directory.live().get(name);
    if (file == null) {
      throw new IllegalArgumentException(
          "no file " + name + "; there are " + directory.live().keySet());
    }
    return file;
  }
}
