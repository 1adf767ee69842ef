package dev.tidemark.server;

import dev.tidemark.store.JsonText;
import java.util.List;

/// What of a document's source an answer carries: `_source`, `_source_includes`,
/// `_source_excludes`.
///
/// Patterns are dotted paths with `*`; one that fits an object takes all of it. A dot within a
/// field's name counts like a step down. Members of arrays have their array's path. What is kept is
/// copied byte for byte.
final class SourceFilter {
  /// All of the source.
  static final SourceFilter ALL = new SourceFilter(Source.SHOWN, List.of(), List.of());

  /// No source.
  static final SourceFilter NONE = new SourceFilter(Source.HIDDEN, List.of(), List.of());

  private enum Source {
    SHOWN,
    HIDDEN
  }

  private final Source source;
  private final List<String> includes;
  private final List<String> excludes;

  private SourceFilter(Source source, List<String> includes, List<String> excludes) {
    this.source = source;
    this.includes = includes;
    this.excludes = excludes;
  }

  static SourceFilter of(List<String> includes, List<String> excludes) {
    return includes.isEmpty() && excludes.isEmpty()
        ? ALL
        : new SourceFilter(Source.SHOWN, List.copyOf(includes), List.copyOf(excludes));
  }

  /// Reads it from a request's parameters.
  ///
  /// @param otherwise what applies when the request says nothing about it
  static SourceFilter of(RequestParameters parameters, SourceFilter otherwise) {
    if (parameters.isEmpty()) {
      return otherwise;
    }
    String source = parameters.text("_source");
    List<String> includes = parameters.list("_source_includes");
    List<String> excludes = parameters.list("_source_excludes");
    if (source == null) {
      return includes.isEmpty() && excludes.isEmpty() ? otherwise : of(includes, excludes);
    }
    if (source.equals("false")) {
      return NONE;
    }
    if (source.isEmpty() || source.equals("true")) {
      return of(includes, excludes);
    }
    return of(RequestParameters.splitList(source), excludes);
  }

  /// Reads it from a body: a boolean, a pattern, an array of patterns, or an object with `includes`
  /// and `excludes`.
  static SourceFilter of(JsonCursor json) {
    if (json.atBoolean()) {
      return json.text().equals("true") ? ALL : NONE;
    }
    if (!json.atObject()) {
      return of(BodyFields.texts(json, "_source"), List.of());
    }
    List<String> includes = List.of();
    List<String> excludes = List.of();
    json.enter();
    while (json.more()) {
      String name = json.name();
      switch (name) {
        case "includes", "include" -> includes = BodyFields.texts(json, name);
        case "excludes", "exclude" -> excludes = BodyFields.texts(json, name);
        default ->
            throw ApiException.badRequest(
                "parse_exception", "source definition may not contain [" + name + "]");
      }
    }
    return of(includes, excludes);
  }

  boolean hidesSource() {
    return source == Source.HIDDEN;
  }

  /// Writes what is left of `document` as the next value of `out`.
  void write(JsonText document, JsonOutput out) {
    if (includes.isEmpty() && excludes.isEmpty()) {
      out.raw(document);
      return;
    }
    JsonCursor json = new JsonCursor(document);
    if (!json.atObject()) {
      out.raw(document);
      return;
    }
    new Walk(json, document.bytes(), out).object("", includes.isEmpty());
  }

  /// One pass over one document. What turns out empty is taken back.
  private final class Walk {
    private final JsonCursor json;
    private final byte[] bytes;
    private final JsonOutput out;

    Walk(JsonCursor json, byte[] bytes, JsonOutput out) {
      this.json = json;
      this.bytes = bytes;
      this.out = out;
    }

    boolean object(String path, boolean included) {
      boolean any = false;
      out.openObject();
      json.enter();
      while (json.more()) {
        String name = json.name();
        any |= member(path.isEmpty() ? name : path + "." + name, name, included);
      }
      out.closeObject();
      return any;
    }

    private boolean member(String path, String name, boolean inherited) {
      if (fits(excludes, path)) {
        json.skip();
        return false;
      }
      boolean included = inherited || fits(includes, path);
      if (included && !reaches(excludes, path + ".")) {
        out.name(name);
        copy();
        return true;
      }
      if (!included && (json.atScalar() || json.atNull() || !reaches(includes, path + "."))) {
        json.skip();
        return false;
      }
      int mark = out.length();
      out.name(name);
      boolean keep = value(path, included) || included;
      if (!keep) {
        out.takeBackTo(mark);
      }
      return keep;
    }

    /// Writes what is left of a value, and answers whether anything is.
    private boolean value(String path, boolean included) {
      if (json.atObject()) {
        return object(path, included);
      }
      if (json.atArray()) {
        return array(path, included);
      }
      if (included) {
        copy();
      } else {
        json.skip();
      }
      return included;
    }

    /// Elements with nothing left are left out.
    private boolean array(String path, boolean included) {
      boolean any = false;
      out.openArray();
      json.enter();
      while (json.more()) {
        int mark = out.length();
        if (value(path, included)) {
          any = true;
        } else {
          out.takeBackTo(mark);
        }
      }
      out.closeArray();
      return any;
    }

    private void copy() {
      int start = json.position();
      out.raw(bytes, start, json.skip() - start);
    }
  }

  private static boolean fits(List<String> patterns, String path) {
    for (String pattern : patterns) {
      if (Glob.matches(pattern, path) || Glob.matches(pattern + ".*", path)) {
        return true;
      }
    }
    return false;
  }

  private static boolean reaches(List<String> patterns, String path) {
    for (String pattern : patterns) {
      if (Glob.mayContinue(pattern + ".*", path)) {
        return true;
      }
    }
    return false;
  }
}
