package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.PAYLOAD_BYTES;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.payloads;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageOp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the Flight Recorder gets, read back from its file.
class LogEventsTest {
  private static final String PREFIX = "dev.tidemark.log.";

  private final CrashStorage storage = new CrashStorage();
  private final LogOptions options = smallSegments().build();

  @TempDir private Path folder;

  private static List<RecordedEvent> read(Path file, String name) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(e -> e.getEventType().getName().equals(PREFIX + name))
        .toList();
  }

  private interface Work {
    void run();
  }

  /// The events of one name that the work made, in their order.
  private List<RecordedEvent> record(String name, Work work) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PREFIX + name);
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return read(file, name);
  }

  @Test
  void aCommitGroupIsAnEventOfItsRecordsBytesAndTimes() throws IOException {
    Duration slow = Duration.ofMillis(20);
    try (Log log = Log.open(storage, options)) {
      List<RecordedEvent> events =
          record(
              "CommitGroup",
              () -> {
                log.write(payload(1));
                storage.faults().slowOnce(StorageOp.SYNC, 1, slow);
                log.writeBatch(payloads(2, 11));
              });
      assertEquals(2, events.size());
      assertEquals(1, events.getFirst().getInt("records"));
      RecordedEvent batch = events.getLast();
      assertEquals(10, batch.getInt("records"));
      assertEquals(10 * PAYLOAD_BYTES, batch.getLong("payloadBytes"));
      assertEquals(11, batch.getLong("lastLsn"));
      assertTrue(batch.getDuration("syncTime").compareTo(slow) >= 0);
      Duration calls = batch.getDuration("syncTime").plus(batch.getDuration("writeTime"));
      assertTrue(batch.getDuration().compareTo(calls) >= 0);
    }
  }

  @Test
  void onlyASyncAboveTheThresholdIsAnEvent() throws IOException {
    try (Log log = Log.open(storage, options);
        Recording recording = new Recording()) {
      // Far enough above what a sync in memory takes on a busy machine.
      recording.enable(PREFIX + "Sync").withThreshold(Duration.ofSeconds(1));
      recording.start();
      write(log, 1, 20);
      storage.faults().slowOnce(StorageOp.SYNC, 1, Duration.ofMillis(1200));
      write(log, 21, 30);
      recording.stop();
      Path file = folder.resolve("slow.jfr");
      recording.dump(file);
      List<RecordedEvent> events = read(file, "Sync");
      assertEquals(1, events.size());
      assertEquals(SegmentImage.fileName(1), events.getFirst().getString("file"));
    }
  }

  @Test
  void aRotationIsAnEventOfBothFiles() throws IOException {
    try (Log log = Log.open(storage, options)) {
      List<RecordedEvent> events = record("Rotation", () -> write(log, 1, 40));
      assertEquals(1, events.size());
      RecordedEvent rotation = events.getFirst();
      assertEquals(SegmentImage.fileName(1), rotation.getString("finished"));
      assertEquals(33, rotation.getLong("lastLsn"));
      assertEquals(SegmentImage.fileName(34), rotation.getString("begun"));
    }
  }

  @Test
  void anOpeningIsAnEventOfWhatWasFound() throws IOException {
    List<RecordedEvent> events =
        record(
            "Recovery",
            () -> {
              try (Log log = Log.open(storage, options)) {
                write(log, 1, 10);
              }
              Log.open(storage, options).close();
              storage.faults().failOnce(StorageOp.LIST, 1);
              assertThrows(LogIoException.class, () -> Log.open(storage, options));
            });
    assertEquals(
        List.of("Created", "Clean", "InjectedFaultException"),
        events.stream().map(e -> e.getString("result")).toList());
    assertEquals(10, events.get(1).getLong("lastLsn"));
    assertEquals(10, events.get(1).getLong("scannedRecords"));
    assertEquals("memory", events.get(1).getString("directory"));
  }

  @Test
  void aFailureIsOneEventWithItsCauseAndBothLsns() throws IOException {
    Log log = Log.open(storage, options);
    write(log, 1, 3);
    List<RecordedEvent> events =
        record(
            "Failure",
            () -> {
              storage.faults().failOnce(StorageOp.SYNC, 1);
              assertThrows(LogFailedException.class, () -> log.writeBatch(payloads(4, 8)));
              assertThrows(LogFailedException.class, () -> log.write(payload(9)));
            });
    log.close();
    assertEquals(1, events.size());
    RecordedEvent failure = events.getFirst();
    assertTrue(failure.getString("cause").contains("InjectedFaultException"));
    assertEquals(3, failure.getLong("durableLsn"));
    assertEquals(8, failure.getLong("appendedLsn"));
  }

  /// Labels, descriptions and categories are what a user of a recording sees.
  @Test
  void everyEventAndFieldIsNamedForItsReader() {
    Log.open(storage, options).close();
    List<EventType> types =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .filter(type -> type.getName().startsWith(PREFIX))
            .toList();
    assertFalse(types.isEmpty());
    for (EventType type : types) {
      assertNotNull(type.getLabel(), type.getName());
      assertNotNull(type.getDescription(), type.getName());
      assertEquals(List.of("Tidemark", "Log"), type.getCategoryNames());
      for (ValueDescriptor field : type.getFields()) {
        assertNotNull(field.getLabel(), type.getName() + " " + field.getName());
      }
    }
  }
}
