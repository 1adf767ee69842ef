package dev.tidemark.server.spec;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An API as its description in the artifact has it: makes requests of the arguments of a step.
/// Immutable.
///
/// @param name as steps call it, such as `indices.create`
/// @param paths the paths it may be reached at, in the description's order
/// @param parameters the query parameters it takes, those of all APIs included
/// @param body how a body is written
record RestApi(String name, List<ApiPath> paths, Set<String> parameters, BodyForm body) {
  /// How the value of a step's body becomes text.
  enum BodyForm {
    /// One JSON value.
    JSON("application/json"),
    /// One JSON value a line.
    LINES("application/x-ndjson");

    private final String contentType;

    BodyForm(String contentType) {
      this.contentType = contentType;
    }
  }

  /// One path of an API.
  ///
  /// @param template with its parts in braces
  /// @param parts their names
  /// @param methods in the description's order
  record ApiPath(String template, Set<String> parts, List<String> methods) {}

  /// Arguments that fit no path of an API, or that it does not take: a client would refuse the
  /// call.
  static final class ParameterException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ParameterException(String message) {
      super(message);
    }
  }

  /// Reads the description of one API.
  ///
  /// @param description the file's one member: the name with its description
  /// @param common names of the query parameters that every API takes
  static RestApi parse(Map<String, @Nullable Object> description, Set<String> common) {
    String name = description.keySet().iterator().next();
    Map<String, @Nullable Object> api = Json.members(description.get(name));
    List<ApiPath> paths = new ArrayList<>();
    for (Object path : (List<?>) Json.members(api.get("url")).getOrDefault("paths", List.of())) {
      paths.add(path(Json.members(path)));
    }
    Set<String> parameters = new HashSet<>(common);
    parameters.addAll(names(api.get("params")));
    Map<String, @Nullable Object> body =
        api.get("body") == null ? Map.of() : Json.members(api.get("body"));
    BodyForm form = "bulk".equals(body.get("serialize")) ? BodyForm.LINES : BodyForm.JSON;
    return new RestApi(name, List.copyOf(paths), Set.copyOf(parameters), form);
  }

  private static ApiPath path(Map<String, @Nullable Object> path) {
    List<String> methods =
        ((List<?>) path.getOrDefault("methods", List.of())).stream().map(String::valueOf).toList();
    return new ApiPath(String.valueOf(path.get("path")), names(path.get("parts")), methods);
  }

  private static Set<String> names(@Nullable Object members) {
    return members == null ? Set.of() : Json.members(members).keySet();
  }

  /// The request for a step's arguments: at the path that uses most of them, by the first method
  /// that suits a body.
  ///
  /// @throws ParameterException if no path fits them, or one is unknown
  RestCall call(Map<String, @Nullable Object> arguments, @Nullable Object content) {
    ApiPath path = bestPath(arguments.keySet());
    Map<String, @Nullable Object> query = new LinkedHashMap<>(arguments);
    String target = path.template();
    for (String part : path.parts()) {
      target = target.replace("{" + part + "}", encode(text(query.remove(part))));
    }
    for (String parameter : query.keySet()) {
      if (!parameters.contains(parameter)) {
        throw new ParameterException("[" + name + "] takes no parameter [" + parameter + "]");
      }
    }
    if (!query.isEmpty()) {
      target +=
          query.entrySet().stream()
              .map(entry -> encode(entry.getKey()) + "=" + encode(text(entry.getValue())))
              .collect(Collectors.joining("&", "?", ""));
    }
    return content == null
        ? RestCall.withoutBody(path.methods().getFirst(), target)
        : new RestCall(methodForBody(path), target, bodyText(content), body.contentType);
  }

  private ApiPath bestPath(Set<String> arguments) {
    ApiPath best = null;
    for (ApiPath path : paths) {
      if (arguments.containsAll(path.parts())
          && (best == null || path.parts().size() > best.parts().size())) {
        best = path;
      }
    }
    if (best == null) {
      throw new ParameterException("[" + name + "] has no path for the arguments " + arguments);
    }
    return best;
  }

  private static String methodForBody(ApiPath path) {
    return path.methods().stream()
        .filter(method -> !method.equals("GET") && !method.equals("HEAD"))
        .findFirst()
        .orElse(path.methods().getFirst());
  }

  private String bodyText(Object content) {
    if (content instanceof String text) {
      return text;
    }
    if (body == BodyForm.LINES && content instanceof List<?> lines) {
      return lines.stream()
          .map(line -> line instanceof String text ? text.strip() : Json.write(line))
          .collect(Collectors.joining("\n", "", "\n"));
    }
    return Json.write(content);
  }

  /// The text of an argument; the elements of a list joined by commas.
  private static String text(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(value);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%2C", ",");
  }
}
