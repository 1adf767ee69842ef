package dev.tidemark.cli;

import picocli.CommandLine.IVersionProvider;

/// The distribution's version, as its jar says.
final class Version implements IVersionProvider {
  /// The number; `unpackaged` where classes run without their jar.
  static String number() {
    String version = Tidemark.class.getPackage().getImplementationVersion();
    return version != null ? version : "unpackaged";
  }

  @Override
  public String[] getVersion() {
    return new String[] {"tidemark " + number() + " (Java " + Runtime.version() + ")"};
  }
}
