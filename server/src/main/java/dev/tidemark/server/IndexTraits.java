package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the server reads out of a collection's settings, mappings, and aliases. It never changes
/// over a collection's life, so it is read once.
///
/// @param replicas each copy that would be kept elsewhere; there is no elsewhere, so they are
///   counted as unassigned
/// @param hidden whether wildcards pass the index by
/// @param shards as asked for; all documents are in one place, but see [#shard]
/// @param mapping the mapping's parts that the document routes need
record IndexTraits(
    IndexSettings settings,
    int shards,
    int routingShards,
    int replicas,
    boolean hidden,
    Map<String, IndexAlias> aliases,
    IndexMapping mapping) {

  static IndexTraits of(CollectionInfo collection) {
    IndexSettings settings = IndexSettings.of(collection.settings());
    JsonCursor aliases = new JsonCursor(collection.aliases());
    return new IndexTraits(
        settings,
        settings.shards(),
        settings.routingShards(),
        settings.replicas(),
        settings.hidden(),
        aliases.atObject() ? IndexAlias.readAll(aliases) : Map.of(),
        IndexMapping.of(collection.mappings()));
  }

  /// Whether a document that was written with one routing is where a request with another looks for
  /// it. In an index of several shards OpenSearch looks in one only, the routing's, and clients
  /// that forget it must not come to rely on more.
  boolean sameShard(String id, @Nullable String written, @Nullable String asked) {
    return shards == 1
        || shard(written == null ? id : written) == shard(asked == null ? id : asked);
  }

  private int shard(String routing) {
    return Math.floorMod(RoutingHash.of(routing), routingShards) / (routingShards / shards);
  }
}
