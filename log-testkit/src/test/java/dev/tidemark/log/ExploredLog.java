package dev.tidemark.log;

import dev.tidemark.log.testkit.CrashExplorer;
import dev.tidemark.log.testkit.CrashStorage;
import java.util.random.RandomGenerator;

/// A [LogWriter] for the explorer of crashes.
final class ExploredLog implements CrashExplorer.Subject {
  private static final int STEPS = 24;

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
      writer.step();
      history.idle();
    }
    writer.close();
  }

  @Override
  public LogPromise promise() {
    return history.promise();
  }
}
