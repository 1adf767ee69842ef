package dev.tidemark.log;

import java.util.concurrent.atomic.AtomicLong;

/// What the log has done since it was opened. Written by the holder of the commit role, read by
/// anyone, without a fence: a reader may see them a moment late, and not of one moment.
final class Counters {
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong payloadBytes = new AtomicLong();
  private final AtomicLong groups = new AtomicLong();
  private final AtomicLong frames = new AtomicLong();
  private final AtomicLong rotations = new AtomicLong();
  private final AtomicLong witnesses = new AtomicLong();

  private static void add(AtomicLong counter, long n) {
    counter.setOpaque(counter.getPlain() + n);
  }

  void group(int groupRecords, long groupPayloadBytes) {
    add(groups, 1);
    add(records, groupRecords);
    add(payloadBytes, groupPayloadBytes);
  }

  /// One write and one sync.
  void frame() {
    add(frames, 1);
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

  long frames() {
    return frames.getOpaque();
  }

  long rotations() {
    return rotations.getOpaque();
  }

  long witnesses() {
    return witnesses.getOpaque();
  }
}
