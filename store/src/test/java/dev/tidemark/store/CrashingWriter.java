package dev.tidemark.store;

import dev.tidemark.log.LogOptions;
import dev.tidemark.store.Operation.Delete;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Outcome.Applied;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// The process that [StoreCrashTest] kills. Threads write documents of their own without end, and
/// tell on standard output what they are about to write and what was acknowledged, a line each, so
/// that whoever reads knows what must be there:
///
/// ```
/// READY
/// B thread id=body|-  id=body|- ... .     before a batch; - is a delete
/// A thread id=version/seqNo ... .         after it, acknowledged
/// WINDOW                                  the key-value side will stay behind the log from now on
/// ```
final class CrashingWriter {
  static final int THREADS = 6;
  static final int IDS = 12;

  /// What happens to the key-value side while the threads write.
  enum Mode {
    /// It is never flushed.
    UNFLUSHED,
    /// It is flushed once, then stays behind the log: the window is held open.
    FLUSHED_BEHIND,
    /// It is flushed and the log trimmed all the time.
    TRIMMED
  }

  private final DocumentStore store;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final AtomicLong acknowledged = new AtomicLong();

  private CrashingWriter(DocumentStore store) {
    this.store = store;
  }

  static StoreOptions options(Mode mode) {
    return StoreOptions.builder()
        .log(LogOptions.builder().segmentBytesMax(64 << 10).windowBytes(16 << 10).build())
        .checkpointBytes(mode == Mode.TRIMMED ? 20_000 : 1L << 40)
        .memtableBytes(4 << 20)
        .blockCacheBytes(2 << 20)
        .build();
  }

  /// Runs until it is killed.
  ///
  /// @param args directory, mode, number of the round
  public static void main(String[] args) throws InterruptedException {
    Mode mode = Mode.valueOf(args[1]);
    CrashingWriter writer = new CrashingWriter(DocumentStore.open(Path.of(args[0]), options(mode)));
    // A delete would not create it.
    writer.store.execute(Docs.newCollection("crash"));
    writer.say("READY");
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      // Half of them as the server's requests, half as others.
      Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
      builder.start(
          () -> {
            try {
              writer.write(thread, args[2]);
            } catch (RuntimeException | Error e) {
              e.printStackTrace();
              Runtime.getRuntime().halt(1);
            }
          });
    }
    if (mode == Mode.FLUSHED_BEHIND) {
      writer.awaitAcknowledged(20);
      writer.store.checkpoint();
      writer.awaitAcknowledged(20);
      writer.say("WINDOW");
    }
    Thread.sleep(60_000);
    // Nobody killed it: whoever started it is gone.
    Runtime.getRuntime().halt(1);
  }

  private void awaitAcknowledged(int more) throws InterruptedException {
    long target = acknowledged.get() + more;
    while (acknowledged.get() < target) {
      Thread.sleep(1);
    }
  }

  private void write(int thread, String round) {
    SplittableRandom random = new SplittableRandom();
    for (int i = 0; ; i++) {
      int size = random.nextInt(3) == 0 ? 1 + random.nextInt(IDS) : 1;
      List<Operation> operations = new ArrayList<>();
      StringBuilder intent = new StringBuilder("B " + thread);
      for (int n = 0; n < size; n++) {
        String id = thread + "-" + random.nextInt(IDS);
        if (random.nextInt(5) == 0) {
          operations.add(new Delete("crash", id, null, Precondition.NONE));
          intent.append(' ').append(id).append("=-");
        } else {
          String pad = "x".repeat(random.nextInt(random.nextInt(20) == 0 ? 3000 : 60));
          String body = "{\"r\":\"%s\",\"i\":%d.%d0,\"p\":\"%s\"}".formatted(round, i, n, pad);
          byte[] json = body.getBytes(StandardCharsets.UTF_8);
          operations.add(new Put("crash", id, null, JsonText.parse(json), Precondition.NONE));
          intent.append(' ').append(id).append('=').append(body);
        }
      }
      say(intent.append(" .").toString());
      List<Outcome> outcomes =
          size == 1 ? List.of(store.execute(operations.getFirst())) : store.executeAll(operations);
      StringBuilder answer = new StringBuilder("A " + thread);
      for (Outcome outcome : outcomes) {
        Applied applied = (Applied) outcome;
        answer.append(" %s=%d/%d".formatted(applied.id(), applied.version(), applied.seqNo()));
      }
      say(answer.append(" .").toString());
      acknowledged.incrementAndGet();
    }
  }

  /// One write for a line, so that a kill cuts the last one at most.
  private synchronized void say(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
