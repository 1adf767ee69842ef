package dev.tidemark.log.testkit;

import java.io.IOException;

/// The error that a [FaultPlan] raises. Its message holds what the system says for its kind.
public final class InjectedFaultException extends IOException {
  private static final long serialVersionUID = 1L;
  private final StorageOp op;
  private final FaultKind kind;
  private final long bytesDone;

  InjectedFaultException(StorageOp op, String file, FaultKind kind, long bytesDone) {
    super(
        "injected fault: "
            + op
            + (file.isEmpty() ? "" : " of " + file)
            + " failed: "
            + kind.text());
    this.op = op;
    this.kind = kind;
    this.bytesDone = bytesDone;
  }

  /// The operation that failed.
  public StorageOp op() {
    return op;
  }

  /// What the system said.
  public FaultKind kind() {
    return kind;
  }

  /// How many bytes of a failed write are in the file all the same.
  long bytesDone() {
    return bytesDone;
  }
}
