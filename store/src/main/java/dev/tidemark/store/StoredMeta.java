package dev.tidemark.store;

/// What the `meta` family keeps beside the documents.
///
/// | key | value |
/// |---|---|
/// | u8 0 | u8 format (1), packed: LSN of the last operation applied, its time, the next collection's number |
/// | u8 1, u32 collection | u8 format (1), packed number, packed time of creation, name and uuid (text), settings, mappings, aliases (bytes) |
/// | u8 2, u32 collection | packed: documents, deleted, next sequence number, source bytes |
///
/// The first is part of every write batch: its LSN is the key-value side's true watermark. The last
/// is part of every batch that touches the collection.
final class StoredMeta {
  static final byte[] PROGRESS_KEY = {0};
  static final byte DEFINITION = 1;
  static final byte COUNTS = 2;
  private static final int FORMAT = 1;

  private StoredMeta() {}

  /// How far the key-value side is.
  ///
  /// @param lsn the last operation applied, 0 for none
  /// @param timeMs its log-clock time
  /// @param nextCollection the number the next collection gets
  record Progress(long lsn, long timeMs, int nextCollection) {
    static final Progress START = new Progress(0, 0, 1);
  }

  static byte[] pack(Progress progress) {
    return new Packer(24)
        .u8(FORMAT)
        .packed(progress.lsn())
        .packed(progress.timeMs())
        .packed(progress.nextCollection())
        .toBytes();
  }

  static Progress unpackProgress(byte[] value) {
    Unpacker from = new Unpacker(value);
    expectFormat(from);
    Progress progress = new Progress(from.packed(), from.packed(), (int) from.packed());
    from.expectEnd();
    return progress;
  }

  static byte[] packDefinition(CollectionInfo info) {
    return new Packer(128)
        .u8(FORMAT)
        .packed(info.number())
        .packed(info.createdAtMs())
        .text(info.name())
        .text(info.uuid())
        .json(info.settings())
        .json(info.mappings())
        .json(info.aliases())
        .toBytes();
  }

  static byte[] packCounts(CollectionInfo info) {
    return new Packer(24)
        .packed(info.documents())
        .packed(info.deleted())
        .packed(info.nextSeqNo())
        .packed(info.sourceBytes())
        .toBytes();
  }

  static CollectionInfo unpackCollection(byte[] definition, byte[] counts) {
    Unpacker from = new Unpacker(definition);
    expectFormat(from);
    int number = (int) from.packed();
    long createdAtMs = from.packed();
    String name = from.text();
    String uuid = from.text();
    JsonText settings = from.json();
    JsonText mappings = from.json();
    JsonText aliases = from.json();
    from.expectEnd();
    CollectionInfo empty =
        new CollectionInfo(
            name, uuid, number, createdAtMs, settings, mappings, aliases, 0, 0, 0, 0);
    Unpacker count = new Unpacker(counts);
    CollectionInfo info =
        empty.withCounts(count.packed(), count.packed(), count.packed(), count.packed());
    count.expectEnd();
    return info;
  }

  private static void expectFormat(Unpacker from) {
    int format = from.u8();
    if (format != FORMAT) {
      throw new UnreadableException(
          "format %d; this version of Tidemark reads format %d".formatted(format, FORMAT));
    }
  }
}
