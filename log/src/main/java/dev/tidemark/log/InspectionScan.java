package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One look at a directory that makes a [LogInspection]. Used by one thread.
///
/// The log may be written meanwhile. So what seems to be damaged, torn or missing is believed only
/// when it is read again and is still so: whatever proves a frame to have been acknowledged was
/// written after that frame was. A trim takes files away under the look; then it begins anew.
final class InspectionScan {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int LOOKS_MAX = 50;

  /// A write that is not complete by then has no writer any more.
  private static final long WRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Storage storage;
  private final List<String> names = new ArrayList<>();
  private final List<String> otherFiles = new ArrayList<>();
  private final List<@Nullable SegmentHeader> headers = new ArrayList<>();
  private final List<InspectedSegment> segments = new ArrayList<>();
  private final List<LogDamage> damages = new ArrayList<>();
  private final List<IntactRange> intact = new ArrayList<>();
  private long provenLsn;

  private InspectionScan(Storage storage) {
    this.storage = storage;
  }

  static LogInspection run(Storage storage) throws IOException {
    for (int look = 1; ; look++) {
      InspectionScan scan = new InspectionScan(storage);
      try {
        scan.scanAll();
        if (scan.damages.isEmpty() || scan.allStillThere()) {
          return scan.result();
        }
      } catch (NoSuchFileException e) {
        if (scan.allStillThere()) {
          throw e;
        }
      }
      throwIfTooOften(look);
    }
  }

  /// As [Recovery#look]; damage is believed when it is found twice at one place.
  static RecoveryReport dryRun(Storage storage) throws IOException {
    String before = "";
    for (int look = 1; ; look++) {
      try {
        return Recovery.look(storage);
      } catch (CorruptLogException e) {
        String place = e.segment() + " " + e.offset();
        if (place.equals(before)) {
          throw e;
        }
        before = place;
      } catch (NoSuchFileException e) {
        before = "";
      }
      throwIfTooOften(look);
    }
  }

  private static void throwIfTooOften(int look) throws IOException {
    if (look == LOOKS_MAX) {
      throw new IOException("the directory changes faster than it can be looked at: try again");
    }
  }

  private boolean allStillThere() throws IOException {
    Set<String> now = new HashSet<>(storage.list());
    return now.containsAll(names);
  }

  private LogInspection result() {
    return new LogInspection(storage, segments, damages, intact, otherFiles, provenLsn);
  }

  private void scanAll() throws IOException {
    for (String name : storage.list()) {
      (SegmentHeader.isFileName(name) ? names : otherFiles).add(name);
    }
    names.sort(null);
    otherFiles.sort(null);
    for (String name : names) {
      headers.add(readHeader(name));
    }
    provenLsn = names.isEmpty() ? 0 : SegmentHeader.firstLsnIn(names.getFirst()) - 1;
    long expected = provenLsn + 1;
    for (int i = 0; i < names.size(); i++) {
      expected = scan(i, expected);
    }
    // Last: who mends a log looks at what is damaged first.
    scanCursors();
  }

  private void scanCursors() throws IOException {
    for (int tries = 1; otherFiles.contains(CursorFile.NAME); tries++) {
      try {
        CursorFile.read(storage);
        return;
      } catch (CorruptLogException e) {
        // It is overwritten in place: believed when it is seen again.
        if (tries == 2) {
          damages.add(
              new LogDamage(
                  CursorFile.NAME,
                  0,
                  2 * CursorFile.BLOCK_BYTES,
                  1,
                  0,
                  "both blocks of the cursors' file are damaged"));
          return;
        }
      }
    }
  }

  /// @return null if it is damaged
  private @Nullable SegmentHeader readHeader(String name) throws IOException {
    try (StorageFile file = storage.openForReading(name)) {
      return SegmentHeader.read(file, name);
    } catch (CorruptLogException e) {
      return null;
    }
  }

  /// Scans segment `i`, which should begin with the LSN `expected`; answers the LSN behind it.
  private long scan(int i, long expected) throws IOException {
    String name = names.get(i);
    long firstLsn = SegmentHeader.firstLsnIn(name);
    if (firstLsn != expected) {
      damages.add(
          new LogDamage(
              name, 0, 0, expected, firstLsn - 1, "a segment is missing before this one"));
    }
    boolean last = i == names.size() - 1;
    SegmentHeader following = last ? null : headers.get(i + 1);
    long behind = last ? Long.MAX_VALUE : SegmentHeader.firstLsnIn(names.get(i + 1));
    try (StorageFile file = storage.openForReading(name)) {
      SegmentHeader header = headers.get(i);
      if (header == null) {
        String what =
            "the segment's header is damaged, and only with it can its frames be verified";
        if (following != null && following.previousLastLsn() == behind - 1) {
          header = SegmentHeader.before(following, firstLsn);
          what =
              "the segment's header is damaged; the one behind it tells what verifies its frames";
        }
        damages.add(
            new LogDamage(
                name,
                0,
                header == null ? file.size() : SegmentHeader.BYTES,
                firstLsn,
                header != null ? firstLsn - 1 : last ? Long.MAX_VALUE : behind - 1,
                what));
      }
      if (header == null) {
        segments.add(unreadable(name, file.size(), firstLsn));
        return last ? firstLsn : behind;
      }
      try (FrameReader reader = new FrameReader(file, header.mask(), BUFFER_BYTES)) {
        var scan = new SegmentScan(reader, name, header, SegmentScan.Depth.RECORDS);
        new SegmentLook(file, scan, following, behind).run();
        return last || scan.sealed() ? scan.nextLsn() : behind;
      }
    }
  }

