package dev.tidemark.server;

import dev.tidemark.store.Document;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.InvalidJsonException;
import dev.tidemark.store.JsonText;
import dev.tidemark.store.Operation;
import dev.tidemark.store.Outcome;
import dev.tidemark.store.Precondition;
import dev.tidemark.store.StoreLimits;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and writes of one document: `_doc`, `_create`, `_source`, `_update`.
final class DocumentRoutes {
  private static final Set<String> WRITE_PARAMETERS =
      Set.of(
          "wait_for_active_shards",
          "op_type",
          "refresh",
          "routing",
          "timeout",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term",
          "pipeline",
          "require_alias");
  private static final Set<String> DELETE_PARAMETERS =
      Set.of(
          "wait_for_active_shards",
          "refresh",
          "routing",
          "timeout",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term");
  private static final Set<String> UPDATE_PARAMETERS =
      Set.of(
          "wait_for_active_shards",
          "_source",
          "_source_excludes",
          "_source_includes",
          "lang",
          "refresh",
          "retry_on_conflict",
          "routing",
          "timeout",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term",
          "require_alias");
  private static final Set<String> READ_PARAMETERS =
      Set.of(
          "stored_fields",
          "preference",
          "realtime",
          "refresh",
          "routing",
          "_source",
          "_source_excludes",
          "_source_includes",
          "version",
          "version_type");

  private final DocumentStore store;
  private final Indices indices;
  private final AutoId autoId;

  DocumentRoutes(DocumentStore store, Indices indices, AutoId autoId) {
    this.store = store;
    this.indices = indices;
    this.autoId = autoId;
  }

  void addTo(Routes routes) {
    routes.add("PUT,POST", "/{index}/_doc/{id}", WRITE_PARAMETERS, Route.Content.JSON, this::index);
    routes.add("POST", "/{index}/_doc", WRITE_PARAMETERS, Route.Content.JSON, this::indexUnnamed);
    routes.add(
        "PUT,POST", "/{index}/_create/{id}", WRITE_PARAMETERS, Route.Content.JSON, this::create);
    routes.add("DELETE", "/{index}/_doc/{id}", DELETE_PARAMETERS, Route.Content.NONE, this::delete);
    routes.add("GET,HEAD", "/{index}/_doc/{id}", READ_PARAMETERS, Route.Content.NONE, this::get);
    routes.add(
        "GET,HEAD", "/{index}/_source/{id}", READ_PARAMETERS, Route.Content.NONE, this::getSource);
    routes.add(
        "POST", "/{index}/_update/{id}", UPDATE_PARAMETERS, Route.Content.JSON, this::update);
  }

  private Answer index(ApiRequest request) {
    return put(request, WriteTerms.INDEX, request.path().step(2));
  }

  private Answer indexUnnamed(ApiRequest request) {
    return put(request, WriteTerms.INDEX, null);
  }

  private Answer create(ApiRequest request) {
    return put(request, WriteTerms.CREATE, request.path().step(2));
  }

  private Answer put(ApiRequest request, String action, @Nullable String givenId) {
    RequestParameters parameters = request.parameters();
    checkWriteParameters(parameters);
    WriteTerms terms = WriteTerms.of(parameters, action, givenId);
    Refresh refresh = Refresh.of(parameters);
    Precondition precondition = terms.precondition();
    JsonText source = document(request.content());
    Indices.Place place = writePlace(request);
    String routing = place.routing(parameters.text("routing"));
    String id = givenId == null ? autoId.next() : givenId;
    Outcome outcome =
        store.execute(new Operation.Put(place.name(), id, routing, source, precondition));
    return written(outcome, routing, refresh);
  }

  private Indices.Place writePlace(ApiRequest request) {
    String name = request.path().step(0);
    return request.parameters().isOn("require_alias")
        ? indices.aliasedWritePlace(name)
        : indices.writePlace(name);
  }

  private Answer written(Outcome outcome, @Nullable String routing, Refresh refresh) {
    Outcome.Applied applied = WriteResponse.applied(outcome);
    JsonOutput out = new JsonOutput().openObject();
    WriteResponse.writeFields(applied, indices.traits(applied.collection()), refresh, out);
    return answer(applied, routing, out.closeObject());
  }

  private static Answer answer(Outcome.Applied applied, @Nullable String routing, JsonOutput out) {
    if (applied.result() != Outcome.Result.CREATED) {
      return Answer.json(WriteResponse.status(applied.result()), out);
    }
    String location =
        "/" + Percent.encode(applied.collection().name()) + "/_doc/" + Percent.encode(applied.id());
    return Answer.created(
        out, routing == null ? location : location + "?routing=" + Percent.encode(routing));
  }

  private Answer delete(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    checkWriteParameters(parameters);
    String id = request.path().step(2);
    WriteTerms terms = WriteTerms.of(parameters, WriteTerms.DELETE, id);
    Refresh refresh = Refresh.of(parameters);
    Precondition precondition = terms.precondition();
    Indices.Place place = indices.deletePlace(request.path().step(0), precondition);
    String routing = place.routing(parameters.text("routing"));
    if (isElsewhere(place, id, routing)) {
      return written(nothingDeleted(place, id), routing, refresh);
    }
    Outcome outcome = store.execute(new Operation.Delete(place.name(), id, routing, precondition));
    return written(outcome, routing, refresh);
  }

  /// A delete that looked where the document is not. It is not logged, so it has no number.
  private static Outcome nothingDeleted(Indices.Place place, String id) {
    return new Outcome.Applied(
        Outcome.Result.NOT_FOUND, Objects.requireNonNull(place.info()), id, 1, -2, 1);
  }

  private Answer update(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    checkWriteParameters(parameters);
    parameters.number("retry_on_conflict");
    String id = request.path().step(2);
    WriteTerms terms = WriteTerms.of(parameters, WriteTerms.UPDATE, id);
    Refresh refresh = Refresh.of(parameters);
    UpdateBody body = UpdateBody.read(request.content());
    body.check(terms);
    Precondition precondition = terms.precondition();
    Indices.Place place = writePlace(request);
    String routing = place.routing(parameters.text("routing"));
    if (isElsewhere(place, id, routing)) {
      throw ApiException.of(404, "document_missing_exception", "[" + id + "]: document missing");
    }
    Outcome.Applied applied =
        WriteResponse.applied(
            store.execute(body.operation(place.name(), id, routing, precondition)));
    JsonOutput out = new JsonOutput().openObject();
    WriteResponse.writeFields(applied, indices.traits(applied.collection()), refresh, out);
    SourceFilter wanted =
        body.source() != null ? body.source() : SourceFilter.of(parameters, SourceFilter.NONE);
    if (!wanted.hidesSource()) {
      WriteResponse.writeGet(store.get(place.name(), id), wanted, out);
    }
    return answer(applied, routing, out.closeObject());
  }

  private Answer get(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    String id = request.path().step(2);
    Indices.Place place = indices.readPlace(request.path().step(0));
    DocumentView view = DocumentView.of(parameters);
    Document document = find(place, id, parameters);
    JsonOutput out = new JsonOutput(document == null ? 64 : 128 + document.source().bytes().length);
    if (document == null) {
      DocumentView.writeMissing(place.name(), id, out);
      return Answer.json(404, out);
    }
    view.write(document, place, out);
    return Answer.json(out);
  }

  private Answer getSource(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    String id = request.path().step(2);
    SourceFilter filter = SourceFilter.of(parameters, SourceFilter.ALL);
    if (filter.hidesSource()) {
      throw ApiException.validation("fetching source can not be disabled");
    }
    Indices.Place place = indices.readPlace(request.path().step(0));
    Document document = find(place, id, parameters);
    if (document == null) {
      throw sourceMissing("Document", place, id);
    }
    IndexTraits traits = place.traits();
    if (traits != null && !traits.mapping().sourceEnabled()) {
      throw sourceMissing("Source", place, id);
    }
    JsonOutput out = new JsonOutput(document.source().bytes().length);
    filter.write(document.source(), out);
    return Answer.json(out);
  }

  private static ApiException sourceMissing(String what, Indices.Place place, String id) {
    return ApiException.of(
        404,
        "resource_not_found_exception",
        what + " not found [" + place.name() + "]/[" + id + "]");
  }

  /// The document, or null if it is not where the request looks for it.
  private @Nullable Document find(Indices.Place place, String id, RequestParameters parameters) {
    Document document = store.get(place.name(), id);
    String routing = place.routing(parameters.isEmpty() ? null : parameters.text("routing"));
    if (document == null || DocumentView.isElsewhere(place, document, routing)) {
      return null;
    }
    if (!parameters.isEmpty()) {
      parameters.isOnByDefault("realtime");
      parameters.isOn("refresh");
      DocumentView.checkVersion(document, place, parameters);
    }
    return document;
  }

  private boolean isElsewhere(Indices.Place place, String id, @Nullable String routing) {
    IndexTraits traits = place.traits();
    if (traits == null || traits.shards() == 1) {
      return false;
    }
    Document document = store.get(place.name(), id);
    return document != null && DocumentView.isElsewhere(place, document, routing);
  }

  /// The document in a body.
  static JsonText document(byte[] content) {
    if (content.length == 0) {
      throw ApiException.badRequest("parse_exception", "request body is required");
    }
    try {
      return document(content, 0, content.length);
    } catch (InvalidJsonException e) {
      throw ApiException.invalidDocument(String.valueOf(e.getMessage()));
    }
  }

  /// The document in a part of a body.
  ///
  /// @throws InvalidJsonException if it is no JSON
  static JsonText document(byte[] content, int offset, int length) {
    if (length > StoreLimits.SOURCE_BYTES_MAX) {
      throw ApiException.of(
          413,
          "content_too_long_exception",
          "a document may have " + StoreLimits.SOURCE_BYTES_MAX + " bytes, this one has " + length);
    }
    JsonText document = JsonText.parse(content, offset, length);
    if (document.bytes()[0] != '{') {
      throw ApiException.badRequest("mapper_parsing_exception", "failed to parse")
          .causedBy(
              "illegal_argument_exception",
              "a document is a JSON object, but this one starts with ["
                  + new JsonCursor(document).kind()
                  + "]");
    }
    return document;
  }

  /// Refuses values of parameters that are understood and have no effect here, if OpenSearch would.
  static void checkWriteParameters(RequestParameters parameters) {
    if (parameters.isEmpty()) {
      return;
    }
    checkPipeline(parameters.text("pipeline"));
    parameters.millis("timeout", 60_000);
    String active = parameters.text("wait_for_active_shards");
    if (active != null && !active.equals("all") && !active.matches("[0-9]{1,9}")) {
      throw ApiException.illegalArgument("cannot parse ActiveShardCount[" + active + "]");
    }
  }

  /// There are no pipelines, so none can be asked for.
  static void checkPipeline(@Nullable String pipeline) {
    if (pipeline != null && !pipeline.equals("_none")) {
      throw ApiException.illegalArgument("pipeline with id [" + pipeline + "] does not exist");
    }
  }
}
