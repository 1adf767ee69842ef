package dev.tidemark.server;

import dev.tidemark.store.Document;
import dev.tidemark.store.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an answer shows of a document it found.
///
/// @param source what of its source
/// @param storedFields the fields asked for by name; shown if the mapping stores them
record DocumentView(SourceFilter source, List<String> storedFields) {
  private static final DocumentView WHOLE = new DocumentView(SourceFilter.ALL, List.of());

  static DocumentView of(RequestParameters parameters) {
    if (parameters.isEmpty()) {
      return WHOLE;
    }
    List<String> storedFields = parameters.list("stored_fields");
    return new DocumentView(SourceFilter.of(parameters, sourceBeside(storedFields)), storedFields);
  }

  /// Whether the source is shown if nothing is said about it: not if fields are asked for instead.
  static SourceFilter sourceBeside(List<String> storedFields) {
    return storedFields.isEmpty() || storedFields.contains("_source")
        ? SourceFilter.ALL
        : SourceFilter.NONE;
  }

  /// Writes the object of a document that was found.
  void write(Document document, Indices.Place place, JsonOutput out) {
    out.openObject();
    out.field("_index", place.name()).field("_id", document.id());
    out.field("_version", document.version());
    out.field("_seq_no", document.seqNo());
    out.field("_primary_term", document.primaryTerm());
    String routing = document.routing();
    if (routing != null) {
      out.field("_routing", routing);
    }
    out.field("found", true);
    IndexTraits traits = place.traits();
    if (!source.hidesSource() && (traits == null || traits.mapping().sourceEnabled())) {
      out.name("_source");
      source.write(document.source(), out);
    }
    if (!storedFields.isEmpty() && traits != null) {
      writeFields(document.source(), traits.mapping(), out);
    }
    out.closeObject();
  }

  static void writeMissing(String index, String id, JsonOutput out) {
    out.openObject();
    out.field("_index", index).field("_id", id).field("found", false);
    out.closeObject();
  }

  private void writeFields(JsonText document, IndexMapping mapping, JsonOutput out) {
    JsonOutput fields = new JsonOutput();
    for (String field : storedFields) {
      JsonOutput values = new JsonOutput().openArray();
      int empty = values.length();
      if (mapping.storedFields().contains(field)) {
        collect(new JsonCursor(document), document.bytes(), field, values);
      }
      if (values.length() > empty) {
        values.closeArray();
        fields.name(field).raw(values.array(), 0, values.length());
      }
    }
    if (fields.length() > 0) {
      out.name("fields").openObject().append(fields.array(), 0, fields.length()).closeObject();
    }
  }

  /// Adds the scalars at a dotted path to `values`, as they are written.
  private static void collect(JsonCursor json, byte[] bytes, String path, JsonOutput values) {
    if (json.atArray()) {
      json.enter();
      while (json.more()) {
        collect(json, bytes, path, values);
      }
    } else if (json.atObject()) {
      json.enter();
      while (json.more()) {
        String name = json.name();
        if (name.equals(path)) {
          collect(json, bytes, "", values);
        } else if (path.startsWith(name + ".")) {
          collect(json, bytes, path.substring(name.length() + 1), values);
        } else {
          json.skip();
        }
      }
    } else if (path.isEmpty() && json.atScalar()) {
      int start = json.position();
      values.raw(bytes, start, json.skip() - start);
    } else {
      json.skip();
    }
  }

  /// Whether a document was written with a routing that puts it elsewhere than where a request
  /// looks for it.
  static boolean isElsewhere(Indices.Place place, Document document, @Nullable String routing) {
    IndexTraits traits = place.traits();
    return traits != null && !traits.sameShard(document.id(), document.routing(), routing);
  }

  /// Refuses to show a document of another version than the one asked for.
  static void checkVersion(Document document, Indices.Place place, RequestParameters parameters) {
    String type = parameters.text("version_type");
    if (type != null) {
      // Every type asks for the same when a document is read, but it must be one.
      new WriteTerms(WriteTerms.INDEX, document.id()).versionType(type);
    }
    checkVersion(document, place, parameters.number("version"));
  }

  static void checkVersion(Document document, Indices.Place place, @Nullable Long version) {
    if (version == null || version == document.version()) {
      return;
    }
    ApiException conflict =
        ApiException.of(
            409,
            "version_conflict_engine_exception",
            "["
                + document.id()
                + "]: version conflict, current version ["
                + document.version()
                + "] is different than the one provided ["
                + version
                + "]");
    throw place.info() == null ? conflict : conflict.at(place.info());
  }
}
