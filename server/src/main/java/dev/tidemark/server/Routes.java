package dev.tidemark.server;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The table of routes. It is filled before the server starts, and only read from then on.
///
/// A path of OpenSearch is either literal (`/_cat/indices`), or literal with one name behind it, or
/// an index with a word (`/{index}/_doc`), or that with one name behind it. Each form has a map of
/// its own, so a request is found with one or two look-ups and no pattern. Literal paths win.
final class Routes {
  private final Map<String, EnumMap<ApiRequest.Verb, Route>> literal = new HashMap<>();
  private final Map<String, EnumMap<ApiRequest.Verb, Route>> literalAndName = new HashMap<>();
  private final Map<String, EnumMap<ApiRequest.Verb, Route>> ofIndex = new HashMap<>();
  private final Map<String, EnumMap<ApiRequest.Verb, Route>> ofIndexAndName = new HashMap<>();

  /// Adds a route.
  ///
  /// @param verbs the methods, with commas between
  /// @param path such as `/{index}/_doc/{id}`
  void add(
      String verbs,
      String path,
      Set<String> parameters,
      Route.Content content,
      Route.Action handler) {
    List<String> steps = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    List<String> names = steps.stream().filter(step -> step.startsWith("{")).toList();
    boolean withIndex = steps.getFirst().startsWith("{");
    boolean withName = names.size() > (withIndex ? 1 : 0);
    steps.removeAll(names);
    String key = String.join("/", steps);
    var forms =
        withIndex ? (withName ? ofIndexAndName : ofIndex) : (withName ? literalAndName : literal);
    var methods = forms.computeIfAbsent(key, _ -> new EnumMap<>(ApiRequest.Verb.class));
    Set<String> bareNames =
        Set.copyOf(names.stream().map(name -> name.replaceAll("[{}]", "")).toList());
    Route route = new Route(handler, parameters, bareNames, content);
    for (String verb : verbs.split(",", -1)) {
      methods.put(ApiRequest.Verb.valueOf(verb), route);
    }
  }

  /// The route of a request.
  ///
  /// @throws ApiException 405 if the path takes other methods only, 400 if there is no such path
  Route find(ApiRequest.Verb verb, RequestPath path) {
    EnumMap<ApiRequest.Verb, Route> methods = methods(path);
    Route route = methods == null ? null : methods.get(verb);
    if (route != null) {
      return route;
    }
    if (methods == null) {
      throw ApiException.bareSentence(
          400, "no handler found for uri [" + path.text() + "] and method [" + verb + "]");
    }
    String allow = String.join(",", methods.keySet().stream().map(Enum::name).toList());
    if (verb == ApiRequest.Verb.OPTIONS) {
      return new Route(_ -> Answer.bare(200, allow), Set.of(), Set.of(), Route.Content.NONE);
    }
    String wrong =
        verb == ApiRequest.Verb.OTHER
            ? "Unexpected HTTP method"
            : "Incorrect HTTP method for uri [" + path.text() + "] and method [" + verb + "]";
    throw ApiException.sentence(405, wrong + ", allowed: [" + allow.replace(",", ", ") + "]")
        .allowing(allow);
  }

  private @Nullable EnumMap<ApiRequest.Verb, Route> methods(RequestPath path) {
    return switch (path.count()) {
      case 0 -> literal.get("");
      case 1 -> {
        String step = path.rawStep(0);
        var methods = step.startsWith("_") ? literal.get(step) : null;
        yield methods != null ? methods : ofIndex.get("");
      }
      case 2 -> {
        if (path.rawStep(0).startsWith("_")) {
          var methods = literal.get(path.rawStep(0) + "/" + path.rawStep(1));
          if (methods == null) {
            methods = literalAndName.get(path.rawStep(0));
          }
          if (methods != null) {
            yield methods;
          }
        }
        yield ofIndex.get(path.rawStep(1));
      }
      case 3 -> {
        var methods =
            path.rawStep(0).startsWith("_")
                ? literalAndName.get(path.rawStep(0) + "/" + path.rawStep(1))
                : null;
        yield methods != null ? methods : ofIndexAndName.get(path.rawStep(1));
      }
      default -> null;
    };
  }
}
