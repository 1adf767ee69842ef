package dev.tidemark.server;

/// MurmurHash3 (32 bits, seed 0) over a text's UTF-16 code units, low byte first: the hash by which
/// OpenSearch picks a document's shard.
final class RoutingHash {
  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;

  private RoutingHash() {}

  static int of(String routing) {
    int length = routing.length();
    int hash = 0;
    for (int i = 0; i + 1 < length; i += 2) {
      hash ^= mixed(routing.charAt(i) | (routing.charAt(i + 1) << 16));
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    if (length % 2 == 1) {
      hash ^= mixed(routing.charAt(length - 1));
    }
    hash ^= 2 * length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static int mixed(int block) {
    return Integer.rotateLeft(block * C1, 15) * C2;
  }
}
