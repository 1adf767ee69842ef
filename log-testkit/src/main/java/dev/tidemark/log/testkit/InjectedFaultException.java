package dev.tidemark.log.testkit;

import java.io.IOException;

/// The error that a [FaultPlan] raises.
public final class InjectedFaultException extends IOException {
  private static final long serialVersionUID = 1L;
  private final StorageOp op;
  private final long bytesDone;

  InjectedFaultException(StorageOp op, String file, long bytesDone) {
    super("injected fault: " + op + (file.isEmpty() ? "" : " of " + file));
    this.op = op;
    this.bytesDone = bytesDone;
  }

  /// The operation that failed.
  public StorageOp op() {
    return op;
  }

  /// How many bytes of a failed write are in the file all the same.
  long bytesDone() {
    return bytesDone;
  }
}
