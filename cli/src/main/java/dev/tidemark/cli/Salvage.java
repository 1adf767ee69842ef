package dev.tidemark.cli;

import dev.tidemark.log.InspectedSegment;
import dev.tidemark.log.IntactRecords;
import dev.tidemark.log.Log;
import dev.tidemark.log.LogDamage;
import dev.tidemark.log.LogInspection;
import dev.tidemark.log.LogOptions;
import dev.tidemark.log.RecordView;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Makes a log of the intact records that an inspection found. Used once, by one thread.
///
/// Up to the first damage the segments' bytes are copied. If no record is lost there (a damaged
/// seal or header), the records behind it are appended, and get the LSNs that they had. Behind the
/// first lost record there can be no log; what is intact there is written as lines of JSON. All of
/// it is durable when it is done.
final class Salvage {
  private static final int RECORD_BYTES_MAX = 1 << 30;

  private final LogInspection log;
  private final Path from;
  private final Path to;
  private final Path beside;
  private long lastKept;
  private long written;

  Salvage(LogInspection log, Path from, Path to, Path beside) {
    this.log = log;
    this.from = from;
    this.to = to;
    this.beside = beside;
    this.lastKept = log.firstLsn() - 1;
  }

  /// The last LSN of the new log.
  long lastKept() {
    return lastKept;
  }

  /// How many records were written beside it.
  long written() {
    return written;
  }

  void run() throws IOException {
    Files.createDirectories(to);
    boolean copied = copySegments();
    if (copied || log.firstLsn() == 1) {
      append();
    }
    if (lastKept < log.lastLsn()) {
      writeBeside();
    }
  }

  /// Whether there was anything to copy.
  private boolean copySegments() throws IOException {
    List<LogDamage> damages = log.damages();
    String damaged = damages.isEmpty() ? "" : damages.getFirst().segment();
    boolean copied = false;
    for (InspectedSegment segment : log.segments()) {
      boolean whole = !segment.name().equals(damaged);
      long bytes = whole ? segment.usedBytes() : damages.getFirst().offset();
      if (bytes > 0) {
        copy(segment.name(), bytes);
        copied = true;
      }
      if (!whole) {
        break;
      }
    }
    return copied;
  }

  private void copy(String name, long bytes) throws IOException {
    try (FileChannel in = FileChannel.open(from.resolve(name), StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                to.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long done = 0; done < bytes; ) {
        long n = in.transferTo(done, bytes - done, out);
        if (n <= 0) {
          throw new EOFException(name + " became shorter");
        }
        done += n;
      }
      out.force(true);
    }
  }

  /// Opens the new log, which recovers and syncs it, and appends what may follow.
  private void append() throws IOException {
    LogOptions options =
        LogOptions.builder()
            .recordBytesMax(RECORD_BYTES_MAX)
            .batchBytesMax(RECORD_BYTES_MAX)
            .build();
    try (Log kept = Log.open(to, options);
        IntactRecords records = log.records(kept.durableLsn() + 1)) {
      for (RecordView record = records.next();
          record != null && record.lsn() == kept.appendedLsn() + 1;
          record = records.next()) {
        kept.append(record.toBytes());
      }
      lastKept = kept.sync();
    }
  }

  private void writeBeside() throws IOException {
    try (FileChannel file =
            FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        OutputStream out = Channels.newOutputStream(file);
        IntactRecords records = log.records(lastKept + 1)) {
      RecordLines lines = new RecordLines(Payload.base64, out);
      for (RecordView record = records.next(); record != null; record = records.next()) {
        lines.add(record);
        written++;
      }
      lines.flush();
      file.force(true);
    }
  }
}
