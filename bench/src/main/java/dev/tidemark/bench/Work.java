package dev.tidemark.bench;

import java.time.Duration;

/// Something that can be done over and over for a given time.
@FunctionalInterface
interface Work {
  /// Does it for about this long, and answers how many a second were done.
  double rate(Duration length) throws Exception;
}
