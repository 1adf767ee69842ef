package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.JsonText;
import dev.tidemark.store.Operation;
import dev.tidemark.store.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Indices as a whole: create, show, delete, refresh, count.
final class IndexRoutes {
  private static final Set<String> CREATE_PARAMETERS =
      Set.of("wait_for_active_shards", "timeout", "master_timeout", "cluster_manager_timeout");
  private static final Set<String> DELETE_PARAMETERS =
      with("timeout", "master_timeout", "cluster_manager_timeout");
  private static final Set<String> SHOW_PARAMETERS =
      with(
          "local",
          "flat_settings",
          "include_defaults",
          "master_timeout",
          "cluster_manager_timeout");
  private static final Set<String> COUNT_PARAMETERS =
      with(
          "ignore_throttled",
          "min_score",
          "preference",
          "routing",
          "q",
          "analyzer",
          "analyze_wildcard",
          "default_operator",
          "df",
          "lenient",
          "terminate_after");

  private static final JsonText EMPTY = JsonText.parse("{}".getBytes(StandardCharsets.US_ASCII));

  private final DocumentStore store;
  private final Indices indices;

  IndexRoutes(DocumentStore store, Indices indices) {
    this.store = store;
    this.indices = indices;
  }

  private static Set<String> with(String... parameters) {
    Set<String> all = new HashSet<>(IndexExpression.PARAMETERS);
    all.addAll(List.of(parameters));
    return Set.copyOf(all);
  }

  void addTo(Routes routes) {
    routes.add("PUT", "/{index}", CREATE_PARAMETERS, Route.Content.JSON, this::create);
    routes.add("GET,HEAD", "/{index}", SHOW_PARAMETERS, Route.Content.NONE, this::show);
    routes.add("DELETE", "/{index}", DELETE_PARAMETERS, Route.Content.NONE, this::delete);
    addBoth(routes, "GET,POST", "/_refresh", IndexExpression.PARAMETERS, this::refresh);
    addBoth(routes, "GET,POST", "/_count", COUNT_PARAMETERS, this::count);
    addBoth(routes, "GET", "/_mapping", SHOW_PARAMETERS, this::mapping);
    addBoth(routes, "GET", "/_mappings", SHOW_PARAMETERS, this::mapping);
    addBoth(routes, "GET", "/_alias", SHOW_PARAMETERS, this::aliases);
    addBoth(routes, "GET", "/_settings", SHOW_PARAMETERS, this::settings);
    addBoth(routes, "GET", "/_settings/{name}", SHOW_PARAMETERS, this::settings);
  }

  /// Answers a request for some indices.
  private interface IndicesAction {
    /// Answers it.
    ///
    /// @param expression names the indices; null for every visible one
    Answer handle(ApiRequest request, @Nullable String expression);
  }

  /// Adds a route with an index expression in front, and the same without.
  private static void addBoth(
      Routes routes, String verbs, String path, Set<String> parameters, IndicesAction action) {
    Route.Content content = path.equals("/_count") ? Route.Content.JSON : Route.Content.NONE;
    routes.add(verbs, path, parameters, content, request -> action.handle(request, null));
    routes.add(
        verbs,
        "/{index}" + path,
        parameters,
        content,
        request -> action.handle(request, request.path().step(0)));
  }

  private Answer create(ApiRequest request) {
    RequestParameters parameters = request.parameters();
    DocumentRoutes.checkWriteParameters(parameters);
    String name = request.path().step(0);
    IndexNames.check(name);
    if (store.collection(name) == null && !indices.holders(name).isEmpty()) {
      throw ApiException.badRequest(
              "invalid_index_name_exception",
              "Invalid index name [" + name + "], already exists as alias")
          .with("index", name)
          .with("index_uuid", "_na_");
    }
    Outcome outcome = store.execute(creation(name, request.contentOrSource()));
    if (outcome instanceof Outcome.CollectionExists(CollectionInfo there)) {
      throw ApiException.badRequest(
              "resource_already_exists_exception",
              "index [" + name + "/" + there.uuid() + "] already exists")
          .with("index", name)
          .with("index_uuid", there.uuid());
    }
    JsonOutput out = new JsonOutput().openObject();
    out.field("acknowledged", true).field("shards_acknowledged", true).field("index", name);
    return Answer.json(out.closeObject());
  }

  private Operation creation(String name, byte[] body) {
    JsonText settings = EMPTY;
    JsonText mappings = EMPTY;
    JsonText aliases = EMPTY;
    if (body.length > 0) {
      JsonCursor json = ApiRequest.object(body);
      json.enter();
      while (json.more()) {
        String field = json.name();
        BodyFields.requireObject(json, field);
        switch (field) {
          case "settings" -> settings = checkedSettings(json.value());
          case "mappings" -> {
            mappings = json.value();
            IndexMapping.check(mappings);
          }
          case "aliases" -> aliases = checkedAliases(name, json);
          default ->
              throw ApiException.badRequest(
                  "parse_exception", "unknown key [" + field + "] for create index");
        }
      }
    }
    return new Operation.CreateCollection(name, settings, mappings, aliases);
  }

  private static JsonText checkedSettings(JsonText given) {
    IndexSettings settings = IndexSettings.of(given);
    settings.check();
    return settings.toJson();
  }

  private JsonText checkedAliases(String index, JsonCursor json) {
    Map<String, IndexAlias> aliases = IndexAlias.readAll(json);
    for (String alias : aliases.keySet()) {
      IndexNames.checkAlias(alias);
      if (alias.equals(index) || store.collection(alias) != null) {
        throw ApiException.badRequest(
                "invalid_alias_name_exception",
                "Invalid alias name ["
                    + alias
                    + "]: an index or data stream exists with the same name as the alias")
            .with("index", alias)
            .with("index_uuid", "_na_");
      }
    }
    JsonOutput out = new JsonOutput();
    IndexAlias.writeAll(aliases, out);
    return JsonText.parse(out.toBytes());
  }

