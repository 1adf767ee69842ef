package dev.tidemark.server;

import dev.tidemark.store.InvalidJsonException;
import dev.tidemark.store.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Cuts a bulk body into its actions. Used once, by one thread.
///
/// The rule for broken lines: an action line that can't be understood, or asks for something no
/// action may ask, leaves open what the lines behind it mean, so the whole request is refused, and
/// the message names the line; nothing is written. A broken document line fails its own item only,
/// and is not looked at here. Blank lines are skipped, a carriage return before a line feed and a
/// byte order mark at the start are dropped, and the last line must end with a line feed.
final class BulkParser {
  /// The longest action line, in bytes.
  static final int ACTION_LINE_BYTES_MAX = 64 << 10;

  /// The most actions of one request. They are held in memory and become one batch of the log, at
  /// some hundred bytes each, however short their lines are.
  static final int ACTIONS_MAX = 200_000;

  private static final Set<String> ACTIONS =
      Set.of(WriteTerms.INDEX, WriteTerms.CREATE, WriteTerms.UPDATE, WriteTerms.DELETE);

  private final byte[] body;
  private final @Nullable String defaultIndex;
  private final @Nullable String defaultRouting;
  private final @Nullable String defaultPipeline;
  private final boolean defaultRequireAlias;
  private final List<String> problems = new ArrayList<>();

  private int lineNumber;
  private int lineStart;
  private int lineEnd;
  private int next;

  BulkParser(byte[] body, @Nullable String index, RequestParameters parameters) {
    this.body = body;
    this.defaultIndex = index;
    this.defaultRouting = parameters.text("routing");
    this.defaultPipeline = parameters.text("pipeline");
    this.defaultRequireAlias = parameters.isOn("require_alias");
  }

  /// The actions, in their order.
  ///
  /// @throws ApiException if an action line is broken, there is no action, or there are too many
  List<BulkItem> parse() {
    List<BulkItem> items = new ArrayList<>();
    next = startsWithByteOrderMark() ? 3 : 0;
    checkLastLine();
    while (nextLine()) {
      if (items.size() == ACTIONS_MAX) {
        throw ApiException.of(
            413,
            "content_too_long_exception",
            "a bulk request may have "
                + ACTIONS_MAX
                + " actions, and more begin on line "
                + lineNumber
                + "; nothing was written: send it in parts");
      }
      items.add(item());
    }
    if (items.isEmpty()) {
      problems.add("no requests added");
    }
    if (!problems.isEmpty()) {
      throw ApiException.validation(problems);
    }
    return items;
  }

  private boolean startsWithByteOrderMark() {
    return body.length >= 3
        && body[0] == (byte) 0xef
        && body[1] == (byte) 0xbb
        && body[2] == (byte) 0xbf;
  }

  private void checkLastLine() {
    int end = body.length;
    while (end > next && isBlank(body[end - 1]) && body[end - 1] != '\n') {
      end--;
    }
    if (end > next && body[end - 1] != '\n') {
      throw ApiException.illegalArgument("The bulk request must be terminated by a newline [\\n]");
    }
  }

