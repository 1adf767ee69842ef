package dev.tidemark.log;

import java.util.concurrent.atomic.AtomicLong;

/// What the log has done since it was opened. Written by the holder of the commit role, read by
/// anyone, without a fence: a reader may see them a moment late, and not of one moment.
final class Counters {
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong payloadBytes = new AtomicLong();
  private final AtomicLong groups = new AtomicLong();
  private final AtomicLong rotations = new AtomicLong();
  private final AtomicLong witnesses = new AtomicLong();
  private final Histogram groupSizes = new Histogram();
  private final Histogram writeNanos = new Histogram();
  private final Histogram syncNanos = new Histogram();

  private static void add(AtomicLong counter, long n) {
    counter.setOpaque(counter.getPlain() + n);
  }

  void group(int groupRecords, long groupPayloadBytes) {
    add(groups, 1);
    add(records, groupRecords);
    add(payloadBytes, groupPayloadBytes);
    groupSizes.record(groupRecords);
  }

  /// A frame was written.
  void write(long nanos) {
    writeNanos.record(nanos);
  }

  /// A frame was synced.
  void sync(long nanos) {
    syncNanos.record(nanos);
  }

  void rotation() {
    add(rotations, 1);
  }

  void witness() {
    add(witnesses, 1);
  }

  long records() {
    return records.getOpaque();
  }

  long payloadBytes() {
    return payloadBytes.getOpaque();
  }

  long groups() {
    return groups.getOpaque();
  }

  long rotations() {
    return rotations.getOpaque();
  }

  long witnesses() {
    return witnesses.getOpaque();
  }

  Histogram groupSizes() {
    return groupSizes;
  }

  Histogram writeNanos() {
    return writeNanos;
  }

  Histogram syncNanos() {
    return syncNanos;
  }
}
