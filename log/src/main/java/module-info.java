/// The write-ahead log: usable alone, with no dependency but the JDK.
module dev.tidemark.log {
  requires static org.jspecify;

  exports dev.tidemark.log;
  exports dev.tidemark.log.spi;
}
