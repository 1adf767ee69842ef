package dev.tidemark.log;

import static dev.tidemark.log.TestRecords.options;
import static dev.tidemark.log.TestRecords.payload;
import static dev.tidemark.log.TestRecords.records;
import static dev.tidemark.log.TestRecords.smallSegments;
import static dev.tidemark.log.TestRecords.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.log.ThreadKind.Call;
import dev.tidemark.log.spi.Storage;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.Seed;
import dev.tidemark.log.testkit.StorageOp;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads of single records by their position.
class LogPointReadTest {
  private static final LogOptions SMALL = smallSegments().build();

  @TempDir Path directory;

  /// The storages that differ in how a record comes to its reader.
  enum Kind {
    MEMORY {
      @Override
      Storage at(Path directory) {
        return new CrashStorage();
      }
    },
    NATIVE {
      @Override
      Storage at(Path directory) throws IOException {
        Storage storage = FileStorage.at(directory);
        assumeTrue(storage.interruptSafe(), "no native access on this system");
        return storage;
      }
    },
    CHANNELS {
      @Override
      Storage at(Path directory) throws IOException {
        return FileStorage.withoutNativeAccess(directory);
      }
    };

    abstract Storage at(Path directory) throws IOException;
  }

  private static byte[] patterned(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + length);
    }
    return bytes;
  }

  private static byte[] copyOf(MemorySegment payload) {
    return payload.toArray(ValueLayout.JAVA_BYTE);
  }

  @ParameterizedTest
  @EnumSource
  void aRecordOfAnyLengthIsReadAndLentByItsPosition(Kind kind) throws Exception {
    try (Log log = Log.open(kind.at(directory), options().build())) {
      List<byte[]> payloads = new ArrayList<>();
      for (int length : new int[] {0, 1, 7, 64, 4087, 4088, 4089, 4096, 8191, 100_000, 1_500_000}) {
        payloads.add(patterned(length));
      }
      log.writeBatch(payloads);
      log.write(patterned(5));
      for (LogRecord record : records(log)) {
        // Twice, for the first read of a segment is what has it mapped.
        for (int i = 0; i < 2; i++) {
          assertArrayEquals(record.payload(), log.read(record.position()));
          assertArrayEquals(
              record.payload(), log.readView(record.position(), LogPointReadTest::copyOf));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 4088, 4089, 50_000})
  void aPointReadTakesOneReadUpToAPageAndTwoBeyond(int length) {
    CrashStorage storage = new CrashStorage();
    try (Log log = Log.open(storage, options().build())) {
      log.write(patterned(length));
      log.write(patterned(60_000)); // so that no read is short
      Position position = records(log).getFirst().position();
      storage.counts().reset();
      log.read(position);
      assertEquals(length <= 4088 ? 1 : 2, storage.counts().of(StorageOp.READ));
      log.readView(position, MemorySegment::byteSize);
      assertEquals(length <= 4088 ? 2 : 4, storage.counts().of(StorageOp.READ));
      assertEquals(0, storage.counts().of(StorageOp.SIZE));
      assertEquals(0, storage.counts().of(StorageOp.OPEN));
    }
  }

  @Test
  void aMappedPointReadMakesNoCall() throws Exception {
    CountedStorage storage = new CountedStorage(Kind.NATIVE.at(directory));
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      List<LogRecord> records = records(log);
      int segments = log.stats().segments();
      assertTrue(segments >= 3);
      storage.reads.set(0);
      storage.sizes.set(0);
      for (int i = 0; i < 10; i++) {
        for (LogRecord record : records) {
          assertArrayEquals(record.payload(), log.read(record.position()));
          assertArrayEquals(
              record.payload(), log.readView(record.position(), LogPointReadTest::copyOf));
        }
      }
      assertTrue(storage.reads.get() <= segments, "at most the first read of each is a call");
      assertEquals(segments, storage.maps.get(), "each segment is mapped once");
      assertEquals(0, storage.sizes.get());
    }
    assertEquals(0, storage.openFiles.get());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenLaterIsReadThroughTheSameMapping(Kind kind) throws Exception {
    try (Log log = Log.open(kind.at(directory), options().build())) {
      for (int lsn = 1; lsn <= 1000; lsn++) {
        log.write(payload(lsn));
        if (lsn % 100 == 0) {
          for (LogRecord record : records(log)) {
            assertArrayEquals(payload(record.lsn()), log.read(record.position()));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLentRecordStaysThroughATrimThatTakesItsSegment(Kind kind) throws Exception {
    CountedStorage storage = new CountedStorage(kind.at(directory));
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 100);
      LogRecord first = records(log).getFirst();
      log.read(first.position());
      log.readView(
          first.position(),
          lent -> {
            log.trimBefore(101);
            assertTrue(log.firstLsn() > 33);
            write(log, 101, 200); // so that a file that could be used again would be
            assertArrayEquals(payload(1), copyOf(lent));
            return null;
          });
      assertThrows(RecordNotFoundException.class, () -> log.read(first.position()));
      assertThrows(RecordNotFoundException.class, () -> log.readView(first.position(), v -> v));
    }
    assertEquals(0, storage.openFiles.get());
  }

  @ParameterizedTest
  @EnumSource
  void whatTheBorrowerAnswersOrThrowsComesOut(Kind kind) throws Exception {
    CountedStorage storage = new CountedStorage(kind.at(directory));
    try (Log log = Log.open(storage, SMALL)) {
      write(log, 1, 1);
      Position position = records(log).getFirst().position();
      IllegalArgumentException refusal = new IllegalArgumentException("not this one");
      for (int i = 0; i < 2; i++) {
        assertEquals(64, log.<Long>readView(position, MemorySegment::byteSize));
        assertNull(log.readView(position, v -> null));
        assertTrue(log.<Boolean>readView(position, MemorySegment::isReadOnly));
        assertSame(
            refusal,
            assertThrows(
                IllegalArgumentException.class,
                () ->
                    log.readView(
                        position,
                        v -> {
                          throw refusal;
                        })));
      }
    }
    assertEquals(0, storage.openFiles.get(), "it let go of the segment each time");
  }

  @ParameterizedTest
  @EnumSource
  void aPlaceWhereNoRecordBeginsIsToldFromADamagedOne(Kind kind) throws Exception {
    try (Log log = Log.open(kind.at(directory), options().build())) {
      write(log, 1, 3);
      List<LogRecord> records = records(log);
      log.read(records.getFirst().position());
      long end = records.getLast().position().offset() + 8 + 64;
      for (long offset : new long[] {Long.MIN_VALUE, -1, 0, 4096, end - 7, end, Long.MAX_VALUE}) {
        Position nowhere = new Position(1, offset);
        assertThrows(RecordNotFoundException.class, () -> log.read(nowhere));
        assertThrows(RecordNotFoundException.class, () -> log.readView(nowhere, v -> v));
      }
      for (long segment : new long[] {Long.MIN_VALUE, 0, 2, Long.MAX_VALUE}) {
        Position nowhere = new Position(segment, records.getFirst().position().offset());
        assertThrows(RecordNotFoundException.class, () -> log.read(nowhere));
        assertThrows(RecordNotFoundException.class, () -> log.readView(nowhere, v -> v));
      }
      Position beside = new Position(1, records.getFirst().position().offset() + 1);
      assertThrows(CorruptLogException.class, () -> log.read(beside));
      assertThrows(CorruptLogException.class, () -> log.readView(beside, v -> v));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRecordThatWasDamagedOnDiskIsNeverGiven(boolean nativeAccess) throws Exception {
    Storage storage = (nativeAccess ? Kind.NATIVE : Kind.CHANNELS).at(directory);
    try (Log log = Log.open(storage, options().build())) {
      log.write(patterned(20_000));
      Position position = records(log).getFirst().position();
      log.read(position);
      try (FileChannel channel =
          FileChannel.open(
              directory.resolve(SegmentHeader.fileName(1)), StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), position.offset() + 10_000);
      }
      assertThrows(CorruptLogException.class, () -> log.read(position));
      assertThrows(CorruptLogException.class, () -> log.readView(position, v -> v));
    }
  }

  /// Somebody cuts the file under a mapping, so that its pages cannot be brought any more.
  @Test
  void aFaultInAMappingIsAnErrorOfTheReadAndNotOfTheProcess() throws Exception {
    try (Log log = Log.open(Kind.NATIVE.at(directory), options().build())) {
      log.write(patterned(200_000));
      log.write(patterned(64));
      List<LogRecord> records = records(log);
      log.read(records.getFirst().position());
      try (FileChannel channel =
          FileChannel.open(
              directory.resolve(SegmentHeader.fileName(1)), StandardOpenOption.WRITE)) {
        channel.truncate(100_000);
      }
      for (int i = 0; i < 20_000; i++) {
        LogRecord record = records.get(i % 2);
        assertThrows(LogException.class, () -> log.read(record.position()));
        assertThrows(
            LogException.class, () -> log.readView(record.position(), LogPointReadTest::copyOf));
      }
    }
  }

  @Test
  void readsBesideTrimsGiveTheRecordOrSayThatItIsGone() throws Exception {
    Seed seed = Seed.ofRun();
    LogOptions options = smallSegments().build();
    try (Log log = Log.open(Kind.NATIVE.at(directory), options)) {
      int last = 6000;
      List<Call<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        SplittableRandom random = new SplittableRandom(seed.value() + i);
        readers.add(ThreadKind.PLATFORM.start(() -> readAtRandom(log, last, random)));
      }
      for (int lsn = 1; lsn <= last; lsn += 10) {
        log.writeBatch(TestRecords.payloads(lsn, lsn + 9));
        log.trimBefore(lsn - 300);
      }
      for (Call<Long> reader : readers) {
        assertTrue(reader.join() > 0, seed.toString());
      }
    } catch (AssertionError | Exception e) {
      throw new AssertionError(seed.toString(), e);
    }
  }

  /// Reads the records that a replay has just shown, until the last one is written.
  private static long readAtRandom(Log log, int last, SplittableRandom random) {
    long right = 0;
    while (log.durableLsn() < last) {
      List<LogRecord> seen = new ArrayList<>();
      try (Replay replay = log.replay(log.firstLsn())) {
        for (RecordView view = replay.next(); view != null; view = replay.next()) {
          seen.add(view.toRecord());
        }
      } catch (RecordNotFoundException e) {
        assertTrue(log.firstLsn() > 1, "a trim came between");
      }
      for (int i = 0; i < seen.size() * 4; i++) {
        LogRecord record = seen.get(random.nextInt(seen.size()));
        try {
          boolean same =
              random.nextBoolean()
                  ? Arrays.equals(payload(record.lsn()), log.read(record.position()))
                  : log.<Boolean>readView(
                      record.position(), v -> Arrays.equals(payload(record.lsn()), copyOf(v)));
          assertTrue(same, "LSN " + record.lsn());
          right++;
        } catch (RecordNotFoundException e) {
          assertTrue(log.firstLsn() > record.position().segment(), "it is there");
        }
      }
    }
    return right;
  }
}
