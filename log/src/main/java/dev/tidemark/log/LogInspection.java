package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a log's directory holds: every frame and every record of every segment verified, without a
/// lock and without changing a byte.
///
/// Another process may write the log meanwhile: it is not hindered. The inspection then shows the
/// log as it was at some moment of the call; its last group may be one that is on its way to the
/// disk and not acknowledged yet ([#provenLsn]). Immutable; any thread.
public final class LogInspection {
  private final Storage storage;
  private final List<InspectedSegment> segments;
  private final List<LogDamage> damages;
  private final List<IntactRange> intact;
  private final List<String> otherFiles;
  private final long provenLsn;

  LogInspection(
      Storage storage,
      List<InspectedSegment> segments,
      List<LogDamage> damages,
      List<IntactRange> intact,
      List<String> otherFiles,
      long provenLsn) {
    this.storage = storage;
    this.segments = List.copyOf(segments);
    this.damages = List.copyOf(damages);
    this.intact = List.copyOf(intact);
    this.otherFiles = List.copyOf(otherFiles);
    this.provenLsn = provenLsn;
  }

  /// Inspects the log in `directory`.
  ///
  /// @throws LogIoException if the directory or a file cannot be read
  /// @throws UnsupportedFormatException if a newer version wrote it
  public static LogInspection of(Path directory) {
    return of(storage(directory));
  }

  /// As [#of(Path)], on a storage of the caller's.
  public static LogInspection of(Storage storage) {
    try {
      return InspectionScan.run(storage);
    } catch (IOException e) {
      throw new LogIoException("inspecting the log in " + storage.name() + " failed", e);
    }
  }

  /// A dry run of recovery: what opening the log in `directory` would report. It reads what opening
  /// reads, which is less than an inspection does.
  ///
  /// Where opening would set something aside, the report has the files' present names. Of a log
  /// that is written meanwhile the answer is that of some moment.
  ///
  /// @throws CorruptLogException if opening would throw it
  /// @throws UnsupportedFormatException if a newer version wrote it
  /// @throws LogIoException if the directory or a file cannot be read
  public static RecoveryReport dryRun(Path directory) {
    return dryRun(storage(directory));
  }

  /// As [#dryRun(Path)], on a storage of the caller's.
  public static RecoveryReport dryRun(Storage storage) {
    try {
      return InspectionScan.dryRun(storage);
    } catch (IOException e) {
      throw new LogIoException("reading the log in " + storage.name() + " failed", e);
    }
  }

  static Storage storage(Path directory) {
    try {
      return FileStorage.existing(directory);
    } catch (IOException e) {
      throw new LogIoException("the directory " + directory + " cannot be read", e);
    }
  }

  /// The segments, in LSN order; empty if there is no log.
  public List<InspectedSegment> segments() {
    return segments;
  }

  /// All damage, in LSN order. Where there is none, opening succeeds.
  public List<LogDamage> damages() {
    return damages;
  }

  /// Whether the log ends with bytes of a write that was never acknowledged, which opening drops.
  public boolean torn() {
    return !segments.isEmpty() && segments.getLast().end() == InspectedSegment.End.TORN;
  }

  /// Files that are no segments.
  public List<String> otherFiles() {
    return otherFiles;
  }

  /// The first LSN kept, 1 if there is no log.
  public long firstLsn() {
    return segments.isEmpty() ? 1 : segments.getFirst().firstLsn();
  }

  /// The last LSN found intact, `firstLsn() - 1` if there is none.
  public long lastLsn() {
    return intact.isEmpty() ? firstLsn() - 1 : intact.getLast().lastLsn();
  }

  /// The last LSN before the first damage, `firstLsn() - 1` if none is.
  public long lastLsnBeforeDamage() {
    long last = firstLsn() - 1;
    for (IntactRange range : intact) {
      if (range.firstLsn() != last + 1) {
        break;
      }
      last = range.lastLsn();
    }
    return last;
  }

  /// The highest LSN that the log itself proves to have been acknowledged. The records behind it,
  /// up to [#lastLsn], are the last group; they are durable once the log is opened.
  public long provenLsn() {
    return provenLsn;
  }

  /// The intact records from `fromLsn` on, those behind damage included, read anew.
  public IntactRecords records(long fromLsn) {
    return new IntactRecords(storage, intact, fromLsn);
  }
}
