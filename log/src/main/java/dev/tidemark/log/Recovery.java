package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds out what a directory holds, first without changing anything; then makes it ready for
/// writes. Used once, by the thread that opens the log.
///
/// The active segment is scanned to the first frame that does not check, at E, behind LSN L. If any
/// frame header behind E names a durable LSN above L, then acknowledged records are damaged, and
/// opening fails. Otherwise what lies behind E was never acknowledged: it is overwritten with zeros
/// and synced before anything else is written. Finished segments are trusted by their seal.
///
/// A directory that was copied file by file while its log was written may end anywhere, and later
/// bytes may be there where earlier ones are not. There is a log in it up to the first gap. All
/// segments are scanned for it, once; what lies behind is set aside under names that are nobody's,
/// and only then the copy counts as a log of its own.
///
/// An exception of the first part leaves the disk as it was. One of the second part may leave zeros
/// where the torn tail was, or some files of a copy set aside; the next open goes on from there.
final class Recovery {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Storage storage;
  private final Opening opening;
  private final Set<String> allNames = new HashSet<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> leftovers = new ArrayList<>();
  private final List<SegmentHeader> headers = new ArrayList<>();
  private final List<StorageFile> files = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();

  /// What the committer must know of the active segment.
  ///
  /// @param records in it
  /// @param frames in it
  /// @param payloadBytes of its records
  /// @param timeMs the log-clock time of its last frame
  /// @param witnessed whether a frame names the last LSN as durable
  /// @param sealed whether it is finished, so that another must follow
  /// @param end where its frames end; the seal is not counted
  record ActiveState(
      long records,
      long frames,
      long payloadBytes,
      long timeMs,
      boolean witnessed,
      boolean sealed,
      long end) {
    /// The state of the segment that is made behind this one.
    ActiveState ofEmptySegment() {
      return new ActiveState(0, 0, 0, timeMs, true, false, SegmentHeader.BYTES);
    }
  }

  /// What was found.
  ///
  /// @param segments open, oldest first
  /// @param active of the last one
  /// @param report for the user
  record Found(List<Segment> segments, ActiveState active, RecoveryReport report) {}

  /// How files are opened.
  @FunctionalInterface
  private interface Opening {
    StorageFile open(String name) throws IOException;
  }

  private Recovery(Storage storage, Opening opening) {
    this.storage = storage;
    this.opening = opening;
  }

  /// What [#recover] would report, without a lock and without a change. Of a log that is written
  /// meanwhile the answer may be that of no moment.
  static RecoveryReport look(Storage storage) throws IOException {
    Recovery recovery = new Recovery(storage, storage::openForReading);
    try {
      CursorFile.read(storage);
      recovery.list();
      if (recovery.names.isEmpty()) {
        return new RecoveryReport.Created();
      }
      Ending ending = storage.copied() ? recovery.examineCopy() : recovery.examine();
      return ending.report(ending.notOfTheLog());
    } finally {
      recovery.closeAll();
    }
  }

  private void closeAll() throws IOException {
    for (StorageFile file : files) {
      file.close();
    }
  }

  /// @param ownership of the storage, held by the caller
  static Found recover(
      Storage storage, Storage.Ownership ownership, LogOptions options, WindowFiller windows)
      throws IOException {
    Recovery recovery = new Recovery(storage, storage::open);
    try {
      recovery.list();
      if (recovery.names.isEmpty()) {
        // First: whoever copies a segment can copy the sign that the files are a copy.
        ownership.adopt();
        return recovery.create(options, windows);
      }
      Ending ending = ownership.copied() ? recovery.examineCopy() : recovery.examine();
      Found found = ending.makeReady(windows);
      // Last: a crash before this finds the copy's files as they must be read.
      ownership.adopt();
      return found;
    } catch (IOException | RuntimeException | Error e) {
      recovery.closeAll();
      throw e;
    }
  }

  private void list() throws IOException {
    for (String name : storage.list()) {
      allNames.add(name);
      if (SegmentHeader.isFileName(name)) {
        names.add(name);
      } else if (name.endsWith(SegmentHeader.SUFFIX + SegmentDirectory.UNFINISHED)) {
        leftovers.add(name);
      }
    }
    names.sort(null);
  }

  private Found create(LogOptions options, WindowFiller windows) throws IOException {
    deleteLeftovers();
    Segment first = SegmentDirectory.createFirst(storage, options.clock(), windows);
    ActiveState active = new ActiveState(0, 0, 0, 0, true, false, SegmentHeader.BYTES);
    return new Found(List.of(first), active, new RecoveryReport.Created());
  }

  private void deleteLeftovers() throws IOException {
    for (String name : leftovers) {
      storage.delete(name);
    }
  }

