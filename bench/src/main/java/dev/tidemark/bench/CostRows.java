package dev.tidemark.bench;

import com.sun.management.ThreadMXBean;
import dev.tidemark.log.Log;
import dev.tidemark.log.LogOptions;
import dev.tidemark.log.Position;
import dev.tidemark.log.testkit.CrashStorage;
import dev.tidemark.log.testkit.StorageCounts;
import dev.tidemark.log.testkit.StorageOp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// What an operation costs, counted and not timed: calls of the storage below the log, on one in
/// memory that counts them, system calls below the storage of files, and bytes that the JVM's
/// threads allocate.
final class CostRows {
  private static final int GROUPS = 1_000;
  private static final int BATCHES = 50;
  private static final int FEW_RECORDS = 1_000;
  private static final int MANY_RECORDS = 100_000;
  private static final Duration QUIET = Duration.ofMillis(50);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /// No frame is written but for records, and no window or segment is due within what is counted.
  private static final LogOptions STEADY =
      LogOptions.builder().witnessDelay(Duration.ZERO).windowBytes(4 << 20).build();

  private CostRows() {}

  static List<LogRows.Spec> all() {
    return List.of(
        new LogRows.Spec("cost/group", CostRows::group),
        new LogRows.Spec("cost/strace", CostRows::traced),
        new LogRows.Spec("cost/append", CostRows::append),
        new LogRows.Spec("cost/batch", CostRows::batch),
        new LogRows.Spec("cost/read", CostRows::read),
        new LogRows.Spec("cost/recovery", CostRows::recovery));
  }

  /// Fewer bytes than the smallest object: no object stands for each record.
  private static final double LESS_THAN_AN_OBJECT = 8;

  private static Row count(String name, String unit, double figure, double max) {
    return Row.alone(name, unit, new Series(List.of(figure)), Row.Target.atMost(Double.NaN, max));
  }

  private static List<Row> group(LogBed bed) throws Exception {
    CrashStorage storage = new CrashStorage();
    double writes;
    double syncs;
    double stats;
    try (Log log = Log.open(storage, STEADY)) {
      byte[] payload = LogWork.payload();
      StorageCounts counts = quietAfter(log, storage);
      for (int i = 0; i < GROUPS; i++) {
        log.write(payload);
      }
      writes = (double) counts.of(StorageOp.WRITE) / GROUPS;
      syncs = (double) counts.of(StorageOp.SYNC) / GROUPS;
      stats = (double) counts.of(StorageOp.SIZE) / GROUPS;
    }
    return List.of(
        count("cost/group/writes", "1/group", writes, 1),
        count("cost/group/syncs", "1/group", syncs, 1),
        count("cost/group/stats", "1/group", stats, 0),
        Row.alone(
            "cost/group/allocated", "B/group", new Series(List.of(allocatedByGroups(bed))), null));
  }

  /// The same by the system's own calls, in a process of its own.
  private static List<Row> traced(LogBed bed) throws Exception {
    if (!SystemCalls.available()) {
      return List.of();
    }
    SystemCalls calls = SystemCalls.ofWrites(TracedWrites.LOG, bed.directory(), GROUPS);
    return List.of(
        count("cost/strace/writes", "1/group", (double) calls.writes() / GROUPS, 1),
        count("cost/strace/syncs", "1/group", (double) calls.syncs() / GROUPS, 1),
        count("cost/strace/stats", "1/group", (double) calls.stats() / GROUPS, 0));
  }

  /// Writes a record, and waits until whatever the log does behind its writes is done; the counts
  /// then start from zero.
  private static StorageCounts quietAfter(Log log, CrashStorage storage)
      throws InterruptedException {
    log.write(LogWork.payload());
    StorageCounts counts = storage.counts();
    do {
      counts.reset();
      Thread.sleep(QUIET);
    } while (counts.of(StorageOp.WRITE) > 0 || counts.of(StorageOp.SYNC) > 0);
    return counts;
  }

  private static double allocatedByGroups(LogBed bed) throws IOException {
    try (Log log = bed.fresh(STEADY)) {
      byte[] payload = LogWork.payload();
      return allocatedBy(GROUPS, () -> log.write(payload));
    }
  }

