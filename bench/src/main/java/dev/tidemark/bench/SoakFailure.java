package dev.tidemark.bench;

/// A promise of the log that did not hold under the soak.
final class SoakFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SoakFailure(String message) {
    super(message);
  }
}
