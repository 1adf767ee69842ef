package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogException;
import dev.tidemark.log.RecordView;
import dev.tidemark.log.RecoveryReport;
import dev.tidemark.log.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The soak, seen from the process that watches: it starts a [SoakLoad], ends it in order or kills
/// it, opens the log itself and looks for every record that was acknowledged, and again until the
/// time is over.
///
/// Used by one thread.
final class SoakRun {
  private static final Duration EPISODE_MIN = Duration.ofSeconds(2);
  private static final Duration EPISODE_MAX = Duration.ofMinutes(2);

  private final Path log;
  private final Path marksFile;
  private final Path raw;
  private final Path errors;
  private final RandomGenerator random;
  private final SoakFigures figures = new SoakFigures();

  SoakRun(Path folder, RandomGenerator random) throws IOException {
    this.log = Files.createDirectory(folder.resolve("log"));
    this.marksFile = folder.resolve("marks");
    this.raw = folder.resolve("raw");
    this.errors = folder.resolve("errors");
    this.random = random;
    RawLoop.prepare(raw);
  }

  /// Runs for about this long.
  ///
  /// @param say takes a line for each episode
  /// @throws SoakFailure if a promise is broken; the files are as they were then
  List<Row> run(Duration length, Consumer<String> say) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    try (SoakMarks marks = SoakMarks.open(marksFile, SoakLoad.WRITERS)) {
      marks.mark(1);
      for (int i = 0; i < 2 || System.nanoTime() - end < 0; i++) {
        Ending ending =
            i < 2 ? Ending.values()[i] : random.nextBoolean() ? Ending.KILL : Ending.STOP;
        episode(ending, episodeLength(length, end));
        say.accept("%s; %s".formatted(ending.label, verify(marks)));
      }
    }
    return figures.rows();
  }

  /// Between a twentieth and a fifth of the whole.
  private Duration episodeLength(Duration whole, long end) {
    Duration some = Duration.ofNanos(random.nextLong(whole.toNanos() / 20, whole.toNanos() / 5));
    Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
    Duration bounded = some.compareTo(EPISODE_MAX) > 0 ? EPISODE_MAX : some;
    bounded = bounded.compareTo(left) > 0 ? left : bounded;
    return bounded.compareTo(EPISODE_MIN) < 0 ? EPISODE_MIN : bounded;
  }

  private enum Ending {
    KILL("killed"),
    STOP("stopped");

    private final String label;

    Ending(String label) {
      this.label = label;
    }
  }

  private void episode(Ending ending, Duration length) throws Exception {
    try (SoakProcess process = SoakProcess.start(log, marksFile, raw, errors)) {
      Thread ender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(length);
                      switch (ending) {
                        case KILL -> process.kill();
                        case STOP -> process.stop();
                      }
                    } catch (InterruptedException | IOException e) {
                      process.kill();
                    }
                  });
      @Nullable String closed = null;
      figures.episode(ending == Ending.KILL);
      for (String line = process.line(); line != null; line = process.line()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "window" ->
              figures.window(
                  words,
                  SoakProcess.anonymousMib(process.pid()),
                  SoakProcess.handles(process.pid(), log));
          case "closed" -> closed = words[1];
          case "FAILED" -> throw new SoakFailure(line + "; " + Files.readString(errors));
          default -> {}
        }
      }
      int status = process.await();
      ender.interrupt();
      ender.join();
      if (ending == Ending.STOP) {
        if (closed == null || status != 0) {
          throw new SoakFailure(
              "the loading process ended with status "
                  + status
                  + " and did not close its log; it said: "
                  + Files.readString(errors));
        }
        figures.handlesLeft(Integer.parseInt(closed));
      }
    }
  }

  /// Opens the log, looks for what was acknowledged, and writes down where the next process goes
  /// on.
  private String verify(SoakMarks marks) {
    try (Log opened = Log.open(log, SoakLoad.options())) {
      SoakVerifier found = verify(opened, marks);
      long acknowledged = 0;
      for (int i = 0; i < marks.writers(); i++) {
        long last = Math.max(found.last(i), marks.consumed(i));
        marks.acknowledged(i, last);
        marks.consumed(i, last);
        acknowledged += last;
      }
      marks.mark(opened.durableLsn() + 1);
      figures.verified(acknowledged, opened.recovery() instanceof RecoveryReport.TornTail);
      return "%,d records written, the last %,d still here and whole; %s"
          .formatted(acknowledged, opened.durableLsn() - opened.firstLsn() + 1, opened.recovery());
    } catch (LogException e) {
      throw new SoakFailure("the log did not open or replay: " + e);
    }
  }

  /// Looks for every record that was acknowledged: it is here, or below the mark, and then the
  /// consumer has verified it.
  ///
  /// @throws SoakFailure if one is missing
  static SoakVerifier verify(Log log, SoakMarks marks) {
    if (log.firstLsn() > marks.mark()) {
      throw new SoakFailure(
          "LSN " + marks.mark() + " is to be kept, and the first one here is " + log.firstLsn());
    }
    SoakVerifier verifier = new SoakVerifier(marks.writers());
    try (Replay replay = log.replay(log.firstLsn())) {
      for (RecordView view = replay.next(); view != null; view = replay.next()) {
        verifier.accept(view);
      }
    }
    if (!verifier.betweenBatches()) {
      throw new SoakFailure("the log ends within a batch, at LSN " + verifier.lsn());
    }
    for (int i = 0; i < marks.writers(); i++) {
      boolean seen = verifier.first(i) > 0;
      if (seen && verifier.first(i) > marks.consumed(i) + 1) {
        throw new SoakFailure(
            "writer %d: records behind number %d are gone, the first one here is %d"
                .formatted(i, marks.consumed(i), verifier.first(i)));
      }
      long last = seen ? verifier.last(i) : marks.consumed(i);
      if (last < marks.acknowledged(i)) {
        throw new SoakFailure(
            "writer %d: number %d was acknowledged, and the last one here is %d"
                .formatted(i, marks.acknowledged(i), last));
      }
    }
    return verifier;
  }
}