  private static List<Row> batch(LogBed bed) throws IOException {
    try (Log log = bed.fresh()) {
      List<byte[]> batch = Collections.nCopies(LogWork.BATCH, LogWork.payload());
      double bytes = allocatedBy(BATCHES, () -> log.writeBatch(batch)) / LogWork.BATCH;
      return List.of(count("cost/batch/allocated", "B/record", bytes, LESS_THAN_AN_OBJECT));
    }
  }

  private static List<Row> append(LogBed bed) throws IOException {
    try (Log log = bed.fresh()) {
      byte[] payload = LogWork.payload();
      double bytes =
          allocatedBy(
                  BATCHES,
                  () -> {
                    for (int i = 0; i < LogWork.BATCH; i++) {
                      log.append(payload);
                    }
                    log.sync();
                  })
              / LogWork.BATCH;
      return List.of(count("cost/append/allocated", "B/record", bytes, LESS_THAN_AN_OBJECT));
    }
  }

  /// What all threads together allocate for each time something is done, once it has been done as
  /// often before.
  private static double allocatedBy(int times, Runnable step) {
    for (int i = 0; i < times; i++) {
      step.run();
    }
    long before = THREADS.getTotalThreadAllocatedBytes();
    for (int i = 0; i < times; i++) {
      step.run();
    }
    return (double) (THREADS.getTotalThreadAllocatedBytes() - before) / times;
  }

  private static List<Row> read(LogBed bed) throws Exception {
    CrashStorage storage = new CrashStorage();
    double reads;
    double stats;
    try (Log log = Log.open(storage, STEADY)) {
      LogWork.fill(log, FEW_RECORDS);
      Position[] positions = ReadRows.positions(log);
      storage.counts().reset();
      for (Position position : positions) {
        log.read(position);
      }
      reads = (double) storage.counts().of(StorageOp.READ) / positions.length;
      stats = (double) storage.counts().of(StorageOp.SIZE) / positions.length;
    }
    return List.of(
        count("cost/read/reads", "1/read", reads, 1),
        count("cost/read/stats", "1/read", stats, 0),
        count("cost/read/allocated", "B/read", allocatedByReads(bed), 96));
  }

  /// The payload's own array included: 80 bytes of the JVM's memory.
  private static double allocatedByReads(LogBed bed) throws IOException {
    try (Log log = bed.fresh()) {
      LogWork.fill(log, MANY_RECORDS);
      Position[] positions = ReadRows.positions(log);
      Runnable pass =
          () -> {
            for (Position position : positions) {
              log.read(position);
            }
          };
      return allocatedBy(1, pass) / positions.length;
    }
  }

  private static List<Row> recovery(LogBed bed) throws Exception {
    CrashStorage storage = new CrashStorage();
    double reads;
    double stats;
    try (Log log = Log.open(storage, LogOptions.defaults())) {
      for (int i = 0; i < FEW_RECORDS; i++) {
        log.write(LogWork.payload());
      }
      CrashStorage left = storage.copy();
      left.counts().reset();
      Log.open(left, LogOptions.defaults()).close();
      reads = left.counts().of(StorageOp.READ);
      stats = left.counts().of(StorageOp.SIZE);
    }
    allocatedByOpening(bed, FEW_RECORDS);
    double few = allocatedByOpening(bed, FEW_RECORDS);
    double many = allocatedByOpening(bed, MANY_RECORDS);
    Rounds.Pairs pairs = new Rounds.Pairs(new Series(List.of(few)), new Series(List.of(many)));
    return List.of(
        count("cost/recovery/reads", "of 1,000", reads, 5),
        Row.alone("cost/recovery/stats", "of 1,000", new Series(List.of(stats)), null),
        Row.against(
            "of 1,000",
            "cost/recovery/allocated",
            "B of 100,000",
            pairs,
            Row.Target.atMost(Double.NaN, 1.1)));
  }

  /// What the calling thread allocates to open a log of so many records that was not closed.
  private static double allocatedByOpening(LogBed bed, int records) throws IOException {
    Path source = Files.createTempDirectory(bed.directory(), "log-");
    Path copy = Files.createTempDirectory(bed.directory(), "recovery-");
    try (Log log = Log.open(source, LogOptions.defaults())) {
      for (int i = 0; i < records; i++) {
        log.append(LogWork.payload());
      }
      log.sync();
      ReadRows.copySegments(source, copy);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Log log = Log.open(copy, LogOptions.defaults());
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    log.close();
    return allocated;
  }
}
