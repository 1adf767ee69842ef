/// The write-ahead log: usable alone, with no dependency but the JDK.
///
/// The log's events for the Flight Recorder are classes of it, so `jdk.jfr` is required: an image
/// made for an application takes it along, and nothing has to be done without it.
module dev.tidemark.log {
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.tidemark.log;
  exports dev.tidemark.log.spi;
}
