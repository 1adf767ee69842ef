package dev.tidemark.server.spec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One test of a suite. Immutable.
///
/// @param area the folder it is in
/// @param file the file's name in it, without its ending
/// @param name unique within the file
/// @param skipped why the suite itself leaves it out here, or null if it does not
/// @param steps those of the file's setup, then its own, then those of the file's teardown
record RestCase(String area, String file, String name, @Nullable String skipped, Sections steps) {
  /// What a test consists of.
  record Sections(List<RestStep> setup, List<RestStep> test, List<RestStep> teardown) {}

  /// What is done at a test's end, without hiding why the test failed.
  private interface Ending extends AutoCloseable {
    @Override
    void close();
  }

  /// The name that is unique among all tests.
  String fullName() {
    return area + "/" + file + "/" + name;
  }

  /// Runs the test. The teardown follows however it ends, and then every index is deleted.
  ///
  /// @throws AssertionError at the first step that fails
  /// @throws RuntimeException if the server fails, which is never a mere difference: it answers
  ///   500, or not at all
  void run(Map<String, RestApi> apis, RestClient client) {
    RestRun run = new RestRun(fullName(), apis, client);
    try (Ending _ = client::wipe;
        Ending _ = () -> run.take("teardown", steps.teardown())) {
      run.take("setup", steps.setup());
      run.take("test", steps.test());
    }
  }
}
