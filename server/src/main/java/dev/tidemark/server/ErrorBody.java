package dev.tidemark.server;

import dev.tidemark.store.InvalidJsonException;
import dev.tidemark.store.StoreClosedException;
import dev.tidemark.store.StoreException;

/// The one place that turns failures into answers, so that each has OpenSearch's shape and none
/// shows a stack trace.
final class ErrorBody {
  private static final System.Logger LOGGER = System.getLogger(ErrorBody.class.getName());

  private ErrorBody() {}

  /// The error that a failure of a request's handling is to its client.
  static ApiException of(Throwable failure) {
    return switch (failure) {
      case ApiException e -> e;
      case InvalidJsonException e -> ApiException.invalidBody(e);
      case IllegalArgumentException e ->
          ApiException.illegalArgument(String.valueOf(e.getMessage()));
      case StoreClosedException e -> storeError("store_closed_exception", e);
      case StoreException e -> storeError("store_failed_exception", e);
      case OutOfMemoryError _ ->
          ApiException.of(
              429,
              "circuit_breaking_exception",
              "not enough memory for this request; send smaller ones, or fewer at a time");
      default -> {
        LOGGER.log(System.Logger.Level.ERROR, "a request failed inside the server", failure);
        yield ApiException.of(
            500,
            "internal_server_error",
            "the request failed inside the server ("
                + failure.getClass().getSimpleName()
                + "); the server's output says more");
      }
    };
  }

  private static ApiException storeError(String type, StoreException e) {
    return ApiException.of(503, type, String.valueOf(e.getMessage()));
  }

  /// The whole answer.
  static Answer answer(ApiException error) {
    JsonOutput out = new JsonOutput();
    out.openObject().name("error");
    if (error.shape() == ApiException.Shape.FULL) {
      write(error, out);
    } else {
      out.value(error.reason());
    }
    if (error.shape() != ApiException.Shape.BARE_SENTENCE) {
      out.field("status", error.status());
    }
    out.closeObject();
    return Answer.error(error.status(), out, error.allow());
  }

  /// The error object of an answer, with its root cause.
  static void write(ApiException error, JsonOutput out) {
    out.openObject().name("root_cause").openArray().openObject();
    fields(error, out);
    out.closeObject().closeArray();
    fieldsAndCause(error, out);
    out.closeObject();
  }

  /// The error object of one bulk item, which has no root cause.
  static void writeItem(ApiException error, JsonOutput out) {
    out.openObject();
    fieldsAndCause(error, out);
    out.closeObject();
  }

  private static void fields(ApiException error, JsonOutput out) {
    out.field("type", error.type()).field("reason", error.reason());
    for (ApiException.Detail detail : error.details()) {
      out.field(detail.name(), detail.value());
    }
  }

  private static void fieldsAndCause(ApiException error, JsonOutput out) {
    fields(error, out);
    String causeType = error.causeType();
    String causeReason = error.causeReason();
    if (causeType != null && causeReason != null) {
      out.name("caused_by").openObject();
      out.field("type", causeType).field("reason", causeReason).closeObject();
    }
  }
}
