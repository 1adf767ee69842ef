package dev.tidemark.log;

import dev.tidemark.log.SyncWatch.Call;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The two system calls of a frame, its write and its sync, each timed, counted, and watched while
/// it runs. Used by the holder of the commit role; what a call throws is passed on, and a call that
/// failed is not counted.
final class FrameCalls {
  private final Counters counters;
  private final SyncWatch watch;

  /// Only asked whether the event is wanted.
  private final LogEvents.Sync wanted = new LogEvents.Sync();

  private long writeNanos;
  private long syncNanos;

  FrameCalls(Counters counters, SyncWatch watch) {
    this.counters = counters;
    this.watch = watch;
  }

  void write(Segment segment, MemorySegment frame, long offset) throws IOException {
    watch.begin(Call.WRITE, segment.name());
    try {
      segment.file().write(frame, offset);
    } finally {
      writeNanos = watch.end();
    }
    counters.write(writeNanos);
  }

  void sync(Segment segment) throws IOException {
    LogEvents.Sync event = beginEvent();
    watch.begin(Call.SYNC, segment.name());
    try {
      segment.file().sync();
    } finally {
      syncNanos = watch.end();
      if (event != null) {
        tell(event, segment);
      }
    }
    counters.sync(syncNanos);
  }

  /// Null, and nothing allocated, where nobody wants to know.
  private LogEvents.@Nullable Sync beginEvent() {
    if (!wanted.isEnabled()) {
      return null;
    }
    LogEvents.Sync event = new LogEvents.Sync();
    event.begin();
    return event;
  }

  private static void tell(LogEvents.Sync event, Segment segment) {
    event.end();
    if (event.shouldCommit()) {
      event.file = segment.name();
      event.commit();
    }
  }

  /// How long the last write took.
  long writeNanos() {
    return writeNanos;
  }

  /// How long the last sync took.
  long syncNanos() {
    return syncNanos;
  }
}
