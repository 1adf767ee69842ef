package dev.tidemark.server;

import dev.tidemark.store.Document;
import dev.tidemark.store.DocumentStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads of several documents with one request: `_mget`.
final class MultiGetRoutes {
  private static final Set<String> PARAMETERS =
      Set.of(
          "stored_fields",
          "preference",
          "realtime",
          "refresh",
          "routing",
          "_source",
          "_source_excludes",
          "_source_includes");

  private final DocumentStore store;
  private final Indices indices;

  MultiGetRoutes(DocumentStore store, Indices indices) {
    this.store = store;
    this.indices = indices;
  }

  void addTo(Routes routes) {
    routes.add("GET,POST", "/_mget", PARAMETERS, Route.Content.JSON, this::get);
    routes.add("GET,POST", "/{index}/_mget", PARAMETERS, Route.Content.JSON, this::get);
  }

  private record Item(
      @Nullable String index,
      @Nullable String id,
      @Nullable String routing,
      @Nullable Long version,
      DocumentView view) {}

  /// What a request says for all its documents.
  private record Defaults(
      @Nullable String index,
      @Nullable String routing,
      List<String> storedFields,
      @Nullable SourceFilter source) {
    DocumentView view(@Nullable List<String> ownFields, @Nullable SourceFilter ownSource) {
      List<String> fields = ownFields == null ? storedFields : ownFields;
      SourceFilter filter = ownSource == null ? source : ownSource;
      return new DocumentView(filter == null ? DocumentView.sourceBeside(fields) : filter, fields);
    }
  }

  private Answer get(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    String index = request.path().count() > 1 ? request.path().step(0) : null;
    SourceFilter source =
        parameters.has("_source")
                || parameters.has("_source_includes")
                || parameters.has("_source_excludes")
            ? SourceFilter.of(parameters, SourceFilter.ALL)
            : null;
    Defaults defaults =
        new Defaults(index, parameters.text("routing"), parameters.list("stored_fields"), source);
    parameters.isOnByDefault("realtime");
    parameters.isOn("refresh");
    List<Item> items = items(request.requiredObject(), defaults);
    check(items);
    JsonOutput out = new JsonOutput(256 * (items.size() + 1)).openObject();
    out.name("docs").openArray();
    for (Item item : items) {
      write(item, out);
    }
    return Answer.json(out.closeArray().closeObject());
  }

  private static List<Item> items(JsonCursor json, Defaults defaults) {
    List<Item> items = new ArrayList<>();
    json.enter();
    while (json.more()) {
      String field = json.name();
      if (!json.atArray() || (!field.equals("docs") && !field.equals("ids"))) {
        throw ApiException.badRequest(
            "parsing_exception",
            "unknown key [" + field + "] for a " + json.kind() + ", expected [docs] or [ids]");
      }
      json.enter();
      while (json.more()) {
        if (field.equals("ids")) {
          if (!json.atScalar()) {
            throw ApiException.illegalArgument("ids array element should only contain ids");
          }
          items.add(
              new Item(
                  defaults.index, json.text(), defaults.routing, null, defaults.view(null, null)));
        } else {
          items.add(item(json, defaults));
        }
      }
    }
    return items;
  }

  private static Item item(JsonCursor json, Defaults defaults) {
    if (!json.atObject()) {
      throw ApiException.illegalArgument("docs array element should include an object");
    }
    String index = defaults.index;
    String id = null;
    String routing = defaults.routing;
    Long version = null;
    List<String> fields = null;
    SourceFilter source = null;
    json.enter();
    while (json.more()) {
      String field = json.name();
      if (json.atNull()) {
        json.skip();
        continue;
      }
      switch (field) {
        case "_index" -> index = BodyFields.text(json, field);
        case "_id" -> id = BodyFields.text(json, field);
        case "routing" -> routing = BodyFields.text(json, field);
        case "version" -> version = BodyFields.number(json, field);
        case "version_type" ->
            new WriteTerms(WriteTerms.INDEX, id).versionType(BodyFields.text(json, field));
        case "stored_fields" -> fields = BodyFields.texts(json, field);
        case "_source" -> source = SourceFilter.of(json);
        case "fields" ->
            throw ApiException.badRequest(
                "parsing_exception",
                "Unsupported field [fields] used, expected [stored_fields] instead");
        default ->
            throw ApiException.badRequest(
                "parse_exception",
                "failed to parse multi get request. unknown field [" + field + "]");
      }
    }
    return new Item(index, id, routing, version, defaults.view(fields, source));
  }

  private static void check(List<Item> items) {
    if (items.isEmpty()) {
      throw ApiException.validation("no documents to get");
    }
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).index() == null) {
        problems.add("index is missing for doc " + i);
      }
      if (items.get(i).id() == null) {
        problems.add("id is missing for doc " + i);
      }
    }
    if (!problems.isEmpty()) {
      throw ApiException.validation(problems);
    }
  }

  private void write(Item item, JsonOutput out) {
    String index = item.index();
    String id = item.id();
    if (index == null || id == null) {
      throw new IllegalStateException("items are checked first");
    }
    try {
      Indices.Place place = indices.readPlace(index);
      Document document = store.get(place.name(), id);
      if (document == null
          || DocumentView.isElsewhere(place, document, place.routing(item.routing()))) {
        DocumentView.writeMissing(place.name(), id, out);
        return;
      }
      DocumentView.checkVersion(document, place, item.version());
      item.view().write(document, place, out);
    } catch (ApiException e) {
      out.openObject().field("_index", index).field("_id", id).name("error");
      ErrorBody.write(e, out);
      out.closeObject();
    }
  }
}
