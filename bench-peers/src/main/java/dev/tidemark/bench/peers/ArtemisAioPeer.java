package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.jspecify.annotations.Nullable;

/// ActiveMQ Artemis' journal over Linux's asynchronous, unbuffered file access.
public final class ArtemisAioPeer implements Peer {
  private static final int IO_MAX = 500;

  @Override
  public String name() {
    return "artemis-aio";
  }

  @Override
  public String description() {
    return "ActiveMQ Artemis' journal, AIO, each add with sync, buffer timeout 100 us; a batch is a"
        + " transaction";
  }

  @Override
  public @Nullable String missing() {
    return AIOSequentialFileFactory.isSupported()
        ? null
        : "it needs Linux and the system's library libaio (Debian's package libaio1)";
  }

  @Override
  public Store open(Path folder) throws Exception {
    AIOSequentialFileFactory files =
        new AIOSequentialFileFactory(
            folder.toFile(), ArtemisStore.BUFFER_BYTES, ArtemisStore.BUFFER_NANOS, IO_MAX, false);
    return new ArtemisStore(files, IO_MAX);
  }
}
