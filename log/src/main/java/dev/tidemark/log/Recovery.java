package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Finds out what a directory holds, first without changing anything; then makes it ready for
/// writes. Used once, by the thread that opens the log.
///
/// The active segment is scanned to the first frame that does not check, at E, behind LSN L. If any
/// frame header behind E names a durable LSN above L, then acknowledged records are damaged, and
/// opening fails. Otherwise what lies behind E was never acknowledged: it is overwritten with zeros
/// and synced before anything else is written. Finished segments are trusted by their seal.
///
/// An exception of the first part leaves the disk as it was. One of the second part may leave zeros
/// where the torn tail was; the next open goes on from there.
final class Recovery {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Storage storage;
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

  private Recovery(Storage storage) {
    this.storage = storage;
  }

  static Found recover(Storage storage, LogOptions options, WindowFiller windows)
      throws IOException {
    Recovery recovery = new Recovery(storage);
    try {
      recovery.list();
      return recovery.names.isEmpty()
          ? recovery.create(options, windows)
          : recovery.examine().makeReady(windows);
    } catch (IOException | RuntimeException | Error e) {
      for (StorageFile file : recovery.files) {
        file.close();
      }
      throw e;
    }
  }

  private void list() throws IOException {
    for (String name : storage.list()) {
      if (name.matches("\\d{20}\\.seg")) {
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

  private Scan examine() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(SegmentHeader.BYTES, SegmentHeader.BYTES);
      for (String name : names) {
        StorageFile file = storage.open(name);
        files.add(file);
        sizes.add(file.size());
        headers.add(SegmentHeader.decode(block, file.read(block, 0), name));
      }
    }
    for (int i = 1; i < names.size(); i++) {
      checkChain(i);
    }
    int last = names.size() - 1;
    try (FrameReader reader =
        new FrameReader(files.get(last), headers.get(last).mask(), BUFFER_BYTES)) {
      return new Scan(reader, names.get(last), headers.get(last), sizes.get(last));
    }
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

  /// The frames of the last segment.
  private final class Scan {
    private final String name;
    private long end = SegmentHeader.BYTES;
    private long nextLsn;
    private long records;
    private long frames;
    private long payloadBytes;
    private long timeMs;
    private long durableNamed;
    private int lastKind;
    private long lastFrame;
    private final long tornEnd;
    private final long fileBytes;

    Scan(FrameReader reader, String name, SegmentHeader header, long fileBytes) throws IOException {
      this.name = name;
      this.nextLsn = header.firstLsn();
      this.durableNamed = header.firstLsn() - 1;
      this.fileBytes = fileBytes;
      this.timeMs = header.createdMs();
      while (lastKind != Frame.KIND_SEAL && wholeFrame(reader)) {
        count(reader);
      }
      if (lastKind == Frame.KIND_SEAL) {
        this.tornEnd = end;
      } else {
        refuseDamage(reader);
        this.tornEnd = reader.endOfBytes(end, fileBytes);
      }
    }

    private boolean wholeFrame(FrameReader reader) throws IOException {
      return reader.header(end, fileBytes)
          && reader.firstLsn() == nextLsn
          && reader.kind() >= Frame.KIND_RECORDS
          && reader.kind() <= Frame.KIND_CLOSE
          && reader.body(fileBytes);
    }

    private void count(FrameReader reader) {
      lastKind = reader.kind();
      lastFrame = end;
      timeMs = Math.max(timeMs, reader.timeMs());
      durableNamed = Math.max(durableNamed, reader.durableLsn());
      if (lastKind == Frame.KIND_SEAL) {
        return;
      }
      frames++;
      records += reader.records();
      nextLsn += reader.records();
      if (lastKind == Frame.KIND_RECORDS) {
        payloadBytes += reader.bodyBytes() - (long) reader.records() * Frame.RECORD_HEADER_BYTES;
      }
      end += reader.frameBytes();
    }

    /// Looks for a frame behind the end that proves it to have been acknowledged.
    private void refuseDamage(FrameReader reader) throws IOException {
      long proven = durableNamed;
      for (long at = reader.findHeader(end, fileBytes);
          at >= 0;
          at = reader.findHeader(at + Frame.ALIGNMENT, fileBytes)) {
        proven = Math.max(proven, reader.durableLsn());
      }
      if (proven >= nextLsn) {
        throw new CorruptLogException(
            name,
            end,
            nextLsn,
            proven,
            "the frame here is damaged, and a later one says that it had been acknowledged");
      }
    }

    Found makeReady(WindowFiller windows) throws IOException {
      StorageFile file = files.getLast();
      rewriteLastFrame(file);
      if (tornEnd > end) {
        windows.zero(file, end, tornEnd);
      }
      // What was found may still be on its way to the medium, the file's name included: a killed
      // process leaves such a state. From here on it counts as durable.
      file.sync();
      deleteLeftovers();
      storage.syncDirectory();

      long lastLsn = nextLsn - 1;
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
      segments.add(new Segment(headers.getLast(), file, end, lastLsn, fileBytes));
      ActiveState active =
          new ActiveState(
              records,
              frames,
              payloadBytes,
              timeMs,
              durableNamed >= lastLsn,
              lastKind == Frame.KIND_SEAL,
              end);
      return new Found(segments, active, report(lastLsn));
    }

    /// After a failed sync the system may take the last frame for clean, though it never reached
    /// the medium: the sync to come would do nothing about it. So it is made dirty again. Frames
    /// before it have each been synced with success, or it would not have been written.
    private void rewriteLastFrame(StorageFile file) throws IOException {
      if (frames == 0 && lastKind != Frame.KIND_SEAL) {
        return;
      }
      long lastEnd = end + (lastKind == Frame.KIND_SEAL ? Frame.sizeOf(Frame.SEAL_BODY_BYTES) : 0);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocate(lastEnd - lastFrame);
        file.read(bytes, lastFrame);
        file.write(bytes, lastFrame);
      }
    }

    private RecoveryReport report(long lastLsn) {
      int count = names.size();
      if (tornEnd > end) {
        return new RecoveryReport.TornTail(lastLsn, count, records, name, end, tornEnd - end);
      }
      return lastKind == Frame.KIND_CLOSE
          ? new RecoveryReport.Clean(lastLsn, count, records)
          : new RecoveryReport.Unclosed(lastLsn, count, records);
    }
  }
}
