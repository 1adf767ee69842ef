package dev.tidemark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Takes records in: gives them LSNs, copies them into the group being filled, and decides who
/// commits it.
///
/// One short lock guards the groups, the LSNs and the *commit role*. Who holds the role may use the
/// [Committer], without the lock. It is taken by a caller who waits for durability and finds it
/// free (a lone writer thus syncs by itself, with no change of threads); who gives it up while
/// records have gathered meanwhile hands it to the [CommitThread], which goes on until none are
/// left. So there is one group being filled and at most one being written, and appenders never wait
/// for a sync, but for the bound on what is staged.
///
/// A failure of the committer is latched: all who wait get it, and nothing is accepted any more.
final class Appender {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition spaceFreed = lock.newCondition();
  private final Committer committer;
  private final DurablePoint durable;
  private final LogOptions options;

  /// Whether a caller may make the system calls: an interrupt must not be able to close the file.
  private final boolean callersLead;

  private final CommitThread thread;
  private CommitGroup filling = new CommitGroup();
  private CommitGroup other = new CommitGroup();
  private boolean roleTaken;

  private int spaceWaiters;

  /// A truncation is at work, or has failed: nothing is accepted.
  private boolean heldOff;

  private boolean closing;
  private volatile long appendedLsn;
  private volatile @Nullable LogFailedException failure;

  /// Some caller has got the failure, or will.
  private volatile boolean failureTold;

  private final AtomicLong failuresTold = new AtomicLong();

  Appender(Committer committer, DurablePoint durable, LogOptions options, boolean callersLead) {
    this.committer = committer;
    this.durable = durable;
    this.options = options;
    this.callersLead = callersLead;
    this.appendedLsn = durable.lsn();
    filling.begin(appendedLsn + 1, committer.mask());
    this.thread = new CommitThread(this, options.witnessDelay());
  }

  void start() {
    thread.start();
  }

  long appendedLsn() {
    return appendedLsn;
  }

  /// Bytes accepted and not yet taken by the committer.
  long stagedBytes() {
    lock.lock();
    try {
      return filling.bodyBytes();
    } finally {
      lock.unlock();
    }
  }

  /// What was accepted and is not durable.
  LogStats.Queue queue() {
    lock.lock();
    try {
      long durableLsn = durable.lsn();
      long writing = other.lastLsn() > durableLsn ? other.payloadBytes() : 0;
      return new LogStats.Queue(appendedLsn - durableLsn, filling.payloadBytes() + writing);
    } finally {
      lock.unlock();
    }
  }

  /// How many calls and stages got the failure.
  long failuresTold() {
    return failuresTold.get();
  }

  void throwIfFailed() {
    LogFailedException failed = failure;
    if (failed != null) {
      failureTold = true;
      failuresTold.incrementAndGet();
      // One for each caller, so that its trace is the caller's.
      throw new LogFailedException(
          String.valueOf(failed.getMessage()),
          Objects.requireNonNullElse(failed.getCause(), failed),
          failed.durableLsn(),
          failed.appendedLsn());
    }
  }

  /// As [#throwIfFailed], unless no record is in doubt or a caller knows already.
  void throwIfFailureUntold() {
    LogFailedException failed = failure;
    if (failed != null && !failureTold && failed.appendedLsn() > failed.durableLsn()) {
      throwIfFailed();
    }
  }

  long append(byte[] payload) {
    return append(payload, 0, payload.length);
  }

  private long append(byte[] bytes, int from, int length) {
    int crc = checkedCrc(bytes, from, length);
    lock.lock();
    try {
      return accept(bytes, from, length, crc);
    } finally {
      lock.unlock();
    }
  }

  /// Appends a record and waits until it is durable.
  long write(byte[] payload) {
    int crc = checkedCrc(payload, 0, payload.length);
    long lsn;
    Era era;
    lock.lock();
    try {
      lsn = accept(payload, 0, payload.length, crc);
      era = durable.era();
    } finally {
      lock.unlock();
    }
    awaitDurable(lsn, era);
    return lsn;
  }

  /// Appends a record, and completes `future` with its LSN when it is durable.
  void write(byte[] payload, CompletableFuture<Long> future) {
    int crc = checkedCrc(payload, 0, payload.length);
    long lsn;
    Era era;
    lock.lock();
    try {
      lsn = accept(payload, 0, payload.length, crc);
      era = durable.era();
    } finally {
      lock.unlock();
    }
    whenDurable(lsn, era, future);
  }

