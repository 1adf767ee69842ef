package dev.tidemark.bench;

import dev.tidemark.log.Log;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/// The log's writes beside other engines that do the same with the same durability. A ratio says
/// how many times as fast as the other the log was.
///
/// The other's callers are platform threads, where the log's are virtual too: its locks and native
/// calls would hold the few threads that carry virtual ones.
final class PeerRows {
  /// How many writes are traced.
  private static final int TRACED = 100;

  private PeerRows() {}

  /// The peers of this program, sorted by name.
  static List<Peer> peers() {
    List<Peer> peers = new ArrayList<>();
    ServiceLoader.load(Peer.class).forEach(peers::add);
    peers.sort((a, b) -> a.name().compareTo(b.name()));
    return peers;
  }

  static List<LogRows.Spec> of(List<Peer> peers) {
    List<LogRows.Spec> specs = new ArrayList<>();
    for (Peer peer : peers) {
      specs.add(syncs(peer));
      specs.add(write(peer, "write/1", 1, Thread.ofPlatform()));
      specs.add(write(peer, "write/8-platform", 8, Thread.ofPlatform()));
      specs.add(write(peer, "write/32-virtual", 32, Thread.ofVirtual()));
      specs.add(write(peer, "write/256-virtual", 256, Thread.ofVirtual()));
      specs.add(batches(peer));
    }
    return specs;
  }

  /// The proof that the other does sync: what one of its writes costs the system.
  private static LogRows.Spec syncs(Peer peer) {
    String name = "syncs/" + peer.name();
    return new LogRows.Spec(
        name,
        bed -> {
          if (!SystemCalls.available()) {
            return List.of();
          }
          SystemCalls calls = SystemCalls.ofWrites(peer.name(), bed.directory(), TRACED);
          return List.of(
              Row.alone(
                  name,
                  "1/write",
                  new Series(List.of((double) calls.syncs() / TRACED)),
                  Row.Target.atLeast(1, Double.NaN)));
        });
  }

  private static LogRows.Spec write(Peer peer, String work, int writers, Thread.Builder callers) {
    String name = work + "/" + peer.name();
    byte[] record = LogWork.payload();
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh();
              Peer.Store store = peer.open(Files.createTempDirectory(bed.directory(), "peer-"))) {
            Work other =
                length ->
                    LogWork.durableWrites(
                        writers, Thread.ofPlatform(), length, () -> store.write(record));
            Rounds.Pairs pairs =
                bed.rounds().brief().inTurn(other, LogWork.writes(log, writers, callers));
            return List.of(Row.against(peer.name(), name, WriteRows.UNIT, pairs, null));
          }
        });
  }

  private static LogRows.Spec batches(Peer peer) {
    String name = "batch/1000/" + peer.name();
    List<byte[]> batch = Collections.nCopies(LogWork.BATCH, LogWork.payload());
    return new LogRows.Spec(
        name,
        bed -> {
          try (Log log = bed.fresh();
              Peer.Store store = peer.open(Files.createTempDirectory(bed.directory(), "peer-"))) {
            Work other =
                length ->
                    LogWork.BATCH
                        * LogWork.durableWrites(
                            1, Thread.ofPlatform(), length, () -> store.writeBatch(batch));
            Rounds.Pairs pairs = bed.rounds().brief().inTurn(other, LogWork.batches(log));
            return List.of(Row.against(peer.name(), name, WriteRows.UNIT, pairs, null));
          }
        });
  }
}
