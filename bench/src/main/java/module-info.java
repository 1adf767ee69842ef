/// The benches: each figure beside a plain loop or a peer, in the same run.
@SuppressWarnings("requires-automatic") // HdrHistogram names no module
module dev.tidemark.bench {
  requires dev.tidemark.cli;
  requires dev.tidemark.log;
  requires dev.tidemark.log.testkit;
  requires HdrHistogram;
  requires info.picocli;
  requires java.management;
  requires java.net.http;
  requires jdk.management;
  requires tools.jackson.core;
  requires static org.jspecify;

  exports dev.tidemark.bench;

  uses dev.tidemark.bench.Peer;

  opens dev.tidemark.bench to
      info.picocli;
}