  /// Goes to the next line that is not blank, and leaves its bounds behind.
  private boolean nextLine() {
    while (next < body.length) {
      int end = next;
      while (end < body.length && body[end] != '\n') {
        end++;
      }
      lineNumber++;
      lineStart = next;
      lineEnd = end > next && body[end - 1] == '\r' ? end - 1 : end;
      next = end + 1;
      for (int i = lineStart; i < lineEnd; i++) {
        if (!isBlank(body[i])) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }

  private BulkItem item() {
    int actionLine = lineNumber;
    JsonCursor json = actionLine();
    if (!json.atObject()) {
      throw malformed("expected START_OBJECT but found [" + json.kind() + "]");
    }
    json.enter();
    if (!json.more()) {
      throw malformed("expected FIELD_NAME but found [END_OBJECT]");
    }
    String action = json.name();
    if (!ACTIONS.contains(action)) {
      throw malformed("expected one of [create, delete, index, update] but found [" + action + "]");
    }
    ActionLine line = new ActionLine(action, json);
    if (json.more()) {
      throw malformed("expected END_OBJECT but found [FIELD_NAME]");
    }
    if (action.equals(WriteTerms.DELETE)) {
      return line.item(actionLine, 0, 0);
    }
    if (!nextLine()) {
      throw malformed(actionLine, "the document line that should follow it is missing");
    }
    return line.item(actionLine, lineStart, lineEnd - lineStart);
  }

  private JsonCursor actionLine() {
    int length = lineEnd - lineStart;
    if (length > ACTION_LINE_BYTES_MAX) {
      throw malformed("it has " + length + " bytes, the limit is " + ACTION_LINE_BYTES_MAX);
    }
    try {
      return new JsonCursor(JsonText.parse(body, lineStart, length));
    } catch (InvalidJsonException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private ApiException malformed(String why) {
    return malformed(lineNumber, why);
  }

  private static ApiException malformed(int line, String why) {
    return ApiException.illegalArgument("Malformed action/metadata line [" + line + "], " + why);
  }

  /// The fields of one action line.
  private final class ActionLine {
    private final WriteTerms terms;
    private final String action;
    private @Nullable String index = defaultIndex;
    private @Nullable String id;
    private @Nullable String routing = defaultRouting;
    private @Nullable String pipeline = defaultPipeline;
    private @Nullable SourceFilter source;
    private boolean requireAlias = defaultRequireAlias;
    private boolean versioned;

    ActionLine(String action, JsonCursor json) {
      this.action = action;
      terms = new WriteTerms(action, null);
      if (!json.atObject()) {
        throw malformed("expected START_OBJECT or END_OBJECT but found [" + json.kind() + "]");
      }
      json.enter();
      while (json.more()) {
        String field = json.name();
        if (json.atNull()) {
          json.skip();
        } else if (field.equals("_source")) {
          source = SourceFilter.of(json);
        } else if (json.atScalar()) {
          try {
            read(field, json);
          } catch (ApiException e) {
            throw malformed("field [" + field + "]: " + e.reason());
          }
        } else {
          throw malformed(
              "expected a simple value for field [" + field + "] but found [" + json.kind() + "]");
        }
      }
    }

    private void read(String field, JsonCursor json) {
      switch (field) {
        case "_index" -> index = json.text();
        case "_id" -> {
          id = json.text();
          terms.id(id);
        }
        case "routing", "_routing" -> routing = json.text();
        case "op_type" -> terms.opType(json.text());
        case "version", "_version" -> {
          versioned = true;
          terms.version(BodyFields.number(json, field));
        }
        case "version_type", "_version_type" -> {
          String type = json.text();
          versioned |= !type.equals("internal");
          terms.versionType(type);
        }
        case "if_seq_no" -> terms.ifSeqNo(BodyFields.number(json, field));
        case "if_primary_term" -> terms.ifPrimaryTerm(BodyFields.number(json, field));
        case "retry_on_conflict", "_retry_on_conflict" -> BodyFields.number(json, field);
        case "pipeline" -> pipeline = json.text();
        case "require_alias" -> requireAlias = BodyFields.flag(json, field);
        default ->
            throw ApiException.illegalArgument(
                "Action/metadata line ["
                    + lineNumber
                    + "] contains an unknown parameter ["
                    + field
                    + "]");
      }
    }

    BulkItem item(int line, int offset, int length) {
      String on = ", on line " + line;
      if (versioned && action.equals(WriteTerms.UPDATE)) {
        throw malformed(
            line,
            "Update requests do not support versioning. Please use `if_seq_no` and"
                + " `if_primary_term` instead");
      }
      terms.problems().forEach(problem -> problems.add(problem + on));
      if (index == null) {
        problems.add("index is missing" + on);
      }
      if (id == null && (action.equals(WriteTerms.UPDATE) || action.equals(WriteTerms.DELETE))) {
        problems.add("id is missing" + on);
      }
      return new BulkItem(
          terms,
          index == null ? "" : index,
          id,
          routing,
          requireAlias,
          pipeline,
          source,
          lineNumber,
          offset,
          length);
    }
  }
}
