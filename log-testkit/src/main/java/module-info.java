/// Test fixtures for the log and for those who embed it: storage that crashes as disks do.
module dev.tidemark.log.testkit {
  requires transitive dev.tidemark.log;
  requires static org.jspecify;

  exports dev.tidemark.log.testkit;
}
