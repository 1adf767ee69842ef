package dev.tidemark.log;

import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.spi.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Takes every record above an LSN out of the log. Used once, by the holder of the commit role,
/// when all that was accepted is durable and nothing is accepted meanwhile.
///
/// The segment that holds the first record to go becomes the active one. First its successor is
/// made beside it, under a passing name and durably: the same segment, with another salt, that ends
/// with the LSN and may be empty. Until then nothing is changed, and an error refuses the
/// truncation. Then the segments behind go, newest first, each deletion durable before the next;
/// then the successor is renamed over the segment. So a crash leaves a log without a gap that ends
/// where it ended, where a segment ended, or at the LSN; and whatever may name a record that is
/// gone as acknowledged is gone before it.
///
/// An error after the first change fails the log.
final class Truncation {
  private final Storage storage;
  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final WindowFiller windows;
  private final Cursors cursors;
  private final long lsn;
  private @Nullable LogException refusal;
  private boolean done;

  /// The segment that takes the place of another one, still under its passing name.
  private record Successor(Segment segment, Recovery.ActiveState state, String passingName) {}

  /// @param lsn of the last record to be kept
  Truncation(
      Storage storage,
      SegmentDirectory directory,
      DurablePoint durable,
      WindowFiller windows,
      Cursors cursors,
      long lsn) {
    this.storage = storage;
    this.directory = directory;
    this.durable = durable;
    this.windows = windows;
    this.cursors = cursors;
    this.lsn = lsn;
  }

  /// Truncates, or notes why not.
  void run(Committer committer) throws IOException {
    directory.exclusively(
        () -> {
          refuseWhatIsNotThere();
          if (refusal == null && lsn < durable.lsn()) {
            truncate(committer);
          }
          done = true;
        });
    if (refusal == null) {
      cursors.endAt(lsn);
    }
  }

  private void refuseWhatIsNotThere() {
    long firstLsn = directory.segments().getFirst().firstLsn();
    if (lsn > durable.lsn()) {
      refusal =
          new InvalidRecordException(
              "the log cannot be truncated after LSN %d: its last one is %d"
                  .formatted(lsn, durable.lsn()));
    } else if (lsn < firstLsn - 1) {
      refusal =
          new RecordNotFoundException(
              "the log cannot be truncated after LSN %d, which was trimmed: the first one kept is %d"
                  .formatted(lsn, firstLsn));
    }
  }

  private void truncate(Committer committer) throws IOException {
    Segment last = directory.holding(lsn + 1);
    Successor successor = prepare(last);
    if (successor == null) {
      return;
    }
    // From here on the records above are gone, or in doubt should the log fail.
    durable.fallTo(lsn);
    try {
      while (directory.active() != last) {
        directory.deleteLast();
      }
      directory.replaceLast(successor.passingName, successor.segment);
    } finally {
      if (directory.active() != successor.segment) {
        successor.segment.release();
      }
    }
    committer.goOnIn(successor.segment, successor.state);
  }

  private @Nullable Successor prepare(Segment last) {
    try {
      return successorOf(last);
    } catch (LogException e) {
      refusal = e;
    } catch (IOException e) {
      refusal =
          new LogIoException(
              "truncating the log in " + storage.name() + " failed before anything was changed", e);
    }
    return null;
  }

  private Successor successorOf(Segment last) throws IOException {
    SegmentHeader old = last.header();
    SegmentHeader header = old.withSalt(SegmentDirectory.otherSaltThan(old.previousSalt()));
    String passingName = last.name() + SegmentDirectory.UNFINISHED;
    StorageFile file = storage.create(passingName);
    try (Arena arena = Arena.ofConfined();
        SegmentPrefix prefix = new SegmentPrefix(last, file, lsn, header.mask())) {
      MemorySegment block = arena.allocate(SegmentHeader.BYTES, SegmentHeader.BYTES);
      header.encode(block);
      file.write(block, 0);
      Recovery.ActiveState state = prefix.write();
      long allocated = windows.fill(file, state.end());
      file.sync();
      return new Successor(
          new Segment(header, file, state.end(), lsn, allocated), state, passingName);
    } catch (IOException | RuntimeException e) {
      abandon(file, passingName, e);
      throw e;
    }
  }

  private void abandon(StorageFile file, String passingName, Exception cause) {
    try (file) {
      storage.delete(passingName);
    } catch (IOException e) {
      // The next open deletes it.
      cause.addSuppressed(e);
    }
  }

  /// Says, after its turn, that nothing was truncated.
  ///
  /// @throws LogException why not
  void throwUnlessDone() {
    if (refusal != null) {
      throw refusal;
    }
    if (!done) {
      throw new LogClosedException("the log was closed; nothing was truncated: open it again");
    }
  }
}
