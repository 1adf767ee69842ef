package dev.tidemark.server.spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One run of one test: its stash, and the answer to its last call. For one thread.
final class RestRun {
  private static final int SERVER_FAILED = 500;

  private final String name;
  private final Map<String, RestApi> apis;
  private final RestClient client;
  private final Stash stash = new Stash();
  private @Nullable RestAnswer last;

  /// @param name the test's, for messages
  RestRun(String name, Map<String, RestApi> apis, RestClient client) {
    this.name = name;
    this.apis = apis;
    this.client = client;
  }

  /// Takes the steps in their order.
  ///
  /// @param section the steps' section, for messages
  /// @throws AssertionError at the first that fails, which it names
  void take(String section, List<RestStep> steps) {
    for (int i = 0; i < steps.size(); i++) {
      try {
        take(steps.get(i));
      } catch (AssertionError | RestApi.ParameterException e) {
        throw new AssertionError(
            "%s, step %d of the %s: %s".formatted(name, i + 1, section, e.getMessage()), e);
      }
    }
  }

  private void take(RestStep step) {
    switch (step) {
      case RestStep.Do call -> call(call);
      case RestStep.Keep keep -> {
        Object value = actual(keep.path());
        if (value == null) {
          throw new AssertionError("[" + keep.path() + "] is to be kept, but is missing");
        }
        stash.put(keep.name(), value);
      }
      case RestStep.Check check -> {
        Object actual = actual(check.path());
        Object expected = stash.resolveAll(check.expected());
        if (!check.expectation().holds(actual, expected)) {
          throw new AssertionError(
              "%s [%s]: expected %s, but was %s"
                  .formatted(
                      check.expectation(), check.path(), Json.write(expected), Json.write(actual)));
        }
      }
    }
  }

  private void call(RestStep.Do step) {
    RestApi api = apis.get(step.api());
    if (api == null) {
      throw new AssertionError("the artifact has no API [" + step.api() + "]");
    }
    RestCall call;
    try {
      call =
          api.call(Json.members(stash.resolveAll(step.arguments())), stash.resolveAll(step.body()));
    } catch (RestApi.ParameterException e) {
      if (step.error() instanceof Catch.Parameter) {
        return;
      }
      throw e;
    }
    Map<String, String> headers = new LinkedHashMap<>();
    step.headers()
        .forEach((name, value) -> headers.put(name, String.valueOf(stash.resolveAll(value))));
    RestAnswer answer = client.send(call, headers);
    if (answer.status() == SERVER_FAILED) {
      throw new IllegalStateException(
          call.method() + " " + call.target() + ": " + answer.describe());
    }
    last = answer;
    stash.answer(answer.body());
    if (step.error() != null) {
      Catch.check(step.error(), answer);
    } else if (answer.isError() && !step.ignored().contains(answer.status())) {
      throw new AssertionError(call.method() + " " + call.target() + ": " + answer.describe());
    }
  }

  private @Nullable Object actual(String path) {
    if (last == null) {
      throw new AssertionError("nothing was called yet");
    }
    if (path.startsWith("$") && !path.startsWith("${")) {
      return stash.resolve(path);
    }
    // A body that is no JSON can only be looked at as a whole.
    if (last.body() instanceof String && !path.isEmpty()) {
      return null;
    }
    return FieldPath.lookUp(last.body(), path, stash);
  }
}
