package dev.tidemark.log.testkit;

/// A [CrashExplorer] has found a crash that breaks a promise. The message says where, the cause
/// says what.
public final class BrokenPromiseError extends AssertionError {
  private static final long serialVersionUID = 1L;
  private final transient CrashStorage image;

  BrokenPromiseError(String where, Throwable what, CrashStorage image) {
    super("a promise is broken: " + where, what);
    this.image = image;
  }

  /// What the crash had left, as it was before anybody recovered it; where the power failed twice,
  /// what the first time had left.
  public CrashStorage image() {
    return image;
  }
}
