package dev.tidemark.server;

import dev.tidemark.server.CatTable.Align;
import dev.tidemark.server.CatTable.Cell;
import dev.tidemark.server.CatTable.Column;
import dev.tidemark.server.CatTable.Shown;
import dev.tidemark.store.CollectionInfo;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tables for people: `_cat/indices`, `_cat/count`, `_cat/health`.
final class CatRoutes {
  private static final Set<String> PARAMETERS = parameters();

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Column EPOCH = left("epoch", "t,time", "when, in seconds since 1970 began");
  private static final Column TIMESTAMP = left("timestamp", "ts,hms,hhmmss", "when, as HH:MM:SS");

  private static final List<Column> COUNT_COLUMNS =
      List.of(EPOCH, TIMESTAMP, left("count", "dc,docs.count,docsCount", "documents"));

  private static final List<Column> INDEX_COLUMNS =
      List.of(
          left("health", "h", "health now"),
          left("status", "s", "open or closed"),
          left("index", "i,idx", "name"),
          left("uuid", "id,uuid", "unique id"),
          right("pri", "p,shards.primary,shardsPrimary", "primary shards"),
          right("rep", "r,shards.replica,shardsReplica", "replicas of each shard"),
          right("docs.count", "dc,docsCount", "live documents"),
          right("docs.deleted", "dd,docsDeleted", "deleted documents still known"),
          onRequest("creation.date", "cd", "when it was created, in milliseconds since 1970 began"),
          onRequest("creation.date.string", "cds", "when it was created"),
          right("store.size", "ss,storeSize", "size of the documents in all copies"),
          right("pri.store.size", "", "size of the documents"));

  private static final List<Column> HEALTH_COLUMNS =
      List.of(
          EPOCH,
          TIMESTAMP,
          left("cluster", "cl", "name of the cluster"),
          left("status", "st", "health now"),
          right("node.total", "nt,nodeTotal", "nodes"),
          right("node.data", "nd,nodeData", "nodes that keep documents"),
          left("discovered_cluster_manager", "dcm", "whether a cluster manager was found"),
          right("shards", "t,sh,shards.total,shardsTotal", "shards in service"),
          right("pri", "p,shards.primary,shardsPrimary", "primary shards"),
          right("relo", "r,shards.relocating,shardsRelocating", "shards on the move"),
          right("init", "i,shards.initializing,shardsInitializing", "shards being made"),
          right("unassign", "u,shards.unassigned,shardsUnassigned", "shards with no place"),
          right("pending_tasks", "pt,pendingTasks", "tasks that wait"),
          right("max_task_wait_time", "mtwt,maxTaskWaitTime", "how long the oldest waits"),
          right("active_shards_percent", "asp,activeShardsPercent", "shards in service, of all"));

  private final Indices indices;

  CatRoutes(Indices indices) {
    this.indices = indices;
  }

  private static Set<String> parameters() {
    Set<String> all = new HashSet<>(IndexExpression.PARAMETERS);
    all.addAll(
        List.of(
            "h",
            "help",
            "v",
            "s",
            "ts",
            "pri",
            "bytes",
            "size",
            "time",
            "local",
            "health",
            "timeout",
            "master_timeout",
            "cluster_manager_timeout",
            "include_unloaded_segments"));
    return Set.copyOf(all);
  }

  private static Column left(String name, String aliases, String description) {
    return new Column(name, aliases, Align.LEFT, Shown.ALWAYS, description);
  }

  private static Column right(String name, String aliases, String description) {
    return new Column(name, aliases, Align.RIGHT, Shown.ALWAYS, description);
  }

  private static Column onRequest(String name, String aliases, String description) {
    return new Column(name, aliases, Align.LEFT, Shown.ON_REQUEST, description);
  }

  void addTo(Routes routes) {
    routes.add("GET", "/_cat", PARAMETERS, Route.Content.NONE, _ -> contents());
    routes.add("GET", "/_cat/indices", PARAMETERS, Route.Content.NONE, this::indices);
    routes.add("GET", "/_cat/indices/{index}", PARAMETERS, Route.Content.NONE, this::indices);
    routes.add("GET", "/_cat/count", PARAMETERS, Route.Content.NONE, this::count);
    routes.add("GET", "/_cat/count/{index}", PARAMETERS, Route.Content.NONE, this::count);
    routes.add("GET", "/_cat/health", PARAMETERS, Route.Content.NONE, this::health);
  }

  private static Answer contents() {
    return Answer.text(
        """
        =^.^=
        /_cat/indices
        /_cat/indices/{index}
        /_cat/count
        /_cat/count/{index}
        /_cat/health
        """);
  }

  private List<CollectionInfo> named(ApiRequest request) {
    String expression = request.path().count() > 2 ? request.path().step(2) : null;
    return IndexExpression.of(request.parameters(), IndexExpression.Aliases.RESOLVED)
        .resolve(indices, expression);
  }

  private Answer indices(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    ClusterHealth.Status wanted = ClusterHealth.Status.of(parameters.text("health"));
    CatTable table = new CatTable(INDEX_COLUMNS);
    if (!parameters.isOn("help")) {
      for (CollectionInfo info : named(request)) {
        IndexTraits traits = indices.traits(info);
        ClusterHealth.Status status = ClusterHealth.Status.of(traits);
        if (wanted == null || wanted == status) {
          table.addRow(row(info, traits, status, parameters.text("bytes")));
        }
      }
    }
    return table.answer(request);
  }

  private static List<Cell> row(
      CollectionInfo info,
      IndexTraits traits,
      ClusterHealth.Status status,
      @Nullable String bytesUnit) {
    return List.of(
        Cell.of(status.text()),
        Cell.of("open"),
        Cell.of(info.name()),
        Cell.of(info.uuid()),
        Cell.of(traits.shards()),
        Cell.of(traits.replicas()),
        Cell.of(info.documents()),
        Cell.of(info.deleted()),
        Cell.of(info.createdAtMs()),
        Cell.of(DATE.format(Instant.ofEpochMilli(info.createdAtMs()))),
        Cell.bytes(info.sourceBytes(), bytesUnit),
        Cell.bytes(info.sourceBytes(), bytesUnit));
  }

  private Answer count(ApiRequest request) {
    CatTable table = new CatTable(COUNT_COLUMNS);
    if (!request.parameters().isOn("help")) {
      long documents = 0;
      for (CollectionInfo info : named(request)) {
        documents += info.documents();
      }
      Instant now = Instant.now();
      table.addRow(List.of(epoch(now), clock(now), Cell.of(documents)));
    }
    return table.answer(request);
  }

  private Answer health(ApiRequest request) {
    ClusterHealth health = ClusterHealth.of(indices, List.copyOf(indices.all().values()));
    CatTable table = new CatTable(HEALTH_COLUMNS);
    Instant now = Instant.now();
    table.addRow(
        List.of(
            epoch(now),
            clock(now),
            Cell.of(ClusterHealth.CLUSTER_NAME),
            Cell.of(health.status().text()),
            Cell.of(1),
            Cell.of(1),
            Cell.of("true"),
            Cell.of(health.activeShards()),
            Cell.of(health.activeShards()),
            Cell.of(0),
            Cell.of(0),
            Cell.of(health.unassignedShards()),
            Cell.of(0),
            Cell.of("-"),
            Cell.of(String.format(Locale.ROOT, "%.1f%%", health.activePercent()))));
    return table.answer(request);
  }

  private static Cell epoch(Instant now) {
    return Cell.of(now.getEpochSecond());
  }

  private static Cell clock(Instant now) {
    return Cell.of(CLOCK.format(now));
  }
}
