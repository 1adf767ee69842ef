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
  private final String index;
  private final String path;
  private final Rejects rejects;
  private final Duration patience;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong underWay = new AtomicLong();

  /// @param patience how long a server may go on to answer that it is too busy
  Sender(Api api, String index, Rejects rejects, Duration patience) {
    this.api = api;
    this.index = index;
    this.path = "/" + Api.segment(index) + "/_bulk";
    this.rejects = rejects;
    this.patience = patience;
  }

  /// Changes acknowledged so far.
  long taken() {
    return taken.get();
  }

  /// Sends the changes, and returns once each is taken or among the rejects. A request that is
  /// refused for one of its changes is sent again in halves until that one stands alone.
  ///
  /// @throws UserError if the server refuses more than single changes, or an outcome is unknown
  void send(List<Entry.Change> changes) throws InterruptedException {
    underWay.addAndGet(changes.size());
    Answer answer = ask(changes);
    switch (answer.status()) {
      case 200 -> settle(changes, answer);
      case 400, 413 -> {
        if (changes.size() > 1) {
          underWay.addAndGet(-changes.size());
          int half = changes.size() / 2;
          send(changes.subList(0, half));
          send(changes.subList(half, changes.size()));
          return;
        }
        reject(changes.getFirst(), Api.reasonIn(answer.body()));
      }
      default ->
          throw answer.status() < 500
              ? refused(answer, changes)
              : unknown(String.valueOf(refusal(answer).getMessage()), null);
    }
    underWay.addAndGet(-changes.size());
  }

  private void settle(List<Entry.Change> changes, Answer answer) {
    List<@Nullable String> errors;
    try {
      errors = BulkReply.parse(answer.body()).errors();
    } catch (JacksonException e) {
      throw unknown(api.base() + " answered what is no JSON", e);
    }
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
        reject(changes.get(i), error);
      }
    }
  }

  /// An index whose name is none takes no document: then the rest of the file needn't be tried.
  private void reject(Entry.Change change, String reason) {
    if (reason.startsWith("invalid_index_name_exception") && reason.contains("[" + index + "]")) {
      throw new UserError("No document can be loaded: " + reason);
    }
    rejects.add(change, reason);
  }

  /// The server's answer, waiting while it says that it is too busy.
  private Answer ask(List<Entry.Change> changes) throws InterruptedException {
    byte[] body = body(changes);
    long since = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Answer answer = ask(body, changes.size());
      boolean again = answer.status() == 429 || (answer.status() == 503 && isRepeatable(changes));
      if (!again || System.nanoTime() - since > patience.toNanos()) {
        return answer;
      }
      // A random part keeps several requests from coming back at the same moment.
      Thread.sleep(pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis())));
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private Answer ask(byte[] body, int changes) throws InterruptedException {
    try {
      HttpResponse<InputStream> response =
          api.post(path + "?filter_path=" + BulkReply.FILTER, "application/x-ndjson", body);
      try (InputStream in = response.body()) {
        return new Answer(response.statusCode(), in.readAllBytes());
      }
    } catch (IOException e) {
      UserError failure = api.failure(e);
      boolean nothingSent =
          e instanceof ConnectException && taken.get() == 0 && underWay.get() == changes;
      throw nothingSent ? failure : unknown(String.valueOf(failure.getMessage()), failure);
    }
  }

  /// A 503 does not say whether the request was kept. Sent again, a document with an id is written
  /// over; one without would be there twice.
  private static boolean isRepeatable(List<Entry.Change> changes) {
    return changes.stream().allMatch(change -> change.id() != null);
  }

  private UserError refusal(Answer answer) {
    return api.refusal(path, answer.status(), answer.body());
  }

  private UserError refused(Answer answer, List<Entry.Change> changes) {
    return new UserError(
        "%s - %d documents are acknowledged, none of this request (lines %d to %d)."
            .formatted(
                refusal(answer).getMessage(),
                taken.get(),
                changes.getFirst().line(),
                changes.getLast().line()));
  }

  private static byte[] body(List<Entry.Change> changes) {
    var body = new ByteArrayOutputStream(changes.stream().mapToInt(Entry.Change::bytes).sum());
    for (Entry.Change change : changes) {
      change.writeTo(body);
    }
    return body.toByteArray();
  }

  private UserError unknown(String what, @Nullable Exception cause) {
    return new UserError(
        "%s - %d documents are acknowledged, %d more were under way and may or may not be kept."
            .formatted(what, taken.get(), underWay.get()),
        cause);
  }

  private static final class Answer {
    private final int status;
    private final byte[] body;

    Answer(int status, byte[] body) {
      this.status = status;
      this.body = body;
    }

    int status() {
      return status;
    }

    byte[] body() {
      return body;
    }
  }
}
