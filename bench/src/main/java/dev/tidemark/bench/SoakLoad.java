package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import dev.tidemark.log.LogStats;
import dev.tidemark.log.Position;
import dev.tidemark.log.RecordNotFoundException;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.Replay;
import dev.tidemark.log.Tail;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/// The soak's loading process: opens the log, writes it from many threads, follows, replays, reads
/// and trims it, and verifies all that it reads, until its standard input ends or it is killed.
///
/// It says a line for each second, and one at its end. A line `FAILED ...` is a promise broken.
final class SoakLoad {
  /// Writers, by number: the lone one that is timed, batches, appends in flights, and others.
  static final int WRITERS = 8;

  static final int SEGMENT_BYTES = 8 << 20;

  private static final int TIMED = 0;
  private static final int BATCHES = 1;
  private static final int FLIGHTS = 2;
  private static final int BATCH_MAX = 50;
  private static final int FLIGHT = 32;
  private static final long TRIM_BYTES = 2L * SEGMENT_BYTES;
  private static final int READ_ONE_OF = 64;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Duration BETWEEN_RAW = Duration.ofMillis(20);

  private final Log log;
  private final SoakMarks marks;
  private final Path rawFile;
  private final Recorder written = new Recorder(3);
  private final Recorder raw = new Recorder(3);
  private final AtomicLong replays = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;

  private SoakLoad(Log log, SoakMarks marks, Path rawFile) {
    this.log = log;
    this.marks = marks;
    this.rawFile = rawFile;
  }

  /// The options of the soak's log: segments small enough to be finished every few seconds.
  static LogOptions options() {
    return LogOptions.builder().segmentBytesMax(SEGMENT_BYTES).build();
  }

  /// Loads until its standard input ends.
  ///
  /// @param args the log's directory, the file of the marks, the plain loop's file
  @SuppressWarnings("SystemExitOutsideMain") // it is the main
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    try (SoakMarks marks = SoakMarks.open(Path.of(args[1]), WRITERS)) {
      Log log = Log.open(Path.of(args[0]), options());
      out.println("opened");
      SoakLoad load = new SoakLoad(log, marks, Path.of(args[2]));
      load.run(out);
      log.close();
      @Nullable Throwable cause = load.failure.get();
      if (cause != null) {
        cause.printStackTrace();
        out.println("FAILED " + cause);
        System.exit(3);
      }
      out.println("closed " + SoakProcess.handles(ProcessHandle.current().pid(), Path.of(args[0])));
    }
  }

  private void run(PrintStream out) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      workers.add(start(kind, () -> write(writer)));
    }
    Tail tail = log.tail(marks.mark());
    Thread consumer = start(Thread.ofPlatform(), () -> consume(tail));
    workers.add(start(Thread.ofPlatform(), this::replay));
    workers.add(start(Thread.ofPlatform(), this::probe));
    Thread.ofPlatform().daemon().start(this::stopAtEndOfInput);
    while (!stopping && failure.get() == null) {
      Thread.sleep(WINDOW);
      say(out);
    }
    stopping = true;
    for (Thread worker : workers) {
      worker.join();
    }
    tail.close();
    consumer.join();
  }

  private void say(PrintStream out) {
    LogStats stats = log.stats();
    var window = written.getIntervalHistogram();
    var probes = raw.getIntervalHistogram();
    out.println(
        String.format(
            Locale.ROOT,
            "window %d %d %d %d %d %d %d",
            stats.records(),
            window.getValueAtPercentile(50) / 1_000,
            window.getValueAtPercentile(99) / 1_000,
            probes.getValueAtPercentile(50) / 1_000,
            stats.diskBytes(),
            replays.get(),
            reads.get()));
  }

  private Thread start(Thread.Builder kind, Callers.Step step) {
    return kind.start(
        () -> {
          try {
            step.once();
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
        });
  }

  private void stopAtEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Only its end means something.
      }
    } catch (IOException e) {
      // No parent: end as well.
    }
    stopping = true;
  }

  private void write(int writer) {
    long number = marks.acknowledged(writer);
    while (!stopping) {
      switch (writer) {
        case TIMED -> {
          byte[] payload = new SoakRecord(writer, ++number, 0, 1).bytes();
          long start = System.nanoTime();
          log.write(payload);
          written.recordValue(System.nanoTime() - start);
        }
        case BATCHES -> {
          int count = (int) (number % BATCH_MAX) + 1;
          List<byte[]> batch = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            batch.add(new SoakRecord(writer, ++number, i, count).bytes());
          }
          log.writeBatch(batch);
        }
        case FLIGHTS -> {
          long lsn = 0;
          for (int i = 0; i < FLIGHT; i++) {
            lsn = log.append(new SoakRecord(writer, ++number, 0, 1).bytes());
          }
          log.awaitDurable(lsn);
        }
        default -> log.write(new SoakRecord(writer, ++number, 0, 1).bytes());
      }
      marks.acknowledged(writer, number);
    }
  }

  /// Follows the log, verifies every record, and trims behind.
  private void consume(Tail tail) {
    SoakVerifier verifier = SoakVerifier.behind(marks.consumed(), marks.mark());
    long bytes = 0;
    for (RecordView view = tail.next(); view != null; view = tail.next()) {
      SoakRecord record = verifier.accept(view);
      // Before the mark moves over it: what the mark lets go has been verified.
      marks.consumed(record.writer(), record.number());
      bytes += view.length();
      if (bytes >= TRIM_BYTES && verifier.betweenBatches()) {
        bytes = 0;
        marks.mark(verifier.lsn() + 1);
        log.trimBefore(verifier.lsn() + 1);
      }
    }
  }

  /// Replays all there is, and reads some of it again by its position.
  private void replay() throws InterruptedException {
    while (!stopping) {
      SoakVerifier verifier = new SoakVerifier(WRITERS);
      try (Replay replay = log.replay(log.firstLsn())) {
        for (RecordView view = replay.next(); view != null && !stopping; view = replay.next()) {
          verifier.accept(view);
          if (view.lsn() % READ_ONE_OF == 0) {
            readAgain(view.position(), view.lsn());
          }
        }
        replays.incrementAndGet();
      } catch (RecordNotFoundException e) {
        // Trimmed between the two calls.
      }
      Thread.sleep(PAUSE);
    }
  }

  private void readAgain(Position position, long lsn) {
    try {
      SoakRecord.of(ByteBuffer.wrap(log.read(position)), lsn);
      reads.incrementAndGet();
    } catch (RecordNotFoundException e) {
      // Trimmed; the replay still holds its file.
    }
  }

  /// Now and then one small durable write of a plain loop: what the disk does meanwhile.
  private void probe() throws Exception {
    try (RawLoop loop = RawLoop.open(rawFile, RawFile.Access.CHANNEL)) {
      Work write = loop.writesOf(LogWork.RECORD_BYTES);
      while (!stopping) {
        long start = System.nanoTime();
        write.rate(Duration.ofNanos(1));
        raw.recordValue(System.nanoTime() - start);
        Thread.sleep(BETWEEN_RAW);
      }
    }
  }
}
