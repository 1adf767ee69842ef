package dev.tidemark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Keeps a number of HTTP connections busy, each with one request after the other, from one thread:
/// the server's processors are the generator's too, and a thread for each connection would take
/// more of them.
///
/// Used by one thread. After an error it is of no more use.
final class LoadGenerator implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  private final Selector selector;
  private final List<Connection> connections;

  private LoadGenerator(Selector selector, List<Connection> connections) {
    this.selector = selector;
    this.connections = connections;
  }

  /// Opens the connections.
  static LoadGenerator connect(InetSocketAddress address, int count) throws IOException {
    LoadGenerator generator = new LoadGenerator(Selector.open(), new ArrayList<>(count));
    try {
      for (int i = 0; i < count; i++) {
        Connection connection = Connection.open(i, address);
        generator.connections.add(connection);
        connection.channel().register(generator.selector, SelectionKey.OP_READ, connection);
      }
      return generator;
    } catch (IOException e) {
      generator.close();
      throw e;
    }
  }

  /// Sends requests for about this long and waits for the last answers.
  ///
  /// @throws IOException if an answer is wrong, or none comes within half a minute
  Load run(Exchange exchange, Duration length) throws IOException {
    Phase phase = new Phase(exchange, length);
    for (Connection connection : connections) {
      phase.next(connection, System.nanoTime());
    }
    while (phase.underWay > 0) {
      try {
        if (selector.select(phase::ready, PATIENCE.toMillis()) == 0) {
          throw new IOException(
              phase.underWay + " requests have no answer after " + PATIENCE.toSeconds() + " s");
        }
      } catch (UncheckedIOException e) {
        throw new IOException(e.getCause());
      }
    }
    return new Load(phase.latencies, phase.last - phase.start);
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.close();
    }
    selector.close();
  }

  /// One run: who is under way, and what was seen.
  private static final class Phase {
    private final Exchange exchange;
    private final Histogram latencies = new Histogram(1_000, LATENCY_NANOS_MAX, 3);
    private final long start = System.nanoTime();
    private final long end;
    private long last = start;
    private int underWay;

    Phase(Exchange exchange, Duration length) {
      this.exchange = exchange;
      this.end = start + length.toNanos();
    }

    void next(Connection connection, long now) throws IOException {
      exchange.write(connection.number(), connection.request());
      connection.send(now);
      underWay++;
    }

    void ready(SelectionKey key) {
      try {
        Connection connection = (Connection) key.attachment();
        if (!connection.receive()) {
          return;
        }
        long now = System.nanoTime();
        underWay--;
        last = now;
        latencies.recordValue(Math.min(now - connection.sentAt(), LATENCY_NANOS_MAX));
        exchange.check(connection);
        if (now - end < 0) {
          next(connection, now);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// What is asked, and what must come back.
  interface Exchange {
    /// Puts a connection's next request into an empty buffer.
    void write(int connection, ByteBuffer request);

    /// Looks at the answer.
    ///
    /// @throws IOException if it is not what it must be
    void check(Connection answered) throws IOException;
  }

  /// What a run found.
  ///
  /// @param latencies of each request, in nanoseconds, from just before it was written until its
  ///   answer was read
  /// @param nanos from the first request to the last answer
  record Load(Histogram latencies, long nanos) {
    long count() {
      return latencies.getTotalCount();
    }

    /// Answers a second.
    double rate() {
      return count() * 1e9 / nanos;
    }

    /// The latency that this part of the requests, in percent, stayed within, in microseconds.
    double micros(double percentile) {
      return latencies.getValueAtPercentile(percentile) / 1e3;
    }
  }
}