  private List<CollectionInfo> named(ApiRequest request, @Nullable String expression) {
    return IndexExpression.of(request.parameters(), IndexExpression.Aliases.RESOLVED)
        .resolve(indices, expression);
  }

  private Answer delete(ApiRequest request) {
    String expression = request.path().step(0);
    if (RequestParameters.splitList(expression).isEmpty()) {
      // Elsewhere nothing stands for everything; here that must be said.
      throw ApiException.validation("index / indices is missing");
    }
    List<CollectionInfo> doomed =
        IndexExpression.of(request.parameters(), IndexExpression.Aliases.REFUSED)
            .resolve(indices, expression);
    if (!doomed.isEmpty()) {
      store.executeAll(
          doomed.stream().map(info -> new Operation.DeleteCollection(info.name())).toList());
      doomed.forEach(indices::forget);
    }
    return Answer.acknowledged();
  }

  private Answer show(ApiRequest request) {
    JsonOutput out = new JsonOutput().openObject();
    for (CollectionInfo info : named(request, request.path().step(0))) {
      out.name(info.name()).openObject().name("aliases");
      IndexAlias.writeAll(indices.traits(info).aliases(), out);
      out.name("mappings").raw(info.mappings());
      writeSettings(info, request.parameters(), null, out);
      out.closeObject();
    }
    return Answer.json(out.closeObject());
  }

  private Answer mapping(ApiRequest request, @Nullable String expression) {
    JsonOutput out = new JsonOutput().openObject();
    for (CollectionInfo info : named(request, expression)) {
      out.name(info.name()).openObject().name("mappings").raw(info.mappings()).closeObject();
    }
    return Answer.json(out.closeObject());
  }

  private Answer aliases(ApiRequest request, @Nullable String expression) {
    JsonOutput out = new JsonOutput().openObject();
    for (CollectionInfo info : named(request, expression)) {
      out.name(info.name()).openObject().name("aliases");
      IndexAlias.writeAll(indices.traits(info).aliases(), out);
      out.closeObject();
    }
    return Answer.json(out.closeObject());
  }

  private Answer settings(ApiRequest request, @Nullable String expression) {
    RequestPath path = request.path();
    int last = path.count() - 1;
    List<String> names =
        path.rawStep(last).equals("_settings")
            ? List.of()
            : RequestParameters.splitList(path.step(last));
    JsonOutput out = new JsonOutput().openObject();
    for (CollectionInfo info : named(request, expression)) {
      out.name(info.name()).openObject();
      writeSettings(info, request.parameters(), names.isEmpty() ? null : names, out);
      out.closeObject();
    }
    return Answer.json(out.closeObject());
  }

  private enum Form {
    FLAT,
    NESTED
  }

  private void writeSettings(
      CollectionInfo info,
      RequestParameters parameters,
      @Nullable List<String> names,
      JsonOutput out) {
    Form form = parameters.isOn("flat_settings") ? Form.FLAT : Form.NESTED;
    IndexSettings settings = indices.traits(info).settings();
    write("settings", settings.shown(info), names, form, out);
    if (parameters.isOn("include_defaults")) {
      write("defaults", settings.defaults(), names, form, out);
    }
  }

  private static void write(
      String field,
      Map<String, List<String>> settings,
      @Nullable List<String> names,
      Form form,
      JsonOutput out) {
    if (names != null && !names.contains("_all")) {
      settings
          .keySet()
          .removeIf(setting -> names.stream().noneMatch(name -> Glob.matches(name, setting)));
    }
    out.name(field);
    if (form == Form.FLAT) {
      IndexSettings.writeFlat(settings, out);
    } else {
      IndexSettings.writeNested(settings, out);
    }
  }

  /// All that is acknowledged is visible already: this only answers.
  private Answer refresh(ApiRequest request, @Nullable String expression) {
    long total = 0;
    long successful = 0;
    for (CollectionInfo info : named(request, expression)) {
      IndexTraits traits = indices.traits(info);
      total += traits.shards() * (traits.replicas() + 1L);
      successful += traits.shards();
    }
    JsonOutput out = new JsonOutput().openObject().name("_shards").openObject();
    out.field("total", total).field("successful", successful).field("failed", 0);
    return Answer.json(out.closeObject().closeObject());
  }

  private Answer count(ApiRequest request, @Nullable String expression) {
    if (request.parameters().has("q") || !isMatchAll(request.contentOrSource())) {
      throw ApiException.illegalArgument(
          "_count counts all documents; queries other than [match_all] are not supported");
    }
    long documents = 0;
    long shards = 0;
    for (CollectionInfo info : named(request, expression)) {
      documents += info.documents();
      shards += indices.traits(info).shards();
    }
    JsonOutput out = new JsonOutput().openObject().field("count", documents);
    out.name("_shards").openObject().field("total", shards).field("successful", shards);
    out.field("skipped", 0).field("failed", 0).closeObject();
    return Answer.json(out.closeObject());
  }

  private static boolean isMatchAll(byte[] body) {
    if (body.length == 0) {
      return true;
    }
    JsonCursor json = ApiRequest.object(body);
    json.enter();
    boolean all = true;
    while (json.more()) {
      String field = json.name();
      if (!field.equals("query")) {
        throw ApiException.badRequest(
            "parsing_exception", "request does not support [" + field + "]");
      }
      BodyFields.requireObject(json, field);
      json.enter();
      while (json.more()) {
        all &= json.name().equals("match_all");
        json.skip();
      }
    }
    return all;
  }
}
