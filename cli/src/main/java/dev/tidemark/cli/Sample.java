package dev.tidemark.cli;

import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.JsonText;
import dev.tidemark.store.Operation;
import dev.tidemark.store.Precondition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The sample: 3,201 films, as untidy as their source (see `sample/ATTRIBUTION.md`). A film's id is
/// its line number.
final class Sample {
  static final String INDEX = "movies";

  private Sample() {}

  /// Puts the films in, unless there is an index of that name. They become durable together: a
  /// crash leaves all of them or none, so that the next start never finds a half-filled index and
  /// leaves it alone.
  static void loadInto(DocumentStore store) {
    if (store.collection(INDEX) != null) {
      return;
    }
    store.executeAll(films());
  }

  static List<Operation> films() {
    var films = new ArrayList<Operation>();
    try (InputStream in =
        Objects.requireNonNull(
            Sample.class.getResourceAsStream("sample/movies.ndjson"), "the sample's resource")) {
      var lines = new LineReader(new ByteArrayInputStream(in.readAllBytes()));
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        films.add(
            new Operation.Put(
                INDEX,
                Long.toString(lines.number()),
                null,
                JsonText.parse(line),
                Precondition.NONE));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return films;
  }
}
