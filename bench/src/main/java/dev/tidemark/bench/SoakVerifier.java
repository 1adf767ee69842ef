package dev.tidemark.bench;

import dev.tidemark.log.RecordView;

/// Checks records as they are read, in LSN order: LSNs are dense, each record is one that was
/// written, each writer's numbers follow each other without a gap, and each batch is whole.
///
/// Used by one thread.
final class SoakVerifier {
  private static final long UNKNOWN = -1;

  private final long[] last;
  private final long[] first;
  private long lsn = UNKNOWN;
  private int batchWriter;
  private int batchIndex;
  private int batchCount = 1;

  /// A verifier that takes the first record of each writer as it comes.
  SoakVerifier(int writers) {
    last = new long[writers];
    first = new long[writers];
    for (int i = 0; i < writers; i++) {
      last[i] = UNKNOWN;
      first[i] = UNKNOWN;
    }
  }

  /// Each writer's next record must be the one behind these.
  ///
  /// @param lastNumbers of each writer, 0 for none yet
  /// @param nextLsn of the first record to come
  static SoakVerifier behind(long[] lastNumbers, long nextLsn) {
    SoakVerifier verifier = new SoakVerifier(lastNumbers.length);
    System.arraycopy(lastNumbers, 0, verifier.last, 0, lastNumbers.length);
    verifier.lsn = nextLsn - 1;
    return verifier;
  }

  /// Takes the next record.
  ///
  /// @throws SoakFailure if it does not belong there
  SoakRecord accept(RecordView view) {
    return accept(view.lsn(), SoakRecord.of(view.payload().asByteBuffer(), view.lsn()));
  }

  SoakRecord accept(long recordLsn, SoakRecord record) {
    if (lsn != UNKNOWN && recordLsn != lsn + 1) {
      throw new SoakFailure("LSN " + recordLsn + " came behind LSN " + lsn);
    }
    lsn = recordLsn;
    int writer = record.writer();
    if (last[writer] != UNKNOWN && record.number() != last[writer] + 1) {
      throw new SoakFailure(
          "at LSN " + lsn + " " + record + " came behind its writer's number " + last[writer]);
    }
    last[writer] = record.number();
    if (first[writer] == UNKNOWN) {
      first[writer] = record.number();
    }
    boolean continues = batchIndex + 1 < batchCount;
    boolean fits =
        continues
            ? record.index() == batchIndex + 1
                && record.count() == batchCount
                && writer == batchWriter
            : record.index() == 0;
    if (!fits) {
      throw new SoakFailure(
          "at LSN %d %s came behind record %d of %d of a batch of writer %d"
              .formatted(lsn, record, batchIndex, batchCount, batchWriter));
    }
    batchWriter = writer;
    batchIndex = record.index();
    batchCount = record.count();
    return record;
  }

  /// Whether no batch has begun that is not whole yet.
  boolean betweenBatches() {
    return batchIndex + 1 == batchCount;
  }

  /// The last LSN taken, or the one before the first to come.
  long lsn() {
    return lsn;
  }

  /// The first number seen of a writer; below 0 if none was.
  long first(int writer) {
    return first[writer];
  }

  /// The last number of a writer, seen or told; below 0 if there is none.
  long last(int writer) {
    return last[writer];
  }
}
