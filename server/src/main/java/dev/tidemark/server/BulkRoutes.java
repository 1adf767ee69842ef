package dev.tidemark.server;

import dev.tidemark.store.Document;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.InvalidJsonException;
import dev.tidemark.store.JsonText;
import dev.tidemark.store.Operation;
import dev.tidemark.store.Outcome;
import dev.tidemark.store.Precondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Many writes with one request: `_bulk`. All items that can be written go to the store together,
/// as one atomic group; each has an outcome of its own.
final class BulkRoutes {
  private static final Set<String> PARAMETERS =
      Set.of(
          "wait_for_active_shards",
          "refresh",
          "routing",
          "timeout",
          "type",
          "_source",
          "_source_excludes",
          "_source_includes",
          "pipeline",
          "require_alias",
          "batch_size");

  private final DocumentStore store;
  private final Indices indices;
  private final AutoId autoId;

  BulkRoutes(DocumentStore store, Indices indices, AutoId autoId) {
    this.store = store;
    this.indices = indices;
    this.autoId = autoId;
  }

  void addTo(Routes routes) {
    routes.add("POST,PUT", "/_bulk", PARAMETERS, Route.Content.LINES, this::bulk);
    routes.add("POST,PUT", "/{index}/_bulk", PARAMETERS, Route.Content.LINES, this::bulk);
  }

  /// An item on its way: what to do, or why it can't be done.
  private record Step(
      BulkItem item,
      String id,
      @Nullable Operation operation,
      @Nullable ApiException error,
      SourceFilter source) {}

  private Answer bulk(ApiRequest request) {
    long start = System.nanoTime();
    RequestParameters parameters = request.parameters();
    checkParameters(parameters);
    Refresh refresh = Refresh.of(parameters);
    SourceFilter source = SourceFilter.of(parameters, SourceFilter.NONE);
    if (request.content().length == 0) {
      throw ApiException.badRequest("parse_exception", "request body is required");
    }
    String index = request.path().count() > 1 ? request.path().step(0) : null;
    List<BulkItem> items = new BulkParser(request.content(), index, parameters).parse();
    List<Step> steps = steps(items, request.content(), source);
    List<Operation> operations = new ArrayList<>(steps.size());
    for (Step step : steps) {
      if (step.operation() != null) {
        operations.add(step.operation());
      }
    }
    List<Outcome> outcomes = operations.isEmpty() ? List.of() : store.executeAll(operations);
    return answer(steps, outcomes, refresh, start);
  }

  private static void checkParameters(RequestParameters parameters) {
    if (parameters.isEmpty()) {
      return;
    }
    parameters.millis("timeout", 60_000);
    Long batch = parameters.number("batch_size");
    if (batch != null && batch < 1) {
      throw ApiException.illegalArgument(
          "batch size must be larger than 0 but was [" + batch + "]");
    }
  }

  private List<Step> steps(List<BulkItem> items, byte[] content, SourceFilter source) {
    Map<String, Indices.Place> places = new HashMap<>();
    List<Step> steps = new ArrayList<>(items.size());
    for (BulkItem item : items) {
      String id = item.id() == null ? autoId.next() : item.id();
      SourceFilter wanted = item.source() == null ? source : item.source();
      try {
        steps.add(step(item, id, content, wanted, places));
      } catch (ApiException e) {
        steps.add(new Step(item, id, null, e, SourceFilter.NONE));
      } catch (InvalidJsonException e) {
        steps.add(new Step(item, id, null, invalid(item, e), SourceFilter.NONE));
      }
    }
    return steps;
  }

  private static ApiException invalid(BulkItem item, InvalidJsonException e) {
    return ApiException.invalidDocument(
        "line " + item.documentLine() + " of the bulk body: " + e.getMessage());
  }

  private Step step(
      BulkItem item,
      String id,
      byte[] content,
      SourceFilter source,
      Map<String, Indices.Place> places) {
    if (id.isEmpty()) {
      throw ApiException.illegalArgument("if _id is specified it must not be empty");
    }
    String action = item.terms().action();
    if (action.equals(WriteTerms.DELETE)) {
      Precondition precondition = item.terms().precondition();
      Indices.Place place = indices.deletePlace(item.index(), precondition);
      Operation delete =
          new Operation.Delete(place.name(), id, place.routing(item.routing()), precondition);
      return new Step(item, id, delete, null, SourceFilter.NONE);
    }
    DocumentRoutes.checkPipeline(item.pipeline());
    if (action.equals(WriteTerms.UPDATE)) {
      UpdateBody body = UpdateBody.read(content, item.offset(), item.length());
      body.check(item.terms());
      Indices.Place place = place(item, places);
      Operation update =
          body.operation(
              place.name(), id, place.routing(item.routing()), item.terms().precondition());
      return new Step(item, id, update, null, body.source() == null ? source : body.source());
    }
    JsonText document = DocumentRoutes.document(content, item.offset(), item.length());
    Indices.Place place = place(item, places);
    Operation put =
        new Operation.Put(
            place.name(), id, place.routing(item.routing()), document, item.terms().precondition());
    return new Step(item, id, put, null, SourceFilter.NONE);
  }

  private Indices.Place place(BulkItem item, Map<String, Indices.Place> places) {
    if (item.requireAlias()) {
      return indices.aliasedWritePlace(item.index());
    }
    Indices.Place known = places.get(item.index());
    if (known == null) {
      known = indices.writePlace(item.index());
      places.put(item.index(), known);
    }
    return known;
  }

  private Answer answer(List<Step> steps, List<Outcome> outcomes, Refresh refresh, long start) {
    JsonOutput items = new JsonOutput(192 * steps.size() + 64);
    boolean errors = false;
    int written = 0;
    items.openArray();
    for (Step step : steps) {
      Outcome outcome = step.operation() == null ? null : outcomes.get(written++);
      items.openObject().name(step.item().terms().action()).openObject();
      errors |= !writeItem(step, outcome, refresh, items);
      items.closeObject().closeObject();
    }
    items.closeArray();
    JsonOutput out = new JsonOutput(items.length() + 64).openObject();
    out.field("took", (System.nanoTime() - start) / 1_000_000);
    out.field("errors", errors);
    out.name("items").raw(items.array(), 0, items.length());
    return Answer.json(out.closeObject());
  }

  /// Writes an item's fields, and answers whether it did what it was to do.
  private boolean writeItem(Step step, @Nullable Outcome outcome, Refresh refresh, JsonOutput out) {
    ApiException error = step.error();
    if (outcome != null) {
      try {
        Outcome.Applied applied = WriteResponse.applied(outcome);
        WriteResponse.writeFields(applied, indices.traits(applied.collection()), refresh, out);
        if (!step.source().hidesSource()) {
          Document document = store.get(applied.collection().name(), step.id());
          WriteResponse.writeGet(document, step.source(), out);
        }
        out.field("status", WriteResponse.status(applied.result()));
        return true;
      } catch (ApiException e) {
        error = e;
      }
    }
    if (error == null) {
      throw new IllegalStateException("an item was neither written nor refused");
    }
    out.field("_index", step.item().index()).field("_id", step.id());
    out.field("status", error.status()).name("error");
    ErrorBody.writeItem(error, out);
    return false;
  }
}
