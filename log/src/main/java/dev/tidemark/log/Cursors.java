package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The log's cursors, and the trims, which they hold back.
///
/// One lock makes a trim and a change of the cursors exclude each other, so that what a new cursor
/// needs is not being deleted. It is held while the file is synced; no append and no read takes it.
/// `marks` holds what is durable, and is replaced as a whole.
///
/// A failed write or sync leaves the file in doubt. It is not written any more until the log is
/// opened again, which reads it; the marks stay as they were, and trims keep below these and below
/// those that may be on disk instead.
final class Cursors {
  static final int CURSORS_MAX = 256;
  static final int NAME_BYTES_MAX = 100;

  private final Storage storage;
  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final long lagMax;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile SortedMap<String, Long> marks;
  private volatile @Nullable CursorFile file;
  private @Nullable Throwable failure;

  /// What may be on disk instead of `marks`.
  private volatile SortedMap<String, Long> doubtful = Collections.emptySortedMap();

  private boolean closed;

  /// @param found in the directory before anything was changed in it
  Cursors(
      Storage storage,
      SegmentDirectory directory,
      DurablePoint durable,
      LogOptions options,
      CursorFile.Content found)
      throws IOException {
    this.storage = storage;
    this.directory = directory;
    this.durable = durable;
    this.lagMax = options.cursorLagMax();
    this.marks = Collections.unmodifiableSortedMap(found.marks());
    if (found.generation() > 0) {
      onSafeThread(() -> this.file = CursorFile.reopen(storage, found));
      try {
        endAt(durable.lsn());
      } catch (IOException | RuntimeException e) {
        close();
        throw e;
      }
    }
  }

  /// Takes cursors back that stand behind the end of the log, durably: the directory is a copy, or
  /// was restored or truncated, and the records to come are not those that had been consumed. To be
  /// called once the log ends there, and before it accepts a record.
  void endAt(long lastLsn) throws IOException {
    lock.lock();
    try {
      SortedMap<String, Long> clamped = new TreeMap<>(marks);
      clamped.replaceAll((name, lsn) -> Math.min(lsn, lastLsn + 1));
      CursorFile present = file;
      if (present != null && !clamped.equals(marks)) {
        throwIfFailed();
        System.getLogger(Cursors.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "cursors of the log in {0} stood behind its end, LSN {1}, and are taken back to it:"
                    + " they were {2}",
                storage.name(),
                lastLsn,
                marks);
        try {
          onSafeThread(() -> present.storeTwice(clamped));
        } catch (IOException | RuntimeException | Error e) {
          failure = e;
          throw e;
        }
        marks = Collections.unmodifiableSortedMap(clamped);
      }
    } finally {
      lock.unlock();
    }
  }

  /// See [Log#cursor].
  Cursor open(String name) {
    check(name);
    lock.lock();
    try {
      throwIfClosed();
      if (!marks.containsKey(name)) {
        if (marks.size() == CURSORS_MAX) {
          throw new InvalidRecordException(
              "the log in %s has %d cursors already, the most there can be: remove one"
                  .formatted(storage.name(), CURSORS_MAX));
        }
        SortedMap<String, Long> more = new TreeMap<>(marks);
        more.put(name, firstLsn());
        CursorFile present = file;
        if (present == null) {
          CursorFile made = prepare(more);
          file = made;
          change(more, () -> made.publish(storage));
        } else {
          change(more, () -> present.storeTwice(more));
        }
      }
      return new Cursor(this, name);
    } finally {
      lock.unlock();
    }
  }

  private static void check(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    // What is no text would come back as another name.
    if (bytes == 0
        || bytes > NAME_BYTES_MAX
        || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new InvalidRecordException(
          "a cursor's name has 1 to %d bytes of UTF-8, and this has %d: \"%s\""
              .formatted(NAME_BYTES_MAX, bytes, name));
    }
  }

  /// A failure here leaves nothing in doubt: the file is nobody's yet.
  private CursorFile prepare(SortedMap<String, Long> first) {
    throwIfFailed();
    List<CursorFile> made = new ArrayList<>();
    try {
      onSafeThread(() -> made.add(CursorFile.prepare(storage, first)));
      return made.getFirst();
    } catch (IOException e) {
      throw new LogIoException(
          "the file for the cursors of the log in " + storage.name() + " could not be made", e);
    }
  }

