package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import dev.tidemark.log.Position;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.RecoveryReport;
import dev.tidemark.log.Replay;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Reads of a log that lies in the page cache: by position, beside positional reads of a plain
/// loop; by replay and by recovery, beside a plain loop that reads as many bytes in large pieces
/// and takes one checksum over them.
final class ReadRows {
  private static final int READS = 1 << 18;
  private static final int RAW_READ_BYTES = 96;
  private static final int OPENS_MAX = 3;

  private ReadRows() {}

  static List<LogRows.Spec> all() {
    return List.of(
        new LogRows.Spec("read/point", ReadRows::points),
        new LogRows.Spec(
            "replay/view",
            bed -> scan(bed, "replay/view", LogWork.replayOfViews(bed.filled()), 150e6)),
        new LogRows.Spec(
            "replay/owned",
            bed -> scan(bed, "replay/owned", LogWork.replayOfArrays(bed.filled()), 60e6)),
        new LogRows.Spec("recovery", bed -> scan(bed, "recovery", recoveries(bed), 20e6)));
  }

  private static List<Row> points(LogBed bed) throws Exception {
    Log log = bed.filled();
    long[] offsets = new long[READS];
    Position[] positions = samplePositions(log, offsets);
    RawLoop loop = bed.rawReads(some -> some.readsOf(RAW_READ_BYTES, offsets));
    Rounds.Pairs pairs =
        bed.rounds()
            .inTurn(loop.readsOf(RAW_READ_BYTES, offsets), LogWork.pointReads(log, positions));
    return List.of(
        Row.beside("read/point", WriteRows.UNIT, pairs, Row.Target.atLeast(Double.NaN, 10)));
  }

  private static List<Row> scan(LogBed bed, String name, Work work, double anchor)
      throws Exception {
    Rounds.Pairs pairs = bed.rounds().inTurn(bed.raw().scansOf(bed.records()), work);
    Row.Target target = Row.Target.atLeast(Double.NaN, anchor).ofFigure();
    return List.of(Row.beside(name, WriteRows.UNIT, pairs, target));
  }

  /// Opens copies of a log that was not closed. Making a copy and closing the log are not timed,
  /// but keep the disk busy: hence the bound on opens.
  private static Work recoveries(LogBed bed) {
    Log source = bed.filled();
    return length -> {
      long nanos = 0;
      long done = 0;
      for (int i = 0; i < OPENS_MAX && nanos < length.toNanos(); i++) {
        Path copy = Files.createTempDirectory(bed.directory(), "recovery-");
        copySegments(bed.filledPath(), copy);
        long start = System.nanoTime();
        Log log = Log.open(copy, LogOptions.defaults());
        nanos += System.nanoTime() - start;
        done += scanned(log.recovery(), source.durableLsn());
        log.close();
        BenchDirectory.delete(copy);
      }
      return done * 1e9 / nanos;
    };
  }

  /// Only a scan of all records counts.
  private static long scanned(RecoveryReport report, long last) {
    long scanned =
        switch (report) {
          case RecoveryReport.Created _ -> 0;
          case RecoveryReport.Clean clean -> clean.scannedRecords();
          case RecoveryReport.Unclosed unclosed -> unclosed.scannedRecords();
          case RecoveryReport.TornTail torn -> torn.scannedRecords();
          case RecoveryReport.IncompleteCopy copy -> copy.scannedRecords();
        };
    if (report.lastLsn() != last || scanned != last) {
      throw new IllegalStateException("recovered " + report + " of a log of " + last + " records");
    }
    return scanned;
  }

  /// Copies a log that may be open, without its lock. The copy is made durable, so that no sync
  /// within a recovery pays for it.
  static void copySegments(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.endsWith("LOCK")) {
          Path copy = Files.copy(file, to.resolve(file.getFileName()));
          try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
        }
      }
    }
  }

  /// Positions of records picked at random, and as many offsets in the plain loop's file, in the
  /// same order.
  private static Position[] samplePositions(Log log, long[] offsets) {
    Position[] each = positions(log);
    SplittableRandom random = new SplittableRandom(7);
    Position[] picked = new Position[offsets.length];
    for (int i = 0; i < picked.length; i++) {
      Position position = each[random.nextInt(each.length)];
      // A copy, so that the positions lie in memory in the order they are used, as the offsets do.
      picked[i] = new Position(position.segment(), position.offset());
      offsets[i] = Math.min(position.offset(), RawLoop.FILE_BYTES - RAW_READ_BYTES);
    }
    return picked;
  }

  /// The positions of all durable records of a log that was never trimmed.
  static Position[] positions(Log log) {
    Position[] each = new Position[Math.toIntExact(log.durableLsn())];
    try (Replay replay = log.replay(1)) {
      for (RecordView record = replay.next(); record != null; record = replay.next()) {
        each[Math.toIntExact(record.lsn()) - 1] = record.position();
      }
    }
    return each;
  }
}
