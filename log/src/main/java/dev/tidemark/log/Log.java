package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageLockedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A write-ahead log in one directory.
///
/// Records get dense LSNs from 1. A record is *accepted* when [#append] returns and *durable* when
/// [#awaitDurable] does: concurrent writers share one write and one sync. Only durable records are
/// ever read. Opening recovers: bytes of writes that were never acknowledged are dropped, damage to
/// acknowledged ones is an error that changes nothing.
///
/// Any number of threads, platform or virtual, may use a log; interrupting one harms no other. If a
/// write or sync fails the log accepts nothing more, and every caller is told
/// ([LogFailedException]) until it is closed and opened again.
///
/// ```
/// try (Log log = Log.open(Path.of("data"), LogOptions.defaults())) {
///   long lsn = log.write(bytes); // durable now
/// }
/// ```
public final class Log implements AutoCloseable {
  private final Storage storage;
  private final Storage.Ownership ownership;
  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final WindowFiller windows;
  private final Counters counters = new Counters();
  private final Followers followers = new Followers();
  private final Appender appender;
  private final SyncWatch watch;
  private final PointReader pointReader;
  private final Cursors cursors;
  private final Retention retention;
  private final RecoveryReport report;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;

  private Log(
      Storage storage,
      Storage.Ownership ownership,
      Arena arena,
      WindowFiller windows,
      LogOptions options,
      Recovery.Found found,
      CursorFile.Content marks)
      throws IOException {
    this.storage = storage;
    this.ownership = ownership;
    this.windows = windows;
    this.report = found.report();
    this.directory = new SegmentDirectory(storage, windows, found.segments());
    this.durable = new DurablePoint(report.lastLsn());
    Recovery.ActiveState active = found.active();
    try {
      if (active.sealed()) {
        // The crash came between the seal and the segment to follow.
        directory.add(report.lastLsn(), directory.active(), active.end(), active.timeMs());
        active = active.ofEmptySegment();
      }
      this.cursors = new Cursors(storage, directory, durable, options, marks);
    } catch (IOException | RuntimeException e) {
      directory.release();
      throw e;
    }
    this.watch = new SyncWatch(storage.name(), options.stallAfter(), this::pendingRecords);
    FrameCalls calls = new FrameCalls(counters, watch);
    Committer committer =
        new Committer(
            directory,
            durable,
            windows,
            options,
            counters,
            calls,
            followers.recent(),
            active,
            arena);
    this.appender = new Appender(committer, durable, options, storage.interruptSafe());
    this.pointReader = new PointReader(directory, arena, options.segmentBytesMax());
    this.retention = new Retention(storage.name(), directory, cursors, appender, options);
  }

  /// Opens the log in `directory`, which is created where it is missing, and recovers it.
  ///
  /// @throws LogLockedException if it has another owner
  /// @throws CorruptLogException if acknowledged records are damaged; nothing was changed
  /// @throws UnsupportedFormatException if a newer version wrote it; nothing was changed
  /// @throws LogIoException if the file system refused something
  public static Log open(Path directory, LogOptions options) {
    Storage storage;
    try {
      storage = FileStorage.at(directory);
    } catch (IOException e) {
      throw new LogIoException("the log's directory " + directory + " cannot be used", e);
    }
    return open(storage, options);
  }

  /// Opens the log on a storage of the caller's; otherwise as [#open(Path, LogOptions)].
  public static Log open(Storage storage, LogOptions options) {
    Storage.Ownership ownership;
    try {
      ownership = storage.lock();
    } catch (StorageLockedException e) {
      throw new LogLockedException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new LogIoException("the log in " + storage.name() + " cannot be locked", e);
    }
    // Readers may still be inside when the log closes: the memory goes with the last of them.
    Arena arena = Arena.ofAuto();
    LogEvents.Opening event = new LogEvents.Opening();
    event.begin();
    event.directory = storage.name();
    try {
      WindowFiller windows = new WindowFiller(options.windowBytes(), arena);
      // First: where these are damaged, nothing is changed.
      CursorFile.Content marks = CursorFile.read(storage);
      Recovery.Found found = Recovery.recover(storage, ownership, options, windows);
      Log log = new Log(storage, ownership, arena, windows, options, found, marks);
      log.appender.start();
      log.watch.start();
      log.retention.start();
      tell(event, found.report());
      return log;
    } catch (IOException e) {
      abandon(ownership, e);
      tell(event, e);
      throw new LogIoException("opening the log in " + storage.name() + " failed", e);
    } catch (RuntimeException | Error e) {
      abandon(ownership, e);
      tell(event, e);
      throw e;
    }
  }

  private static void tell(LogEvents.Opening event, RecoveryReport report) {
    event.result = report.getClass().getSimpleName();
    event.lastLsn = report.lastLsn();
    event.scannedRecords = report.scannedRecords();
    event.commit();
  }

  private static void tell(LogEvents.Opening event, Throwable failure) {
    event.result = failure.getClass().getSimpleName();
    event.commit();
  }

