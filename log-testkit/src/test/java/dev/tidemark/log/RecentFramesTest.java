package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// The last frames in memory: what is read there is what was put there, or nothing.
class RecentFramesTest {
  private static final int KEPT = 1 << 20;

  private final Seed seed = Seed.ofRun();
  private final SplittableRandom random = new SplittableRandom(seed.value());
  private final Segment segment = segment(1);
  private final RecentFrames recent = new RecentFrames();

  /// A segment whose file is empty, so that what is not in memory is not to be had.
  private static Segment segment(long firstLsn) {
    try {
      SegmentHeader header = new SegmentHeader(77, firstLsn, 0, 0, 0, 0);
      return new Segment(header, new CrashStorage().create("empty"), 4096, firstLsn - 1, 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte at(long offset) {
    return (byte) ((offset * 0x9E3779B97F4A7C15L) >>> 56);
  }

  /// Bytes that tell their offset.
  private MemorySegment frame(long offset, int size) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[size]);
    for (int i = 0; i < size; i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, at(offset + i));
    }
    return bytes;
  }

  /// Whether the bytes are there; if so, they are the right ones.
  private boolean has(Segment of, long offset, int size) throws IOException {
    MemorySegment target = MemorySegment.ofArray(new byte[size]);
    if (recent.bytesOf(of).read(target, offset) < size) {
      return false;
    }
    assertEquals(-1, frame(offset, size).mismatch(target), seed.toString());
    return true;
  }

  @Test
  void nothingIsKeptBeforeTheStartAndAfterTheStop() throws Exception {
    recent.keep(segment, 4096, frame(4096, 100));
    assertFalse(has(segment, 4096, 100));
    recent.start();
    assertFalse(has(segment, 4096, 100));
    recent.keep(segment, 4196, frame(4196, 100));
    assertTrue(has(segment, 4196, 100));
    recent.stop();
    assertFalse(has(segment, 4196, 100));
  }

  @Test
  void theLastBytesAreThereAndNoOthers() throws Exception {
    recent.start();
    long end = 4096;
    for (int i = 0; i < 200; i++) {
      int size = 8 + random.nextInt(random.nextBoolean() ? 300 : 200_000);
      recent.keep(segment, end, frame(end, size));
      end += size;
      long start = Math.max(4096, end - KEPT);
      assertTrue(has(segment, end - size, size));
      assertTrue(has(segment, start, 1));
      assertTrue(has(segment, start, (int) (end - start)));
      assertFalse(has(segment, start - 1, 2));
      assertFalse(has(segment, end - 1, 2));
      assertFalse(has(segment, end, 1));
    }
  }

  @Test
  void aFrameThatDoesNotFollowBeginsAnew() throws Exception {
    recent.start();
    recent.keep(segment, 4096, frame(4096, 100));
    recent.keep(segment, 5000, frame(5000, 100));
    assertFalse(has(segment, 4096, 100));
    assertTrue(has(segment, 5000, 100));
  }

  @Test
  void theLastFramesOfASegmentStayWhenTheNextBegins() throws Exception {
    recent.start();
    recent.keep(segment, 9000, frame(9000, 100));
    Segment next = segment(2);
    assertFalse(has(next, 4096, 100));
    recent.keep(next, 4096, frame(4096, 200));
    assertTrue(has(segment, 9000, 100));
    assertTrue(has(next, 4096, 200));
    Segment large = segment(3);
    recent.keep(large, 4096, frame(4096, KEPT - 150));
    assertFalse(has(segment, 9000, 100));
    assertFalse(has(next, 4096, 200));
    assertTrue(has(next, 4296 - 150, 150));
    assertTrue(has(large, 4096, KEPT - 150));
  }

  @Test
  void keepingIsStartedAnewWithoutTakingOldBytesForNewOnes() throws Exception {
    for (int i = 0; i < 20; i++) {
      recent.start();
      assertFalse(has(segment, 4096 + 100 * i, 100));
      recent.keep(segment, 4096 + 100 * i, frame(4096 + 100 * i, 100));
      assertTrue(has(segment, 4096 + 100 * i, 100));
      assertFalse(i > 0 && has(segment, 4096 + 100 * (i - 1), 100));
      recent.stop();
      // Not kept: there is a gap in what is.
      recent.keep(segment, 4096 + 100 * ++i, frame(4096 + 100 * i, 100));
    }
  }

  @Test
  void aFrameLargerThanTheMemoryIsLeftOutAndTheNextIsThere() throws Exception {
    recent.start();
    recent.keep(segment, 4096, frame(4096, 100));
    recent.keep(segment, 4196, frame(4196, KEPT + 8));
    assertFalse(has(segment, 4096, 100));
    assertFalse(has(segment, 4196, 100));
    long end = 4196 + KEPT + 8;
    recent.keep(segment, end, frame(end, KEPT));
    assertTrue(has(segment, end, KEPT));
  }

  @Test
  void whatIsOverwrittenDuringAReadIsNotGiven() throws Exception {
    recent.start();
    AtomicLong end = new AtomicLong(4096);
    AtomicBoolean done = new AtomicBoolean();
    Call<Integer> reader =
        ThreadKind.PLATFORM.start(
            () -> {
              int there = 0;
              while (!done.get()) {
                // About where it is being overwritten.
                long offset = Math.max(4096, end.get() - KEPT + random.nextInt(3000));
                there += has(segment, offset, 1500) ? 1 : 0;
              }
              return there;
            });
    for (int i = 0; i < 20_000 && !reader.result().isDone(); i++) {
      long offset = end.get();
      int size = 500 + i % 700;
      recent.keep(segment, offset, frame(offset, size));
      end.set(offset + size);
    }
    done.set(true);
    assertTrue(reader.join() > 0, "it never met any");
  }
}
