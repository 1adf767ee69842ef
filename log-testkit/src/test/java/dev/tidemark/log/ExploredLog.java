package dev.tidemark.log;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashStorage;
import java.util.random.RandomGenerator;

/// A [LogWriter] for the explorer of crashes.
final class ExploredLog implements CrashExplorer.Subject {
  private static final int STEPS = 24;
  private static final String UPKEEP = "tidemark-log-upkeep";

  private final RandomGenerator random;
  private final LogHistory history;

  ExploredLog(RandomGenerator random) {
    this.random = random;
    this.history = LogHistory.of(random);
  }

  @Override
  public void work(CrashStorage storage) throws InterruptedException {
    LogWriter writer = new LogWriter(random, history, storage);
    for (int i = 0; i < STEPS; i++) {
      history.settle();
      writer.step();
      history.idle();
    }
    writer.close();
  }

  /// Lets the thread that makes space finish first; that one waits for nobody.
  @Override
  public void beforeCall() {
    if (!Thread.currentThread().getName().equals(UPKEEP)) {
      history.settle();
    }
  }

  @Override
  public LogPromise promise() {
    return history.promise();
  }
}