  private int checkedCrc(byte[] bytes, int from, int length) {
    check(length);
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /// Under the lock.
  private long accept(byte[] bytes, int from, int length, int crc) {
    admit(Frame.RECORD_HEADER_BYTES + (long) length);
    filling.add(bytes, from, length, crc);
    return accepted(1);
  }

  long append(ByteBuffer payload) {
    if (payload.hasArray()) {
      int from = payload.arrayOffset() + payload.position();
      return append(payload.array(), from, payload.remaining());
    }
    check(payload.remaining());
    lock.lock();
    try {
      admit(Frame.RECORD_HEADER_BYTES + (long) payload.remaining());
      filling.add(payload);
      return accepted(1);
    } finally {
      lock.unlock();
    }
  }

  LsnRange append(List<byte[]> payloads) {
    return accept(payloads).range();
  }

  /// Appends a batch and waits until it is durable.
  LsnRange write(List<byte[]> payloads) {
    Accepted batch = accept(payloads);
    if (!payloads.isEmpty()) {
      awaitDurable(batch.range.last(), batch.era);
    }
    return batch.range;
  }

  /// A batch's LSNs, and the era in which they name it.
  private record Accepted(LsnRange range, Era era) {}

  /// The records of a batch go into one group, and so into one frame.
  private Accepted accept(List<byte[]> payloads) {
    long bytes = 0;
    int[] crcs = new int[payloads.size()];
    CRC32C crc = new CRC32C();
    for (int i = 0; i < crcs.length; i++) {
      byte[] payload = payloads.get(i);
      check(payload.length);
      crc.reset();
      crc.update(payload);
      crcs[i] = (int) crc.getValue();
      bytes += Frame.RECORD_HEADER_BYTES + payload.length;
    }
    if (bytes > options.batchBytesMax()) {
      throw new InvalidRecordException(
          "the batch has %d bytes with its records' headers, and the limit is %d; nothing was written"
              .formatted(bytes, options.batchBytesMax()));
    }
    lock.lock();
    try {
      if (crcs.length == 0) {
        throwIfUnusable();
        return new Accepted(new LsnRange(appendedLsn + 1, appendedLsn), durable.era());
      }
      admit(bytes);
      filling.reserve(bytes);
      for (int i = 0; i < crcs.length; i++) {
        filling.add(payloads.get(i), crcs[i]);
      }
      long last = accepted(crcs.length);
      return new Accepted(new LsnRange(last - crcs.length + 1, last), durable.era());
    } finally {
      lock.unlock();
    }
  }

  private long accepted(int records) {
    long last = appendedLsn + records;
    appendedLsn = last;
    thread.stir();
    return last;
  }

  private void check(int length) {
    if (length > options.recordBytesMax()) {
      throw new InvalidRecordException(
          "the record has %d bytes, and the limit is %d; nothing was written"
              .formatted(length, options.recordBytesMax()));
    }
  }

  /// Waits, under the lock, until the group being filled can take so many bytes. What is larger
  /// than the bound is taken alone. Nobody overtakes who waits, so that a large batch gets its
  /// turn.
  private void admit(long bytes) {
    throwIfUnusable();
    if (spaceWaiters == 0 && fits(bytes)) {
      return;
    }
    spaceWaiters++;
    try {
      do {
        handToThreadIfFree();
        // Not interruptible: nothing is accepted yet, and the wait is for a sync or two.
        spaceFreed.awaitUninterruptibly();
        throwIfUnusable();
      } while (!fits(bytes));
    } finally {
      spaceWaiters--;
    }
  }

  private boolean fits(long bytes) {
    return !heldOff
        && (filling.isEmpty() || filling.bodyBytes() + bytes <= options.stagingBytesMax());
  }

  private void throwIfUnusable() {
    throwIfFailed();
    if (closing) {
      throw new LogClosedException("the log was closed; nothing was written: open it again");
    }
  }

  private void handToThreadIfFree() {
    if (!roleTaken) {
      roleTaken = true;
      thread.takeRole();
    }
  }

  /// Waits until the record is durable; see [Log#awaitDurable].
  void awaitDurable(long lsn) {
    awaitDurable(lsn, durable.era());
  }

  /// Waits until all that was accepted so far is durable; answers its last LSN.
  long sync() {
    long lsn = appendedLsn;
    if (durable.lsn() >= lsn) {
      return lsn;
    }
    Era era;
    lock.lock();
    try {
      lsn = appendedLsn;
      era = durable.era();
    } finally {
      lock.unlock();
    }
    awaitDurable(lsn, era);
    return lsn;
  }

  /// @param era in which `lsn` names the record
  private void awaitDurable(long lsn, Era era) {
    // In this order: an LSN that was published after a truncation shows that there was one.
    if (durable.lsn() >= lsn && !era.hasLost(lsn)) {
      return;
    }
    boolean lead = false;
    lock.lock();
    try {
      while (heldOff && failure == null && durable.lsn() < lsn && !era.hasLost(lsn)) {
        spaceFreed.awaitUninterruptibly(); // whether the record stays is being decided
      }
      era.throwIfLost(lsn);
      if (lsn > appendedLsn) {
        throw new InvalidRecordException(
            "LSN %d was never appended, or was truncated: the last one is %d"
                .formatted(lsn, appendedLsn));
      }
      if (durable.lsn() >= lsn) {
        return;
      }
      throwIfFailed();
      if (!roleTaken && callersLead) {
        roleTaken = true;
        lead = true;
      } else {
        (lsn >= filling.firstLsn() ? filling : other).waiters().enlist(Thread.currentThread());
        handToThreadIfFree();
      }
    } finally {
      lock.unlock();
    }
    if (lead) {
      lead();
    } else {
      park(lsn, era);
    }
    if (durable.lsn() < lsn) {
      throwIfFailed();
    }
    era.throwIfLost(lsn);
  }

  private void park(long lsn, Era era) {
    while (isPending(lsn, era)) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted() && isPending(lsn, era)) {
        throw new LogInterruptedException(lsn);
      }
    }
  }

  private boolean isPending(long lsn, Era era) {
    return durable.lsn() < lsn && failure == null && !era.hasLost(lsn);
  }

  /// Completes `future` when the record is durable.
  private void whenDurable(long lsn, Era era, CompletableFuture<Long> future) {
    lock.lock();
    try {
      if (isPending(lsn, era)) {
        (lsn >= filling.firstLsn() ? filling : other).waiters().enlist(lsn, future);
        handToThreadIfFree();
        return;
      }
    } finally {
      lock.unlock();
    }
    boolean reached = durable.lsn() >= lsn;
    LogFailedException failed = failure;
    if (!reached && failed != null) {
      failureTold = true;
      failuresTold.incrementAndGet();
      future.completeExceptionally(failed);
    } else if (era.hasLost(lsn)) {
      future.completeExceptionally(new LogTruncatedException(lsn, era.kept()));
    } else {
      future.complete(lsn);
    }
  }

  /// Commits the one group that is there, then gives the role up.
  private void lead() {
    try {
      CommitGroup group = take();
      if (group != null) {
        commit(group);
      }
    } catch (RuntimeException | Error e) {
      // Out of memory, say: the role must not be lost with this caller.
      failAndFreeRole(e);
    }
  }

  /// As the holder of the role, after an error outside of a commit.
  void failAndFreeRole(Throwable cause) {
    fail(cause);
    lock.lock();
    try {
      freeRole();
    } finally {
      lock.unlock();
    }
  }

  /// As the holder of the role: takes the group that was filled, or gives the role up if there is
  /// none.
  @Nullable CommitGroup take() {
    lock.lock();
    try {
      CommitGroup group = takeFilled();
      if (group == null) {
        freeRole();
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CommitGroup takeFilled() {
    if (filling.isEmpty() || failure != null) {
      return null;
    }
    CommitGroup group = filling;
    filling = other;
    other = group;
    filling.begin(group.lastLsn() + 1, committer.mask());
    spaceFreed.signalAll();
    return group;
  }

  /// As the holder of the role: commits the group that was filled, if any, and keeps the role.
  void commitRest() {
    CommitGroup group;
    lock.lock();
    try {
      group = takeFilled();
    } finally {
      lock.unlock();
    }
    if (group != null) {
      complete(commitOnly(group));
    }
  }

  private void freeRole() {
    roleTaken = false;
    thread.roleFreed();
  }

  /// As a caller in the role: commits, passes the role on, and wakes the group's waiters.
  private void commit(CommitGroup group) {
    Waiters waiters = commitOnly(group);
    lock.lock();
    try {
      passRoleOn();
    } finally {
      lock.unlock();
    }
    complete(waiters);
  }

  /// Hands the role to the commit thread if records have gathered, so that their sync runs while
  /// this thread does something with the ones it waited for; else frees it.
  private void passRoleOn() {
    if (!filling.isEmpty() && failure == null) {
      thread.takeRole();
    } else {
      freeRole();
      thread.stir();
    }
  }

  /// As the holder of the role: commits a group, and answers those to be woken.
  Waiters commitOnly(CommitGroup group) {
    try {
      committer.commit(group);
      group.shrinkTo(options.stagingBytesMax());
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
    lock.lock();
    try {
      // Who came before this lock is enlisted; who comes after it sees the new durable LSN, or the
      // failure, and is not.
      return group.waiters();
    } finally {
      lock.unlock();
    }
  }

  /// Wakes those who waited for a group, after its outcome was published.
  void complete(Waiters waiters) {
    LogFailedException failed = failure;
    if (failed != null && waiters.count() > 0) {
      failureTold = true;
      // The threads tell themselves.
      failuresTold.addAndGet(waiters.stages());
    }
    waiters.complete(failed);
  }

  boolean hasFailed() {
    return failure != null;
  }

  /// How many wait for the group being filled; read without the lock by who gathers.
  int gathered() {
    return filling.waiters().count();
  }

  /// Latches the first failure and wakes all who wait.
  private void fail(Throwable cause) {
    Waiters waiting;
    LogFailedException told = null;
    lock.lock();
    try {
      if (failure == null) {
        told =
            new LogFailedException(
                "the log failed: %s; LSNs up to %d are durable, those from %d to %d may or may not be: close the log and open it again, which verifies what is on disk"
                    .formatted(cause, durable.lsn(), durable.lsn() + 1, appendedLsn),
                cause,
                durable.lsn(),
                appendedLsn);
        failure = told;
      }
      waiting = filling.waiters();
      spaceFreed.signalAll();
    } finally {
      lock.unlock();
    }
    complete(waiting);
    durable.end();
    if (told != null) {
      tell(told, cause);
    }
  }

  private static void tell(LogFailedException failed, Throwable cause) {
    LogEvents.Failure event = new LogEvents.Failure();
    event.cause = cause.toString();
    event.durableLsn = failed.durableLsn();
    event.appendedLsn = failed.appendedLsn();
    event.commit();
  }

  /// What the holder of the role does besides commits.
  interface RoleAction {
    void run(Committer committer) throws IOException;
  }

  /// On the commit thread: takes the role and runs the action, unless another holds the role. A
  /// failure of the action fails the log.
  boolean inRoleIfFree(RoleAction action) {
    lock.lock();
    try {
      if (roleTaken) {
        return false;
      }
      roleTaken = true;
    } finally {
      lock.unlock();
    }
    try {
      if (failure == null) {
        action.run(committer);
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
    lock.lock();
    try {
      passRoleOn();
    } finally {
      lock.unlock();
    }
    return true;
  }

  /// What an idle log still has to do.
  enum Unfinished {
    /// Nothing: every record is durable and proven.
    NOTHING,
    /// The last group has no witness.
    WITNESS,
    /// Records were accepted that nobody waits for.
    RECORDS,
    /// Somebody is at work.
    BUSY
  }

  Unfinished unfinished() {
    lock.lock();
    try {
      if (roleTaken) {
        return Unfinished.BUSY;
      }
      if (failure != null) {
        return Unfinished.NOTHING;
      }
      if (!filling.isEmpty()) {
        return Unfinished.RECORDS;
      }
      return committer.witnessed() ? Unfinished.NOTHING : Unfinished.WITNESS;
    } finally {
      lock.unlock();
    }
  }

  /// Runs the action on the commit thread, in the role, and waits for its end.
  void onCommitThread(RoleAction action) {
    thread.submit(action);
    throwIfFailed();
  }

  /// As [#onCommitThread], by a thread of the log: if the log has failed, that is for its callers
  /// to be told.
  void submit(RoleAction action) {
    thread.submit(action);
  }

  /// Commits what was accepted, and truncates the log. Who appends meanwhile waits, and comes after
  /// it. A failure leaves them held off, for they get it.
  void truncate(Truncation truncation) {
    onCommitThread(
        role -> {
          holdOff();
          commitRest();
          if (failure == null) {
            truncation.run(role);
            goOn();
          }
        });
    truncation.throwUnlessDone();
  }

  private void holdOff() {
    lock.lock();
    try {
      heldOff = true;
    } finally {
      lock.unlock();
    }
  }

  private void goOn() {
    lock.lock();
    try {
      heldOff = false;
      appendedLsn = durable.lsn();
      filling.begin(appendedLsn + 1, committer.mask());
      spaceFreed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Accepts nothing more, commits what was accepted, and ends the commit thread with a frame that
  /// says so.
  void close() {
    lock.lock();
    try {
      closing = true;
      spaceFreed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.finish();
    durable.end();
    filling.free();
    other.free();
  }
}
