package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import dev.tidemark.store.Document;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.StoreStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Set;

/// The server about itself: `/`, and Tidemark's own `_tidemark/status` and `_tidemark/dump`.
final class StatusRoutes {
  private static final int DUMP_BUFFER_BYTES = 64 << 10;

  private final DocumentStore store;
  private final Indices indices;
  private final String clusterUuid;
  private final long startedNanos = System.nanoTime();

  StatusRoutes(DocumentStore store, Indices indices, String clusterUuid) {
    this.store = store;
    this.indices = indices;
    this.clusterUuid = clusterUuid;
  }

  void addTo(Routes routes) {
    routes.add("GET,HEAD", "/", Set.of(), Route.Content.NONE, _ -> info());
    routes.add("GET", "/_tidemark/status", Set.of(), Route.Content.NONE, _ -> status());
    routes.add("GET", "/_tidemark/dump/{index}", Set.of(), Route.Content.NONE, this::dump);
  }

  /// Clients look at `distribution` and `number` to learn which API they talk to.
  private Answer info() {
    JsonOutput out = new JsonOutput(512).openObject();
    out.field("name", ClusterHealth.CLUSTER_NAME);
    out.field("cluster_name", ClusterHealth.CLUSTER_NAME);
    out.field("cluster_uuid", clusterUuid);
    out.name("version").openObject();
    out.field("distribution", "opensearch").field("number", "2.19.0");
    out.field("build_type", "tar").field("build_hash", "unknown");
    out.field("build_date", "2025-02-06T00:00:00.000000000Z").field("build_snapshot", false);
    out.field("lucene_version", "9.12.1");
    out.field("minimum_wire_compatibility_version", "7.10.0");
    out.field("minimum_index_compatibility_version", "7.0.0");
    out.field("tidemark", ServerVersion.TEXT).closeObject();
    out.field("tagline", "Every acknowledged write is on disk");
    return Answer.json(out.closeObject());
  }

  private Answer status() {
    StoreStatus status = store.status();
    JsonOutput out = new JsonOutput(512).openObject();
    out.field("version", ServerVersion.TEXT);
    out.field("uptime_ms", (System.nanoTime() - startedNanos) / 1_000_000);
    out.name("watermarks").openObject();
    out.field("appended_lsn", status.appendedLsn()).field("durable_lsn", status.durableLsn());
    out.field("applied_lsn", status.appliedLsn()).field("kv_lsn", status.kvLsn()).closeObject();
    out.name("lags").openObject();
    out.field("durable", status.appendedLsn() - status.durableLsn());
    out.field("applied", status.durableLsn() - status.appliedLsn());
    out.field("kv", status.appliedLsn() - status.kvLsn()).closeObject();
    out.name("log").openObject();
    out.field("bytes", status.logBytes()).field("segments", status.logSegments());
    out.field("first_lsn", status.firstLsn()).closeObject();
    out.name("kv").openObject().field("bytes", status.kvBytes()).closeObject();
    long documents = 0;
    long deleted = 0;
    long sourceBytes = 0;
    for (CollectionInfo info : status.collections()) {
      documents += info.documents();
      deleted += info.deleted();
      sourceBytes += info.sourceBytes();
    }
    out.name("counts").openObject();
    out.field("collections", status.collections().size()).field("documents", documents);
    out.field("deleted", deleted).field("source_bytes", sourceBytes).closeObject();
    out.name("collections").openArray();
    status.collections().forEach(info -> collection(info, out));
    return Answer.json(out.closeArray().closeObject());
  }

  private static void collection(CollectionInfo info, JsonOutput out) {
    out.openObject().field("name", info.name()).field("uuid", info.uuid());
    out.field("documents", info.documents()).field("deleted", info.deleted());
    out.field("next_seq_no", info.nextSeqNo()).field("source_bytes", info.sourceBytes());
    out.closeObject();
  }

  /// Every document of an index, one a line, in the order of their ids.
  private Answer dump(ApiRequest request) {
    Indices.Place place = indices.readPlace(request.path().step(2));
    return Answer.lines(
        out -> {
          JsonOutput lines = new JsonOutput(DUMP_BUFFER_BYTES);
          store.forEach(place.name(), document -> dump(document, lines, out));
          lines.drainTo(out);
        });
  }

  private static void dump(Document document, JsonOutput lines, OutputStream out) {
    lines.openObject().field("_id", document.id());
    lines.field("_version", document.version()).field("_seq_no", document.seqNo());
    String routing = document.routing();
    if (routing != null) {
      lines.field("_routing", routing);
    }
    lines.name("_source").raw(document.source()).closeObject().put('\n');
    if (lines.length() > DUMP_BUFFER_BYTES / 2) {
      try {
        lines.drainTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
