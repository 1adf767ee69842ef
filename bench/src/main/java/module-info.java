/// The benches: each figure beside a plain loop or a peer, in the same run.
module dev.tidemark.bench {
  requires dev.tidemark.cli;
  requires dev.tidemark.log;
  requires dev.tidemark.log.testkit;
  requires info.picocli;
  requires static org.jspecify;

  opens dev.tidemark.bench to
      info.picocli;
}
