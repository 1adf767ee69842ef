package dev.tidemark.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/// Tells on standard error how a load goes: a bar that is redrawn on a terminal, a line every ten
/// seconds elsewhere. Its own thread writes; [#close] ends it.
final class Progress implements AutoCloseable {
  private static final int BAR_WIDTH = 24;

  private final PrintStream err;
  private final Screen screen;
  private final Input input;
  private final Sender sender;
  private final Rejects rejects;
  private final long since = System.nanoTime();
  private final Thread thread;

  Progress(Streams streams, Input input, Sender sender, Rejects rejects) {
    this.err = streams.err();
    this.screen = streams.errScreen();
    this.input = input;
    this.sender = sender;
    this.rejects = rejects;
    this.thread = Thread.ofVirtual().name("progress").start(this::run);
  }

  private void run() {
    Duration step = screen == Screen.TERMINAL ? Duration.ofMillis(200) : Duration.ofSeconds(10);
    try {
      while (true) {
        Thread.sleep(step);
        if (screen == Screen.TERMINAL) {
          // Return to the line's start, and clear what the last text leaves behind this one.
          err.print("\r" + bar() + text() + "\033[K");
          err.flush();
        } else {
          err.println(text());
        }
      }
    } catch (InterruptedException e) {
      if (screen == Screen.TERMINAL) {
        err.print("\r\033[K");
        err.flush();
      }
    }
  }

  private double share() {
    return input.size() <= 0 ? 0 : Math.min(1, (double) input.position() / input.size());
  }

  private String bar() {
    if (input.size() <= 0) {
      return "";
    }
    int full = (int) (share() * BAR_WIDTH);
    return "[" + "#".repeat(full) + ".".repeat(BAR_WIDTH - full) + "] ";
  }

  private String text() {
    double seconds = (System.nanoTime() - since) / 1e9;
    long taken = sender.taken();
    var text = new StringBuilder();
    if (input.size() > 0) {
      text.append(String.format(Locale.ROOT, "%3.0f %%  ", share() * 100));
    }
    text.append(
        String.format(
            Locale.ROOT, "%,d documents, %,.0f/s", taken, taken / Math.max(seconds, 1e-3)));
    if (rejects.count() > 0) {
      text.append(String.format(Locale.ROOT, ", %,d rejected", rejects.count()));
    }
    if (share() > 0.01) {
      long left = Math.round(seconds / share() * (1 - share()));
      text.append(String.format(Locale.ROOT, ", %d:%02d left", left / 60, left % 60));
    }
    return text.toString();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
