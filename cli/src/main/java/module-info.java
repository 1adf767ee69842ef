/// The tidemark commands.
module dev.tidemark.cli {
  requires dev.tidemark.server;
  requires dev.tidemark.log;
  requires info.picocli;
  requires com.github.luben.zstd_jni;
  requires tools.jackson.core;
  requires java.logging;
  requires java.net.http;
  requires static org.jspecify;

  // picocli fills the fields of the commands.
  opens dev.tidemark.cli to
      info.picocli;
}
