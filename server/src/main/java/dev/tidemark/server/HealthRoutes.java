package dev.tidemark.server;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `_cluster/health`, at once or as soon as it is as good as asked.
final class HealthRoutes {
  private static final Set<String> PARAMETERS = parameters();
  private static final long POLL_MS = 20;

  private final Indices indices;

  HealthRoutes(Indices indices) {
    this.indices = indices;
  }

  private static Set<String> parameters() {
    Set<String> all = new HashSet<>(IndexExpression.PARAMETERS);
    all.addAll(
        List.of(
            "level",
            "local",
            "timeout",
            "master_timeout",
            "cluster_manager_timeout",
            "wait_for_active_shards",
            "wait_for_nodes",
            "wait_for_events",
            "wait_for_status",
            "wait_for_no_relocating_shards",
            "wait_for_no_initializing_shards",
            "awareness_attribute",
            "ensure_node_weighed_in"));
    return Set.copyOf(all);
  }

  void addTo(Routes routes) {
    routes.add("GET", "/_cluster/health", PARAMETERS, Route.Content.NONE, this::health);
    routes.add("GET", "/_cluster/health/{index}", PARAMETERS, Route.Content.NONE, this::health);
  }

  private Answer health(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    Wish wish = Wish.of(parameters);
    String level = parameters.text("level", "cluster");
    if (!Set.of("cluster", "indices", "shards").contains(level)) {
      throw ApiException.illegalArgument(
          "level must be one of [cluster, indices, shards] but was [" + level + "]");
    }
    long deadline = System.nanoTime() + wish.timeoutMs() * 1_000_000;
    while (true) {
      ClusterHealth health = current(request);
      boolean late = System.nanoTime() - deadline >= 0;
      if (health != null && wish.isGrantedBy(health)) {
        return answer(200, health, level);
      }
      if (late) {
        return answer(408, health == null ? new ClusterHealth(List.of(), 0, 0) : health, level);
      }
      try {
        Thread.sleep(POLL_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ApiException.of(503, "node_closed_exception", "the server is stopping");
      }
    }
  }

  /// The health of the indices asked for, or null while one of them is missing.
  private @Nullable ClusterHealth current(ApiRequest request) {
    String expression = request.path().count() > 2 ? request.path().step(2) : null;
    IndexExpression asked = IndexExpression.withHidden(request.parameters());
    try {
      return ClusterHealth.of(indices, asked.resolve(indices, expression));
    } catch (ApiException e) {
      if (e.status() == 404) {
        return null;
      }
      throw e;
    }
  }

  /// What a request waits for.
  ///
  /// @param status the worst status that will do; null if any does
  /// @param activeShards how many shards must be in service
  /// @param allActive whether every copy must be
  /// @param nodes whether one node is as many as asked for
  private record Wish(
      ClusterHealth.@Nullable Status status,
      long activeShards,
      boolean allActive,
      boolean nodes,
      long timeoutMs) {
    static Wish of(RequestParameters parameters) {
      String active = parameters.text("wait_for_active_shards", "0");
      boolean all = active.equals("all");
      if (!all && !active.matches("[0-9]{1,9}")) {
        throw ApiException.illegalArgument("cannot parse ActiveShardCount[" + active + "]");
      }
      return new Wish(
          ClusterHealth.Status.of(parameters.text("wait_for_status")),
          all ? 0 : Long.parseLong(active),
          all,
          oneNodeSuffices(parameters.text("wait_for_nodes", "1")),
          parameters.millis("timeout", 30_000));
    }

    private static boolean oneNodeSuffices(String wish) {
      String text = wish.toLowerCase(Locale.ROOT).replaceAll("[() ]", "");
      String number = text.replaceAll("[^0-9]", "");
      long count;
      try {
        count = Long.parseLong(number);
      } catch (NumberFormatException e) {
        throw ApiException.illegalArgument(
            "cannot parse [wait_for_nodes] with value [" + wish + "]");
      }
      return switch (text.substring(0, text.length() - number.length())) {
        case ">=", "ge" -> 1 >= count;
        case "<=", "le" -> 1 <= count;
        case ">", "gt" -> 1 > count;
        case "<", "lt" -> 1 < count;
        case "" -> 1 == count;
        default ->
            throw ApiException.illegalArgument(
                "cannot parse [wait_for_nodes] with value [" + wish + "]");
      };
    }

    boolean isGrantedBy(ClusterHealth health) {
      return nodes
          && (status == null || health.status().compareTo(status) <= 0)
          && (allActive ? health.unassignedShards() == 0 : health.activeShards() >= activeShards);
    }
  }

  private static Answer answer(int status, ClusterHealth health, String level) {
    JsonOutput out = new JsonOutput().openObject();
    out.field("cluster_name", ClusterHealth.CLUSTER_NAME);
    out.field("status", health.status().text()).field("timed_out", status == 408);
    out.field("number_of_nodes", 1).field("number_of_data_nodes", 1);
    out.field("discovered_master", true).field("discovered_cluster_manager", true);
    shards(health.activeShards(), health.unassignedShards(), out);
    out.field("delayed_unassigned_shards", 0).field("number_of_pending_tasks", 0);
    out.field("number_of_in_flight_fetch", 0).field("task_max_waiting_in_queue_millis", 0);
    String percent = Double.toString(health.activePercent());
    out.name("active_shards_percent_as_number").raw(percent.getBytes(StandardCharsets.US_ASCII));
    if (!level.equals("cluster")) {
      out.name("indices").openObject();
      health.indices().forEach(index -> index(index, level, out));
      out.closeObject();
    }
    return Answer.json(status, out.closeObject());
  }

  private static void shards(long active, long unassigned, JsonOutput out) {
    out.field("active_primary_shards", active).field("active_shards", active);
    out.field("relocating_shards", 0).field("initializing_shards", 0);
    out.field("unassigned_shards", unassigned);
  }

  private static void index(ClusterHealth.IndexHealth index, String level, JsonOutput out) {
    IndexTraits traits = index.traits();
    String status = ClusterHealth.Status.of(traits).text();
    out.name(index.name()).openObject().field("status", status);
    out.field("number_of_shards", traits.shards());
    out.field("number_of_replicas", traits.replicas());
    shards(traits.shards(), index.unassigned(), out);
    if (level.equals("shards")) {
      out.name("shards").openObject();
      for (int i = 0; i < traits.shards(); i++) {
        out.name(Integer.toString(i)).openObject();
        out.field("status", status).field("primary_active", true).field("active_shards", 1);
        out.field("relocating_shards", 0).field("initializing_shards", 0);
        out.field("unassigned_shards", traits.replicas()).closeObject();
      }
      out.closeObject();
    }
    out.closeObject();
  }
}