  private Ending examine() throws IOException {
    openAll();
    for (int i = 0; i < names.size(); i++) {
      headers.add(readHeader(i));
    }
    for (int i = 1; i < names.size(); i++) {
      checkChain(i);
    }
    int last = names.size() - 1;
    try (FrameReader reader = reader(last)) {
      SegmentScan scan = scan(reader, last);
      long proven = scan.proven(sizes.get(last));
      if (proven >= scan.nextLsn()) {
        throw new CorruptLogException(
            names.get(last),
            scan.end(),
            scan.nextLsn(),
            proven,
            "the frame here is damaged, and a later one says that it had been acknowledged");
      }
      return new Ending(scan, scan.endOfBytes(sizes.get(last)), sizes.get(last), null);
    }
  }

  private void openAll() throws IOException {
    for (String name : names) {
      StorageFile file = opening.open(name);
      files.add(file);
      sizes.add(file.size());
    }
  }

  private SegmentHeader readHeader(int i) throws IOException {
    return SegmentHeader.read(files.get(i), names.get(i));
  }

  private FrameReader reader(int i) {
    return new FrameReader(files.get(i), headers.get(i).mask(), BUFFER_BYTES);
  }

  private SegmentScan scan(FrameReader reader, int i) throws IOException {
    return scanOf(reader, i, headers.get(i));
  }

  private SegmentScan scanOf(FrameReader reader, int i, SegmentHeader header) throws IOException {
    return new SegmentScan(reader, names.get(i), header, SegmentScan.Depth.FRAMES)
        .run(sizes.get(i));
  }

  /// That segment `i` continues the one before it, and that this one is finished.
  private void checkChain(int i) throws IOException {
    SegmentHeader before = headers.get(i - 1);
    SegmentHeader header = headers.get(i);
    if (header.previousSalt() != before.salt()
        || header.previousLastLsn() < before.firstLsn() - 1) {
      throw new CorruptLogException(
          names.get(i),
          0,
          before.firstLsn(),
          header.firstLsn() - 1,
          "it does not continue " + names.get(i - 1) + ": a segment is missing, or another's");
    }
    long sealOffset = header.previousSealOffset();
    long limit = sealOffset + Frame.sizeOf(Frame.SEAL_BODY_BYTES);
    try (FrameReader reader = new FrameReader(files.get(i - 1), before.mask(), 4096)) {
      if (!reader.header(sealOffset, limit)
          || reader.kind() != Frame.KIND_SEAL
          || !reader.body(limit)
          || reader.durableLsn() != header.firstLsn() - 1) {
        throw new CorruptLogException(
            names.get(i - 1),
            sealOffset,
            before.firstLsn(),
            header.firstLsn() - 1,
            "the finished segment's seal is damaged or missing");
      }
    }
  }

  /// As [#examine], for a copy. The log begins at the first segment with a right header and goes on
  /// as far as frames and segments follow each other.
  private Ending examineCopy() throws IOException {
    openAll();
    List<@Nullable SegmentHeader> found = new ArrayList<>();
    @Nullable CorruptLogException damage = null;
    for (int i = 0; i < names.size(); i++) {
      try {
        found.add(readHeader(i));
      } catch (CorruptLogException e) {
        damage = damage == null ? e : damage;
        found.add(null);
      }
    }
    int first = 0;
    while (first < found.size() && found.get(first) == null) {
      first++;
    }
    if (first == found.size()) {
      throw Objects.requireNonNull(damage);
    }
    return endCopy(found, first);
  }

  private Ending endCopy(List<@Nullable SegmentHeader> found, int first) throws IOException {
    List<String> aside = new ArrayList<>(names.subList(0, first));
    SegmentScan scan = null;
    int last = first - 1;
    long seen = 0;
    long tornEnd = 0;
    for (int i = first; i < found.size(); i++) {
      SegmentHeader header = found.get(i);
      if (header == null) {
        aside.add(names.get(i));
        continue;
      }
      try (FrameReader reader = new FrameReader(files.get(i), header.mask(), BUFFER_BYTES)) {
        SegmentScan next = scanOf(reader, i, header);
        seen = Math.max(seen, Math.max(next.proven(sizes.get(i)), next.nextLsn() - 1));
        if (i == last + 1 && (scan == null || scan.isFollowedBy(header))) {
          scan = next;
          last = i;
          tornEnd = next.endOfBytes(sizes.get(i));
        } else {
          aside.add(names.get(i));
        }
      }
    }
    dropAllBut(first, last + 1);
    for (int i = first; i <= last; i++) {
      headers.add(Objects.requireNonNull(found.get(i)));
    }
    return new Ending(
        Objects.requireNonNull(scan), tornEnd, sizes.getLast(), new Copy(aside, seen));
  }

