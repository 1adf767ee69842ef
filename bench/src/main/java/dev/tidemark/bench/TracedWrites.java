package dev.tidemark.bench;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A process for [SystemCalls] to trace: one thread that writes records and waits until each is
/// durable, between two marks that the trace shows.
final class TracedWrites {
  /// The log, as a target; any other is a peer's name.
  static final String LOG = "log";

  static final String BEGIN = "mark-begin";
  static final String END = "mark-end";

  private static final int WARM_UP = 100;
  private static final Duration QUIET = Duration.ofMillis(200);

  private TracedWrites() {}

  /// Writes.
  ///
  /// @param args the target, an empty folder, how many records
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[1]);
    Path store = Files.createDirectory(folder.resolve("store"));
    int writes = Integer.parseInt(args[2]);
    if (args[0].equals(LOG)) {
      // No window and no frame without records is due within what is counted.
      LogOptions options =
          LogOptions.builder().windowBytes(4 << 20).witnessDelay(Duration.ZERO).build();
      try (Log log = Log.open(store, options)) {
        write(log::write, folder, writes);
      }
      return;
    }
    Peer peer =
        PeerRows.peers().stream()
            .filter(some -> some.name().equals(args[0]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no peer is called " + args[0]));
    try (Peer.Store opened = peer.open(store)) {
      write(opened::write, folder, writes);
    }
  }

  private static void write(Sink sink, Path folder, int writes) throws Exception {
    byte[] record = LogWork.payload();
    for (int i = 0; i < WARM_UP; i++) {
      sink.write(record);
    }
    // What goes on behind the writes comes to its end.
    Thread.sleep(QUIET);
    Files.createDirectory(folder.resolve(BEGIN));
    for (int i = 0; i < writes; i++) {
      sink.write(record);
    }
    Files.createDirectory(folder.resolve(END));
  }

  @FunctionalInterface
  private interface Sink {
    void write(byte[] record) throws Exception;
  }
}
