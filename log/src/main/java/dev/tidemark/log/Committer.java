package dev.tidemark.log;

import dev.tidemark.log.spi.Clock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Puts frames on disk: one write, one sync, then the durable LSN is published. No lock is held.
///
/// Used only by the holder of the commit role (see [Appender]), which passes from thread to thread
/// under the appender's lock, so that plain fields suffice. An exception from any method leaves the
/// outcome unknown: the caller fails the log, and nothing here is called again.
final class Committer {
  private final SegmentDirectory directory;
  private final DurablePoint durable;
  private final WindowFiller windows;
  private final Clock clock;
  private final long segmentBytesMax;
  private final Counters counters;
  private final FrameCalls calls;
  private final RecentFrames recent;

  /// Only asked whether the event is wanted.
  private final LogEvents.Group wanted = new LogEvents.Group();

  /// For the frames that hold no records; a seal is the largest.
  private final MemorySegment scratch;

  private final ByteBuffer scratchView;
  private Segment active;
  private SegmentTotals totals;
  private long lastTime;

  /// Whether a frame on disk names the durable LSN.
  private boolean witnessed;

  /// What the active segment holds, for its seal.
  private static final class SegmentTotals {
    long records;
    long frames;
    long payloadBytes;
  }

  Committer(
      SegmentDirectory directory,
      DurablePoint durable,
      WindowFiller windows,
      LogOptions options,
      Counters counters,
      FrameCalls calls,
      RecentFrames recent,
      Recovery.ActiveState recovered,
      Arena arena) {
    this.directory = directory;
    this.durable = durable;
    this.windows = windows;
    this.clock = options.clock();
    this.segmentBytesMax = options.segmentBytesMax();
    this.counters = counters;
    this.calls = calls;
    this.recent = recent;
    this.scratch = arena.allocate(Frame.sizeOf(Frame.SEAL_BODY_BYTES), 4096);
    this.scratchView = scratch.asByteBuffer();
    this.active = directory.active();
    this.totals = totalsOf(recovered);
    this.lastTime = recovered.timeMs();
    this.witnessed = recovered.witnessed();
  }

  private static SegmentTotals totalsOf(Recovery.ActiveState state) {
    SegmentTotals totals = new SegmentTotals();
    totals.records = state.records();
    totals.frames = state.frames();
    totals.payloadBytes = state.payloadBytes();
    return totals;
  }

  /// Goes on in another active segment than the one so far, after a truncation.
  void goOnIn(Segment segment, Recovery.ActiveState state) {
    active = segment;
    totals = totalsOf(state);
    witnessed = state.witnessed();
    recent.leaveGap();
  }

  /// The mask of the segment that the next group most likely goes to.
  int mask() {
    return active.mask();
  }

  /// Whether every acknowledged record has a frame behind it that says so.
  boolean witnessed() {
    return witnessed;
  }

  /// Makes a group durable and publishes it.
  void commit(CommitGroup group) throws IOException {
    LogEvents.Group event = beginEvent();
    if (active.hasRecords()
        && active.durableEnd() + Frame.sizeOf(group.bodyBytes()) + sealBytes() > segmentBytesMax) {
      roll();
    }
    group.maskFor(active.mask());
    MemorySegment frame = group.frame(durable.lsn(), now());
    put(frame, group.lastLsn());
    totals.records += group.records();
    totals.payloadBytes += group.payloadBytes();
    counters.group(group.records(), group.payloadBytes());
    witnessed = false;
    durable.publish(group.lastLsn());
    if (event != null) {
      tell(event, group);
    }
  }

  /// Null, and nothing allocated, where nobody wants to know.
  private LogEvents.@Nullable Group beginEvent() {
    if (!wanted.isEnabled()) {
      return null;
    }
    LogEvents.Group event = new LogEvents.Group();
    event.begin();
    return event;
  }

  private void tell(LogEvents.Group event, CommitGroup group) {
    event.end();
    if (event.shouldCommit()) {
      event.records = group.records();
      event.payloadBytes = group.payloadBytes();
      event.lastLsn = group.lastLsn();
      event.writeTime = calls.writeNanos();
      event.syncTime = calls.syncNanos();
      event.commit();
    }
  }

  /// Proves the last group with a frame of no records.
  void witness() throws IOException {
    put(emptyFrame(Frame.KIND_WITNESS, 0), durable.lsn());
    counters.witness();
    witnessed = true;
  }

  /// Says that the log was closed in order, which is a witness as well.
  void closeFrame() throws IOException {
    put(emptyFrame(Frame.KIND_CLOSE, 0), durable.lsn());
  }

  /// Finishes the active segment with its seal, and starts another behind it.
  void roll() throws IOException {
    LogEvents.Rotation event = new LogEvents.Rotation();
    event.begin();
    event.finished = active.name();
    long lastLsn = durable.lsn();
    long sealOffset = active.durableEnd();
    scratch.set(Frame.U64, Frame.HEADER_BYTES, lastLsn);
    scratch.set(Frame.U64, Frame.HEADER_BYTES + 8, totals.records);
    scratch.set(Frame.U64, Frame.HEADER_BYTES + 16, totals.frames);
    scratch.set(Frame.U64, Frame.HEADER_BYTES + 24, totals.payloadBytes);
    put(emptyFrame(Frame.KIND_SEAL, Frame.SEAL_BODY_BYTES), lastLsn);
    active = directory.add(lastLsn, active, sealOffset, now());
    totals = new SegmentTotals();
    counters.rotation();
    witnessed = true;
    event.begun = active.name();
    event.lastLsn = lastLsn;
    event.commit();
  }

  /// As [#roll], unless the active segment holds no records.
  void rollIfUsed() throws IOException {
    if (active.hasRecords()) {
      roll();
    }
  }

  private static long sealBytes() {
    return Frame.sizeOf(Frame.SEAL_BODY_BYTES);
  }

  private MemorySegment emptyFrame(int kind, int bodyBytes) {
    long durableLsn = durable.lsn();
    Frame.stamp(
        scratch, scratchView, bodyBytes, 0, durableLsn + 1, durableLsn, now(), kind, active.mask());
    return scratch.asSlice(0, Frame.sizeOf(bodyBytes));
  }

  /// The write and the sync of one frame.
  private void put(MemorySegment frame, long lastLsn) throws IOException {
    Segment segment = active;
    long offset = segment.durableEnd();
    long end = offset + frame.byteSize();
    windows.fill(segment, end);
    calls.write(segment, frame, offset);
    segment.allocatedTo(end);
    calls.sync(segment);
    totals.frames++;
    recent.keep(segment, offset, frame);
    segment.advance(end, lastLsn);
  }

  private long now() {
    lastTime = Math.max(lastTime, clock.millis());
    return lastTime;
  }
}