  /// Closes and forgets the segments before `from` and from `to` on.
  private void dropAllBut(int from, int to) throws IOException {
    List<StorageFile> kept = List.copyOf(files.subList(from, to));
    for (StorageFile file : files) {
      if (!kept.contains(file)) {
        file.close();
      }
    }
    files.retainAll(kept);
    names.retainAll(List.copyOf(names.subList(from, to)));
    List<Long> keptSizes = List.copyOf(sizes.subList(from, to));
    sizes.clear();
    sizes.addAll(keptSizes);
  }

  /// What a copied directory has besides its log.
  ///
  /// @param segments that do not belong to it
  /// @param seenLsn the highest LSN that anything in the directory tells of
  private record Copy(List<String> segments, long seenLsn) {}

  /// Where the log ends, and what lies behind.
  private final class Ending {
    private final SegmentScan scan;
    private final long tornEnd;
    private final long fileBytes;
    private final @Nullable Copy copy;
    private final Aside aside = new Aside(storage, allNames);

    /// @param scan of the last segment
    /// @param tornEnd where the bytes behind its frames end
    /// @param fileBytes its size
    /// @param copy null for a directory that is no copy
    Ending(SegmentScan scan, long tornEnd, long fileBytes, @Nullable Copy copy) {
      this.scan = scan;
      this.tornEnd = tornEnd;
      this.fileBytes = fileBytes;
      this.copy = copy;
    }

    Found makeReady(WindowFiller windows) throws IOException {
      StorageFile file = files.getLast();
      if (copy != null) {
        setAside(copy, file);
      }
      rewriteLastFrame(file);
      if (tornEnd > scan.end()) {
        windows.zero(file, scan.end(), tornEnd);
      }
      // What was found may still be on its way to the medium, the file's name included: a killed
      // process leaves such a state. From here on it counts as durable.
      file.sync();
      deleteLeftovers();
      storage.syncDirectory();

      long lastLsn = scan.nextLsn() - 1;
      List<Segment> segments = new ArrayList<>();
      for (int i = 0; i < names.size() - 1; i++) {
        SegmentHeader following = headers.get(i + 1);
        long size = sizes.get(i);
        segments.add(
            new Segment(
                headers.get(i),
                files.get(i),
                following.previousSealOffset(),
                following.firstLsn() - 1,
                size));
      }
      segments.add(new Segment(headers.getLast(), file, scan.end(), lastLsn, fileBytes));
      ActiveState active =
          new ActiveState(
              scan.records(),
              scan.frames(),
              scan.payloadBytes(),
              scan.timeMs(),
              scan.durableNamed() >= lastLsn,
              scan.sealed(),
              scan.end());
      return new Found(segments, active, report(aside.names()));
    }

    /// Whoever copied the files did not sync them, and the bytes behind the log may have been
    /// acknowledged where they come from: they are kept.
    private void setAside(Copy copied, StorageFile last) throws IOException {
      if (tornEnd > scan.end()) {
        aside.keepBytes(last, scan.name(), scan.end(), tornEnd);
      }
      for (String segment : copied.segments()) {
        aside.keepFile(segment);
      }
      for (StorageFile file : files) {
        file.sync();
      }
      storage.syncDirectory();
    }

    /// After a failed sync the system may take the last frame for clean, though it never reached
    /// the medium: the sync to come would do nothing about it. So it is made dirty again. Frames
    /// before it have each been synced with success, or it would not have been written.
    private void rewriteLastFrame(StorageFile file) throws IOException {
      if (scan.lastFrame() == 0) {
        return;
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocate(scan.lastFrameEnd() - scan.lastFrame());
        file.read(bytes, scan.lastFrame());
        file.write(bytes, scan.lastFrame());
      }
    }

    /// The names, as they are now, of the files that hold what a copy has besides its log.
    private List<String> notOfTheLog() {
      List<String> others = new ArrayList<>();
      if (copy != null) {
        others.addAll(copy.segments());
        if (tornEnd > scan.end()) {
          others.add(scan.name());
        }
      }
      return others;
    }

    private RecoveryReport report(List<String> setAside) {
      int count = names.size();
      long records = scan.records();
      long lastLsn = scan.nextLsn() - 1;
      if (copy != null && !setAside.isEmpty()) {
        return new RecoveryReport.IncompleteCopy(
            lastLsn,
            count,
            records,
            scan.name(),
            scan.end(),
            Math.max(copy.seenLsn(), lastLsn),
            setAside);
      }
      if (tornEnd > scan.end()) {
        return new RecoveryReport.TornTail(
            lastLsn, count, records, scan.name(), scan.end(), tornEnd - scan.end());
      }
      return scan.closed()
          ? new RecoveryReport.Clean(lastLsn, count, records)
          : new RecoveryReport.Unclosed(lastLsn, count, records);
    }
  }
}