  private static void abandon(Storage.Ownership ownership, Throwable cause) {
    try {
      ownership.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /// Accepts a record and answers its LSN. It is not durable yet: [#awaitDurable] waits for that,
  /// and an idle log sees to it by itself within some milliseconds. Waits while too much is staged.
  ///
  /// @throws InvalidRecordException if it is too large; no LSN was assigned
  /// @throws LogFailedException if the log has failed
  /// @throws LogClosedException if the log is closed
  public long append(byte[] payload) {
    return appender.append(payload);
  }

  /// As [#append(byte[])], for the buffer's remaining bytes; its position stays.
  public long append(ByteBuffer payload) {
    return appender.append(payload);
  }

  /// As [#append(byte[])], for records that become durable together or not at all, with LSNs that
  /// follow each other. An empty batch is legal, takes no LSN, and is durable at once.
  public LsnRange appendBatch(List<byte[]> payloads) {
    return appender.append(payloads);
  }

  /// Waits until the record with this LSN, and so all before it, is durable.
  ///
  /// @throws LogFailedException if the log failed before; whether the record is on disk is unknown
  /// @throws LogInterruptedException if the thread is interrupted; the record stays accepted
  /// @throws InvalidRecordException if no such record was accepted
  public void awaitDurable(long lsn) {
    appender.awaitDurable(lsn);
  }

  /// Appends a record and waits until it is durable; answers its LSN.
  public long write(byte[] payload) {
    return appender.write(payload);
  }

  /// Appends a record; the stage completes with its LSN when it is durable, or with
  /// [LogFailedException]. What depends on the stage may run on the thread that commits, and must
  /// not block.
  public CompletionStage<Long> writeAsync(byte[] payload) {
    CompletableFuture<Long> stage = new CompletableFuture<>();
    appender.write(payload, stage);
    return stage.minimalCompletionStage();
  }

  /// Appends a batch and waits until it is durable.
  public LsnRange writeBatch(List<byte[]> payloads) {
    return appender.write(payloads);
  }

  /// Waits until all that was accepted before the call is durable; answers the last LSN of it.
  /// Costs nothing where nothing is pending.
  public long sync() {
    return appender.sync();
  }

  /// Reads the payload of one durable record, verified: a copy, the caller's to keep.
  ///
  /// @param position from [RecordView#position]
  /// @throws RecordNotFoundException if it was trimmed
  /// @throws CorruptLogException if no record begins there, or it is damaged
  /// @throws LogIoException if the file system could not give it
  public byte[] read(Position position) {
    throwIfClosed();
    return pointReader.read(position);
  }

  /// Lends the payload of one durable record, verified, to `use`, and answers what that makes of
  /// it. Where the log's files are mapped nothing is copied: meant for large records, as of small
  /// ones a copy ([#read]) is faster. No trim takes the bytes away before `use` returns; afterwards
  /// they must not be touched.
  ///
  /// @param position from [RecordView#position]
  /// @param use gets the payload, read-only; what it throws is thrown
  /// @throws RecordNotFoundException if it was trimmed
  /// @throws CorruptLogException if no record begins there, or it is damaged
  /// @throws LogIoException if the file system could not give it
  public <R extends @Nullable Object> R readView(
      Position position, Function<? super MemorySegment, ? extends R> use) {
    throwIfClosed();
    return pointReader.view(position, use);
  }

  /// The durable records from `fromLsn` to the durable LSN of now. Later trims do not touch it, and
  /// it may outlive the log.
  ///
  /// @throws RecordNotFoundException if `fromLsn` was trimmed, or is below 1
  public Replay replay(long fromLsn) {
    throwIfClosed();
    long lastLsn = durable.lsn();
    List<Segment> held = directory.retainFrom(fromLsn);
    // The log may have been truncated in between.
    return new Replay(held, fromLsn, Math.min(lastLsn, held.getLast().lastLsn()));
  }

  /// Durable records from `fromLsn` on, as they come.
  ///
  /// @throws RecordNotFoundException if `fromLsn` was trimmed, or is below 1
  /// @throws InvalidRecordException if it is more than one above the last LSN accepted
  public Tail tail(long fromLsn) {
    throwIfClosed();
    if (fromLsn > appendedLsn() + 1) {
      throw new InvalidRecordException(
          "a tail cannot begin at LSN %d: the last one is %d".formatted(fromLsn, appendedLsn()));
    }
    return followers.add(new Tail(directory, durable, appender, followers, fromLsn));
  }

  /// The cursor of that name. A new one is durable when this returns, and stands at the first LSN
  /// kept: it holds all that is there. It costs two syncs, one that is there nothing.
  ///
  /// @param name 1 to 100 bytes of UTF-8
  /// @throws InvalidRecordException if that is no name, or would be more than the 256th cursor
  /// @throws LogIoException if the cursors' file could not be made; trying again is safe
  /// @throws LogFailedException if the cursors cannot be changed any more, see [Cursor#advance]
  public Cursor cursor(String name) {
    return cursors.open(name);
  }

  /// Where all cursors stand, by name; not all of the same moment while they advance.
  public List<CursorStatus> cursors() {
    return cursors.list();
  }

  /// Takes a cursor away, durably when this returns: it holds nothing back any more. Answers
  /// whether there was one.
  ///
  /// @throws LogFailedException if the cursors cannot be changed any more, see [Cursor#advance]
  public boolean removeCursor(String name) {
    return cursors.remove(name);
  }

  /// Deletes the files that hold only durable records below `lsn` and below every cursor (see
  /// [LogOptions.Builder#cursorLagMax]). Where that is every record, the file being written is
  /// finished first, so that it can go as well.
  ///
  /// @throws LogIoException if a file could not be deleted; the others stay, and another trim goes
  ///   on
  public TrimResult trimBefore(long lsn) {
    throwIfClosed();
    try {
      Segment active = directory.active();
      if (Math.min(lsn, cursors.floor()) > durable.lsn() && active.hasRecords()) {
        appender.onCommitThread(Committer::rollIfUsed);
      }
      return cursors.trim(Math.min(lsn, durable.lsn() + 1));
    } catch (IOException e) {
      throw new LogIoException("trimming the log in " + storage.name() + " failed", e);
    }
  }

  /// Discards every record above `lsn`, so that the next one appended gets `lsn + 1`: for a replica
  /// whose leader has decided otherwise. When it returns they are gone for good, whatever comes.
  /// Any LSN may be the last: a batch is cut where it is told, for its records are as good as any
  /// others. What was accepted before the call is made durable first, and goes if it lies above;
  /// who appends meanwhile waits, and comes after it.
  ///
  /// A crash leaves a log without a gap that ends between `lsn` and where it ended: truncate again.
  ///
  /// Replays made before go on to the end they had. Tails go on if they have given no record above
  /// `lsn`; others, and callers who still wait for such a record, get [LogTruncatedException]. The
  /// position of a truncated record names no record, or another one that was written there since.
  /// Cursors beyond the new end are taken back to it.
  ///
  /// Copies the segment that holds `lsn`, so that there must be space for it.
  ///
  /// @param lsn of the last record to be kept; with the last one accepted nothing happens, and with
  ///   `firstLsn() - 1` the log is empty afterwards
  /// @throws InvalidRecordException if it is above the last LSN accepted; nothing was changed
  /// @throws RecordNotFoundException if it is below `firstLsn() - 1`; nothing was changed
  /// @throws CorruptLogException if what is to be kept beside it is damaged; nothing was changed
  /// @throws LogIoException if the file system refused something; nothing was changed
  /// @throws LogFailedException if it did so in the middle: opening the log again finds where it
  ///   ends
  public void truncateAfter(long lsn) {
    throwIfClosed();
    appender.truncate(new Truncation(storage, directory, durable, windows, cursors, lsn));
  }

  /// The first LSN kept; `durableLsn() + 1` when none is.
  public long firstLsn() {
    return directory.segments().getFirst().firstLsn();
  }

  /// The last LSN accepted, 0 before the first.
  public long appendedLsn() {
    return appender.appendedLsn();
  }

  /// The last durable LSN, 0 before the first.
  public long durableLsn() {
    return durable.lsn();
  }

  /// What opening found.
  public RecoveryReport recovery() {
    return report;
  }

  private long pendingRecords() {
    // In this order it is never below 0.
    long durableLsn = durable.lsn();
    return appender.appendedLsn() - durableLsn;
  }

  /// Counts and sizes; not all of the same moment while writes go on.
  public LogStats stats() {
    List<Segment> segments = directory.segments();
    List<Segment> open = directory.open();
    LogHistogram writes = counters.writeNanos().snapshot();
    LogHistogram syncs = counters.syncNanos().snapshot();
    return new LogStats(
        counters.records(),
        counters.payloadBytes(),
        counters.groups(),
        writes.count(),
        syncs.count(),
        windows.filled(),
        counters.rotations(),
        counters.witnesses(),
        appender.stagedBytes(),
        appender.queue(),
        segments.size(),
        segments.stream().mapToLong(Segment::allocated).sum(),
        appender.failuresTold(),
        storage.interruptSafe() ? "native" : "nio",
        counters.groupSizes().snapshot(),
        writes,
        syncs,
        watch.stalls(),
        open.size() + cursors.handles(),
        (int) open.stream().filter(segment -> segment.mapped() != null).count(),
        retention.failures());
  }

  Retention retention() {
    return retention;
  }

  private void throwIfClosed() {
    if (closed) {
      throw new LogClosedException("the log in " + storage.name() + " was closed: open it again");
    }
  }

  /// Accepts nothing more, makes what was accepted durable, says so on disk, and gives the
  /// directory free. A failed log closes without a word on disk. A second call does nothing.
  ///
  /// @throws LogIoException if the lock could not be given back
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    retention.close();
    appender.close();
    watch.close();
    closed = true;
    cursors.close();
    followers.close();
    directory.release();
    try {
      ownership.close();
    } catch (IOException e) {
      throw new LogIoException("unlocking " + storage.name() + " failed", e);
    }
    appender.throwIfFailureUntold();
  }
}
