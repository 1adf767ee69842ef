package dev.tidemark.log;

import dev.tidemark.log.testkit.Seed;
import java.util.concurrent.Callable;

/// Runs a proof in a class loader of its own, over a log that was planted there; answers what it
/// found, empty for nothing. Made by [PlantedLog], by name, from another package of the same name:
/// hence public.
public final class PlantedProof implements Callable<String> {
  private final Proof proof;
  private final Seed seed;

  /// @param proof its name: the loaders share the JDK's types alone
  /// @param seed its value
  public PlantedProof(String proof, Long seed) {
    this.proof = Proof.valueOf(proof);
    this.seed = new Seed(seed);
  }

  @Override
  public String call() throws Exception {
    try {
      proof.run(seed);
      return "";
    } catch (AssertionError e) {
      return String.valueOf(e);
    }
  }
}
