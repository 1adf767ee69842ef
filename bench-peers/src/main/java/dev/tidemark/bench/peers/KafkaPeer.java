package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/// Kafka's log of one partition, without its broker, told to flush with every message. A batch is
/// one of its record batches.
public final class KafkaPeer implements Peer {
  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public String description() {
    return "Kafka's partition log (UnifiedLog), flush.messages=1; a batch is one record batch";
  }

  @Override
  public Store open(Path folder) throws IOException {
    return new Opened(folder);
  }

  private static final class Opened implements Store {
    private static final int EPOCH = 0;
    private static final int EXPIRY_MS = 24 * 60 * 60 * 1_000;

    private final KafkaScheduler scheduler = new KafkaScheduler(1);
    private final BrokerTopicStats stats = new BrokerTopicStats();
    private final UnifiedLog log;

    Opened(Path folder) throws IOException {
      scheduler.startup();
      Path partition = Files.createDirectory(folder.resolve("bench-0"));
      this.log =
          UnifiedLog.create(
              partition.toFile(),
              new LogConfig(Map.of(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, "1")),
              0,
              0,
              scheduler,
              stats,
              Time.SYSTEM,
              EXPIRY_MS,
              new ProducerStateManagerConfig(EXPIRY_MS, false),
              EXPIRY_MS,
              new LogDirFailureChannel(1),
              true,
              Optional.empty());
    }

    @Override
    public void write(byte[] record) throws IOException {
      log.appendAsLeader(
          MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(record)), EPOCH);
    }

    @Override
    public void writeBatch(List<byte[]> records) throws IOException {
      SimpleRecord[] batch = records.stream().map(SimpleRecord::new).toArray(SimpleRecord[]::new);
      log.appendAsLeader(MemoryRecords.withRecords(Compression.NONE, batch), EPOCH);
    }

    @Override
    public void close() throws IOException {
      log.close();
      stats.close();
      try {
        scheduler.shutdown();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
