package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The soak must find what it looks for: each kind of loss, planted.
class SoakVerifierTest {
  private static final int WRITERS = 2;

  @TempDir private Path folder;

  @Test
  void aRecordIsKnownByItsBytes() {
    SoakRecord record = new SoakRecord(3, 1_000, 2, 7);
    assertEquals(record, SoakRecord.of(ByteBuffer.wrap(record.bytes()), 1));
  }

  @Test
  void anyBitFlippedIsFound() {
    byte[] bytes = new SoakRecord(1, 12, 0, 1).bytes();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 4;
      assertThrows(SoakFailure.class, () -> SoakRecord.of(ByteBuffer.wrap(bytes), 1));
      bytes[i] ^= 4;
    }
  }

  @Test
  void anLsnLeftOutIsFound() {
    SoakVerifier verifier = new SoakVerifier(WRITERS);
    verifier.accept(5, single(0, 1));
    assertThrows(SoakFailure.class, () -> verifier.accept(7, single(0, 2)));
  }

  @Test
  void aRecordLeftOutOrComeTwiceIsFound() {
    for (long number : new long[] {1, 3}) {
      SoakVerifier verifier = new SoakVerifier(WRITERS);
      verifier.accept(5, single(0, 1));
      verifier.accept(6, single(1, 9));
      assertThrows(SoakFailure.class, () -> verifier.accept(7, single(0, number)));
    }
  }

  @Test
  void halfABatchIsFound() {
    SoakVerifier torn = new SoakVerifier(WRITERS);
    torn.accept(5, new SoakRecord(0, 1, 0, 3));
    assertFalse(torn.betweenBatches());
    assertThrows(SoakFailure.class, () -> torn.accept(6, single(1, 1)));
    SoakVerifier headless = new SoakVerifier(WRITERS);
    assertThrows(SoakFailure.class, () -> headless.accept(5, new SoakRecord(0, 1, 1, 3)));
    SoakVerifier whole = new SoakVerifier(WRITERS);
    for (int i = 0; i < 3; i++) {
      whole.accept(5 + i, new SoakRecord(0, 1 + i, i, 3));
    }
    assertTrue(whole.betweenBatches());
  }

  @Test
  void anAcknowledgedRecordThatIsNotThereIsFound() throws Exception {
    try (Log log = Log.open(folder.resolve("log"), LogOptions.defaults());
        SoakMarks marks = SoakMarks.open(folder.resolve("marks"), WRITERS)) {
      marks.mark(1);
      log.writeBatch(List.of(single(0, 1).bytes(), single(0, 2).bytes()));
      marks.acknowledged(0, 2);
      assertEquals(2, SoakRun.verify(log, marks).last(0));
      marks.acknowledged(0, 3);
      assertThrows(SoakFailure.class, () -> SoakRun.verify(log, marks));
      marks.acknowledged(0, 2);
      marks.acknowledged(1, 1);
      assertThrows(SoakFailure.class, () -> SoakRun.verify(log, marks));
      // Trimmed, once the consumer has verified it.
      marks.consumed(1, 1);
      assertEquals(2, SoakRun.verify(log, marks).last(0));
    }
  }

  @Test
  void aRecordTrimmedBeforeItWasConsumedIsFound() throws Exception {
    try (Log log = Log.open(folder.resolve("log"), LogOptions.defaults());
        SoakMarks marks = SoakMarks.open(folder.resolve("marks"), WRITERS)) {
      marks.mark(1);
      log.write(single(0, 1).bytes());
      log.trimBefore(2);
      log.write(single(0, 2).bytes());
      assertThrows(SoakFailure.class, () -> SoakRun.verify(log, marks));
      marks.mark(2);
      assertThrows(SoakFailure.class, () -> SoakRun.verify(log, marks));
      marks.consumed(0, 1);
      assertEquals(2, SoakRun.verify(log, marks).last(0));
    }
  }

  @Test
  void latencyThatRisesIsTold() {
    SoakFigures figures = new SoakFigures();
    figures.episode(true);
    for (int i = 0; i < 26; i++) {
      int micros = i < 18 ? 100 : 700;
      // The plain loop grew twice as slow meanwhile.
      int raw = i < 18 ? 50 : 100;
      String line = "window %d %d %d %d 1 0 0".formatted(i * 10, micros, micros, raw);
      figures.window(line.split(" ", -1), 10, 3);
    }
    assertEquals(3.5, figures.rise(SoakFigures.Window::p50));
    assertTrue(
        figures.rows().stream()
            .anyMatch(
                row ->
                    row.name().equals("soak/rise-p50")
                        && row.standing() == Row.Standing.BELOW_FLOOR));
  }

  private static SoakRecord single(int writer, long number) {
    return new SoakRecord(writer, number, 0, 1);
  }
}
