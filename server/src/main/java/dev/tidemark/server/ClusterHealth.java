package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The health of some indices. One node keeps every shard, and no replica has a place: an index
/// that asks for replicas is yellow, any other green.
///
/// @param indices the indices it is about
/// @param activeShards all primaries
/// @param unassignedShards all replicas
record ClusterHealth(List<IndexHealth> indices, long activeShards, long unassignedShards) {
  static final String CLUSTER_NAME = "tidemark";

  /// From best to worst.
  enum Status {
    GREEN,
    YELLOW,
    RED;

    static Status of(IndexTraits traits) {
      return traits.replicas() == 0 ? GREEN : YELLOW;
    }

    /// The status of that name, or null if none is given.
    static @Nullable Status of(@Nullable String name) {
      if (name == null) {
        return null;
      }
      return switch (name) {
        case "green" -> GREEN;
        case "yellow" -> YELLOW;
        case "red" -> RED;
        default ->
            throw ApiException.illegalArgument("unknown cluster health status [" + name + "]");
      };
    }

    String text() {
      return switch (this) {
        case GREEN -> "green";
        case YELLOW -> "yellow";
        case RED -> "red";
      };
    }
  }

  /// One index's share.
  record IndexHealth(String name, IndexTraits traits) {
    long unassigned() {
      return (long) traits.shards() * traits.replicas();
    }
  }

  static ClusterHealth of(Indices indices, List<CollectionInfo> infos) {
    List<IndexHealth> healths =
        infos.stream().map(info -> new IndexHealth(info.name(), indices.traits(info))).toList();
    return new ClusterHealth(
        healths,
        healths.stream().mapToLong(health -> health.traits().shards()).sum(),
        healths.stream().mapToLong(IndexHealth::unassigned).sum());
  }

  Status status() {
    return unassignedShards == 0 ? Status.GREEN : Status.YELLOW;
  }

  double activePercent() {
    long all = activeShards + unassignedShards;
    return all == 0 ? 100.0 : 100.0 * activeShards / all;
  }
}