  /// See [Log#removeCursor].
  boolean remove(String name) {
    lock.lock();
    try {
      throwIfClosed();
      CursorFile present = file;
      if (present == null || !marks.containsKey(name)) {
        return false;
      }
      SortedMap<String, Long> fewer = new TreeMap<>(marks);
      fewer.remove(name);
      change(fewer, () -> present.storeTwice(fewer));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// See [Cursor#lsn].
  long mark(String name) {
    Long mark = marks.get(name);
    if (mark == null) {
      throw new InvalidRecordException(
          "the log in %s has no cursor \"%s\" any more".formatted(storage.name(), name));
    }
    return mark;
  }

  /// See [Cursor#advance].
  void advance(String name, long lsn) {
    lock.lock();
    try {
      throwIfClosed();
      long now = mark(name);
      if (lsn < now || lsn > durable.lsn() + 1) {
        throw new InvalidRecordException(
            "the cursor \"%s\" cannot advance to LSN %d: it stands at %d, and the last durable record is %d"
                .formatted(name, lsn, now, durable.lsn()));
      }
      CursorFile present = file;
      if (lsn > now && present != null) {
        SortedMap<String, Long> moved = new TreeMap<>(marks);
        moved.put(name, lsn);
        change(moved, () -> present.store(moved));
      }
    } finally {
      lock.unlock();
    }
  }

  /// Makes these the marks once the write has returned.
  private void change(SortedMap<String, Long> next, DiskAction write) {
    throwIfFailed();
    try {
      onSafeThread(write);
      marks = Collections.unmodifiableSortedMap(next);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      doubtful = Collections.unmodifiableSortedMap(next);
      throwIfFailed();
    }
  }

  private void throwIfFailed() {
    Throwable cause = failure;
    if (cause != null) {
      throw new LogFailedException(
          "the cursors of the log in %s cannot be changed any more: writing %s failed: %s; the marks that were durable hold, the last change may or may not be on disk, and the log itself goes on: close it and open it again"
              .formatted(storage.name(), CursorFile.NAME, cause),
          cause,
          durable.lsn(),
          durable.lsn());
    }
  }

  private interface DiskAction {
    void run() throws IOException;
  }

  /// Runs what writes where no interrupt of the caller reaches it.
  private void onSafeThread(DiskAction action) throws IOException {
    if (storage.interruptSafe()) {
      action.run();
      return;
    }
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("tidemark-log-cursors")
        .daemon()
        .start(
            () -> {
              try {
                action.run();
                done.complete(null);
              } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            });
    try {
      done.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case Error error -> throw error;
        case null, default -> throw e;
      }
    }
  }

  /// See [Log#cursors].
  List<CursorStatus> list() {
    List<CursorStatus> list = new ArrayList<>();
    marks.forEach((name, lsn) -> list.add(status(name, lsn)));
    return list;
  }

  private CursorStatus status(String name, long lsn) {
    long bytes = 0;
    for (Segment segment : directory.segments()) {
      // The active one too: it is held whatever the cursor says.
      if (segment.lastLsn() >= lsn || segment == directory.active()) {
        bytes += segment.allocated();
      }
    }
    return new CursorStatus(
        name, lsn, Math.max(durable.lsn() + 1 - lsn, 0), bytes, Math.max(firstLsn() - lsn, 0));
  }

  private long firstLsn() {
    return directory.segments().getFirst().firstLsn();
  }

  /// Gives up the segments below `lsn` that no cursor holds.
  TrimResult trim(long lsn) throws IOException {
    lock.lock();
    try {
      throwIfClosed();
      return directory.trimBefore(Math.min(lsn, floor()));
    } finally {
      lock.unlock();
    }
  }

  /// The first LSN that is held. A lag is counted in whole files, from the end of the log.
  long floor() {
    long needed =
        Stream.of(marks, doubtful)
            .flatMap(held -> held.values().stream())
            .mapToLong(Long::longValue)
            .min()
            .orElse(Long.MAX_VALUE);
    return Math.max(needed, directory.firstLsnOfLast(lagMax));
  }

  /// How many handles it has open.
  int handles() {
    return file == null ? 0 : 1;
  }

  private void throwIfClosed() {
    if (closed) {
      throw new LogClosedException("the log in " + storage.name() + " was closed: open it again");
    }
  }

  /// Waits for the change or the trim that is under way; none comes after it.
  void close() {
    lock.lock();
    try {
      closed = true;
      CursorFile open = file;
      file = null;
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      // Nothing is lost: every mark that was acknowledged was synced.
      System.getLogger(Cursors.class.getName())
          .log(System.Logger.Level.WARNING, "closing " + CursorFile.NAME + " failed", e);
    } finally {
      lock.unlock();
    }
  }
}