  private static InspectedSegment unreadable(String name, long fileBytes, long firstLsn) {
    return new InspectedSegment(
        name, fileBytes, 0, 0, firstLsn, firstLsn - 1, 0, 0, 0, 0, InspectedSegment.End.UNREADABLE);
  }

  /// All of one segment, on both sides of its damages.
  private final class SegmentLook {
    private final StorageFile file;
    private final SegmentScan scan;
    private final @Nullable SegmentHeader following;

    /// The first LSN of the segment behind, [Long#MAX_VALUE] if there is none.
    private final long behind;

    SegmentLook(
        StorageFile file, SegmentScan scan, @Nullable SegmentHeader following, long behind) {
      this.file = file;
      this.scan = scan;
      this.following = following;
      this.behind = behind;
    }

    void run() throws IOException {
      long from = SegmentHeader.BYTES;
      long fromLsn = scan.nextLsn();
      boolean torn = false;
      while (true) {
        scan.run(file.size());
        addIntact(from, fromLsn);
        if (scan.sealed()) {
          break;
        }
        long proven = Math.max(scan.proven(file.size()), behind == Long.MAX_VALUE ? 0 : behind - 1);
        boolean damaged = proven >= scan.nextLsn() || behind != Long.MAX_VALUE;
        if (!damaged && !bytesBehind()) {
          break;
        }
        if (!damaged) {
          LockSupport.parkNanos(WRITE_NANOS);
        }
        from = scan.end();
        fromLsn = scan.nextLsn();
        if (scan.retry(file.size())) {
          continue;
        }
        if (!damaged) {
          torn = true;
          break;
        }
        if (!skipDamage(proven)) {
          break;
        }
        from = scan.end();
        fromLsn = scan.nextLsn();
      }
      provenLsn = Math.max(provenLsn, scan.durableNamed());
      checkSeal();
      addSegment(torn);
    }

    private boolean bytesBehind() throws IOException {
      return scan.endOfBytes(file.size()) > scan.end();
    }

    private void addIntact(long from, long fromLsn) {
      if (scan.nextLsn() > fromLsn) {
        intact.add(new IntactRange(scan.header(), from, scan.end(), fromLsn, scan.nextLsn() - 1));
      }
    }

    /// Notes what is lost up to the next intact frame, and goes on there.
    ///
    /// @return false if there is none
    private boolean skipDamage(long proven) throws IOException {
      long offset = scan.end();
      long firstLost = scan.nextLsn();
      boolean more = scan.resume(file.size());
      damages.add(
          new LogDamage(
              scan.name(),
              offset,
              more ? scan.end() : file.size(),
              firstLost,
              more ? scan.nextLsn() - 1 : proven,
              more || proven >= firstLost
                  ? "frames here are damaged that had been acknowledged"
                  : "the finished segment's seal is damaged or missing"));
      return more;
    }

    /// That a finished segment is the one which the segment behind it continues.
    private void checkSeal() {
      if (scan.sealed()
          && scan.nextLsn() == behind
          && following != null
          && !scan.isFollowedBy(following)) {
        damages.add(
            new LogDamage(
                SegmentHeader.fileName(following.firstLsn()),
                0,
                0,
                behind,
                behind - 1,
                "it does not continue " + scan.name() + ": it is another log's"));
      }
    }

    private void addSegment(boolean torn) throws IOException {
      segments.add(
          new InspectedSegment(
              scan.name(),
              file.size(),
              scan.header().createdMs(),
              scan.timeMs(),
              scan.header().firstLsn(),
              scan.nextLsn() - 1,
              scan.records(),
              scan.frames(),
              scan.payloadBytes(),
              scan.lastFrameEnd(),
              torn
                  ? InspectedSegment.End.TORN
                  : scan.sealed()
                      ? InspectedSegment.End.SEALED
                      : scan.closed() ? InspectedSegment.End.CLOSED : InspectedSegment.End.OPEN));
    }
  }
}
