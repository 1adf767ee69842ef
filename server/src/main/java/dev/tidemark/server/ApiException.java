package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import dev.tidemark.store.InvalidJsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request that ends in an error answer. It carries what the answer says, in OpenSearch's terms,
/// and no stack trace: it is an outcome, not an accident.
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// How the error stands in the answer.
  enum Shape {
    /// An object with type, reason, and root cause.
    FULL,
    /// A sentence and a status.
    SENTENCE,
    /// A sentence alone.
    BARE_SENTENCE
  }

  /// A further field of the error object.
  record Detail(String name, String value) {}

  private final int status;
  private final String type;
  private final Shape shape;
  private final transient List<Detail> details = new ArrayList<>();
  private @Nullable String causeType;
  private @Nullable String causeReason;
  private @Nullable String allow;

  private ApiException(int status, String type, String reason, Shape shape) {
    super(reason, null, false, false);
    this.status = status;
    this.type = type;
    this.shape = shape;
  }

  static ApiException of(int status, String type, String reason) {
    return new ApiException(status, type, reason, Shape.FULL);
  }

  static ApiException badRequest(String type, String reason) {
    return of(400, type, reason);
  }

  static ApiException illegalArgument(String reason) {
    return badRequest("illegal_argument_exception", reason);
  }

  /// Problems of a request as a whole, numbered as OpenSearch numbers them.
  static ApiException validation(List<String> problems) {
    StringBuilder reason = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < problems.size(); i++) {
      reason.append(i + 1).append(": ").append(problems.get(i)).append(';');
    }
    return badRequest("action_request_validation_exception", reason.toString());
  }

  static ApiException validation(String problem) {
    return validation(List.of(problem));
  }

  static ApiException sentence(int status, String reason) {
    return new ApiException(status, "", reason, Shape.SENTENCE);
  }

  static ApiException bareSentence(int status, String reason) {
    return new ApiException(status, "", reason, Shape.BARE_SENTENCE);
  }

  static ApiException indexNotFound(String index, String resourceType) {
    return indexNotFound(index, resourceType, "no such index [" + index + "]");
  }

  static ApiException indexNotFound(String index, String resourceType, String reason) {
    return of(404, "index_not_found_exception", reason)
        .with("index", index)
        .with("resource.id", index)
        .with("resource.type", resourceType)
        .with("index_uuid", "_na_");
  }

  /// A document that is no JSON, with the place.
  static ApiException invalidDocument(String why) {
    return badRequest("mapper_parsing_exception", "failed to parse")
        .causedBy("json_parse_exception", why);
  }

  /// A request body that is no JSON, with the place.
  static ApiException invalidBody(InvalidJsonException e) {
    return badRequest("json_parse_exception", String.valueOf(e.getMessage()));
  }

  ApiException with(String name, String value) {
    details.add(new Detail(name, value));
    return this;
  }

  /// Names the shard of a single-document error: there is one, and it has the collection's id.
  ApiException at(CollectionInfo collection) {
    return with("index", collection.name())
        .with("shard", "0")
        .with("index_uuid", collection.uuid());
  }

  ApiException causedBy(String otherType, String reason) {
    causeType = otherType;
    causeReason = reason;
    return this;
  }

  ApiException allowing(String methods) {
    allow = methods;
    return this;
  }

  int status() {
    return status;
  }

  String type() {
    return type;
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  Shape shape() {
    return shape;
  }

  List<Detail> details() {
    return details;
  }

  @Nullable String causeType() {
    return causeType;
  }

  @Nullable String causeReason() {
    return causeReason;
  }

  /// The methods that the path does take, for the header of a 405.
  @Nullable String allow() {
    return allow;
  }
}
