package dev.tidemark.bench.peers;

import dev.tidemark.bench.Peer;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;

/// ActiveMQ Artemis' journal over `FileChannel`.
public final class ArtemisNioPeer implements Peer {
  @Override
  public String name() {
    return "artemis-nio";
  }

  @Override
  public String description() {
    return "ActiveMQ Artemis' journal, NIO, each add with sync, buffer timeout 100 us; a batch is a"
        + " transaction";
  }

  @Override
  public Store open(Path folder) throws Exception {
    NIOSequentialFileFactory files =
        new NIOSequentialFileFactory(
            folder.toFile(), true, ArtemisStore.BUFFER_BYTES, ArtemisStore.BUFFER_NANOS, 1, false);
    return new ArtemisStore(files, 1);
  }
}
