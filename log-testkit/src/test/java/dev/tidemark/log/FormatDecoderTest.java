package dev.tidemark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.FormatDecoder.Decoded;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Whoever has docs/FORMAT.md and nothing else reads what the log wrote.
class FormatDecoderTest {
  private static final int ROUNDS = 40;
  private static final int STEPS = 60;

  private final Seed seed = Seed.ofRun();
  private final RandomGenerator random = seed.random();

  @Test
  void aDecoderThatKnowsThePageAloneReadsWhatTheLogWrote() {
    int segments = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CrashStorage storage = new CrashStorage();
      for (int life = 0; life < 3; life++) {
        LogOptions options = TestRecords.smallSegments().build();
        Log log = Log.open(storage, options);
        workOn(log);
        List<LogRecord> written = TestRecords.records(log);
        segments += log.stats().segments();
        if (random.nextBoolean()) {
          // As the power fails: nothing was closed, and not all is whole.
          log.append(new byte[random.nextInt(3000)]);
          CrashStorage left = storage.crash(random);
          assertReads(written, FormatDecoder.of(left.image()));
          log.close();
          storage = left;
        } else {
          log.close();
          FormatDecoder decoder = FormatDecoder.of(storage.image());
          assertReads(written, decoder);
          assertTrue(decoder.closed(), seed::toString);
          assertEquals(written.size(), decoder.records().size(), seed::toString);
        }
      }
    }
    assertTrue(segments > 5 * ROUNDS, "there were rotations");
  }

  @Test
  void theDecoderNoticesWhatIsNotAsThePageSays() {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, TestRecords.options().build())) {
      log.write(new byte[100]);
    }
    assertEquals(1, FormatDecoder.of(storage.image()).records().size());
    String segment = storage.files().getFirst();
    // The salt is part of the header's CRC.
    storage.flipBit(segment, 16, 0);
    assertThrows(AssertionError.class, () -> FormatDecoder.of(storage.image()));
    storage.flipBit(segment, 16, 0);
    storage.flipBit(segment, 4096 + 60, 3);
    assertEquals(0, FormatDecoder.of(storage.image()).records().size());
  }

  private void workOn(Log log) {
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(10)) {
        case 0 -> log.trimBefore(log.durableLsn() + 1 - random.nextInt(30));
        case 1, 2, 3 -> {
          List<byte[]> batch = new ArrayList<>();
          for (int i = random.nextInt(5); i >= 0; i--) {
            batch.add(payload());
          }
          log.writeBatch(batch);
        }
        case 4 -> log.append(payload());
        default -> log.write(payload());
      }
    }
    log.sync();
  }

  private byte[] payload() {
    byte[] payload = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(900)];
    random.nextBytes(payload);
    return payload;
  }

  /// A crash may leave more than was acknowledged.
  private void assertReads(List<LogRecord> written, FormatDecoder decoder) {
    List<Decoded> decoded = decoder.records();
    assertTrue(decoded.size() >= written.size(), seed::toString);
    for (int i = 0; i < written.size(); i++) {
      LogRecord expected = written.get(i);
      Decoded found = decoded.get(i);
      assertEquals(expected.lsn(), found.lsn(), seed::toString);
      assertEquals(expected.timeMs(), found.timeMs(), seed::toString);
      assertEquals(
          expected.position(), new Position(found.segment(), found.offset()), seed::toString);
      assertEquals(ByteBuffer.wrap(expected.payload()), found.payload(), seed::toString);
    }
  }
}
