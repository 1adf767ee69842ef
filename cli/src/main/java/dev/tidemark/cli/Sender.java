package dev.tidemark.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Sends bulk requests and counts what became of their changes. Any number of threads.
final class Sender {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Api api;
  private final String path;
  private final Rejects rejects;
  private final Duration patience;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong underWay = new AtomicLong();

  /// @param patience how long a server may go on to answer that it is too busy
  Sender(Api api, String index, Rejects rejects, Duration patience) {
    this.api = api;
    this.path = "/" + Api.segment(index) + "/_bulk?filter_path=" + BulkReply.FILTER;
    this.rejects = rejects;
    this.patience = patience;
  }

  /// Changes acknowledged so far.
  long taken() {
    return taken.get();
  }

  /// Sends the changes in one request, and returns once each is taken or among the rejects.
  ///
  /// @throws UserError if the request was refused as a whole, or its outcome is unknown
  void send(List<Entry.Change> changes) throws InterruptedException {
    underWay.addAndGet(changes.size());
    byte[] reply = reply(changes);
    List<@Nullable String> errors = errors(reply);
    if (errors.size() != changes.size()) {
      throw unknown(
          "%s answered with %d items for %d changes"
              .formatted(api.base(), errors.size(), changes.size()),
          null);
    }
    for (int i = 0; i < errors.size(); i++) {
      String error = errors.get(i);
      if (error == null) {
        taken.incrementAndGet();
      } else {
        rejects.add(changes.get(i), error);
      }
    }
    underWay.addAndGet(-changes.size());
  }

  /// The reply's bytes, waiting while the server says that it is too busy.
  private byte[] reply(List<Entry.Change> changes) throws InterruptedException {
    byte[] body = body(changes);
    long since = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      HttpResponse<InputStream> response;
      try {
        response = api.post(path, "application/x-ndjson", body);
        if (response.statusCode() == 200) {
          try (InputStream in = response.body()) {
            return in.readAllBytes();
          }
        }
      } catch (IOException e) {
        UserError failure = api.failure(e);
        throw e instanceof ConnectException && taken.get() == 0 && underWay.get() == changes.size()
            ? failure
            : unknown(String.valueOf(failure.getMessage()), failure);
      }
      int status = response.statusCode();
      UserError refusal = Api.refusal(response);
      boolean again = status == 429 || (status == 503 && isRepeatable(changes));
      if (!again || System.nanoTime() - since > patience.toNanos()) {
        throw status < 500
            ? refused(refusal, changes)
            : unknown(String.valueOf(refusal.getMessage()), refusal);
      }
      // A random part keeps several requests from coming back at the same moment.
      Thread.sleep(pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis())));
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  /// A 503 does not say whether the request was kept. Sent again, a document with an id is written
  /// over; one without would be there twice.
  private static boolean isRepeatable(List<Entry.Change> changes) {
    return changes.stream().allMatch(change -> change.id() != null);
  }

  private UserError refused(UserError refusal, List<Entry.Change> changes) {
    return new UserError(
        "%s - %d documents are acknowledged, none of this request (lines %d to %d)."
            .formatted(
                refusal.getMessage(),
                taken.get(),
                changes.getFirst().line(),
                changes.getLast().line()),
        refusal);
  }

  private static byte[] body(List<Entry.Change> changes) {
    var body = new ByteArrayOutputStream(changes.stream().mapToInt(Entry.Change::bytes).sum());
    for (Entry.Change change : changes) {
      change.writeTo(body);
    }
    return body.toByteArray();
  }

  private List<@Nullable String> errors(byte[] reply) {
    try {
      return BulkReply.parse(reply).errors();
    } catch (JacksonException e) {
      throw unknown(api.base() + " answered what is no JSON", e);
    }
  }

  private UserError unknown(String what, @Nullable Exception cause) {
    return new UserError(
        "%s - %d documents are acknowledged, %d more were under way and may or may not be kept."
            .formatted(what, taken.get(), underWay.get()),
        cause);
  }
}
