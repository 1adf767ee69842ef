package dev.tidemark.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// The documents and what is known of their collections, in RocksDB.
///
/// RocksDB's own log is off: what is not flushed yet is replayed from ours. Its families are
/// flushed together (atomic flush) and every batch carries its LSN, so that whatever survives a
/// crash is the state at exactly one LSN, which it names itself ([StoredMeta.Progress]).
///
/// The [Applier]'s thread writes; any thread reads; the [Checkpointer] flushes. Native memory is
/// freed once, when the last call has left ([NativeGate]): later ones get a [StoreClosedException].
final class KeyValueSide implements AutoCloseable {
  /// Open files besides the log's; the rest is opened when it is needed.
  private static final int OPEN_FILES_MAX = 128;

  private static final byte[] DOCUMENTS_NAME = {'d', 'o', 'c', 's'};

  private final Path directory;
  private final NativeGate gate = new NativeGate();

  /// Everything native, the newest first: the order in which it may be freed.
  private final Deque<AutoCloseable> natives = new ArrayDeque<>();

  private final RocksDB db;
  private final ColumnFamilyHandle documents;

  /// RocksDB's default family, which cannot be absent.
  private final ColumnFamilyHandle meta;

  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private final FlushOptions flushOptions;

  private KeyValueSide(Path directory, StoreOptions options) throws RocksDBException {
    this.directory = directory;
    try {
      ColumnFamilyOptions families = familyOptions(options);
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      List<ColumnFamilyDescriptor> descriptors =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, families),
              new ColumnFamilyDescriptor(DOCUMENTS_NAME, families));
      this.db = own(RocksDB.open(databaseOptions(), directory.toString(), descriptors, handles));
      this.meta = own(handles.get(0));
      this.documents = own(handles.get(1));
      this.readOptions = own(new ReadOptions());
      this.writeOptions = own(new WriteOptions().setDisableWAL(true));
      this.flushOptions = own(new FlushOptions().setWaitForFlush(true));
    } catch (RocksDBException | RuntimeException | Error e) {
      free();
      throw e;
    }
  }

  /// Opens the database in an existing directory; an empty one becomes a new database.
  ///
  /// @throws StoreUnusableException if it cannot be opened
  static KeyValueSide open(Path directory, StoreOptions options) {
    try {
      RocksLibrary.load();
      return new KeyValueSide(directory, options);
    } catch (RocksDBException | IOException e) {
      throw new StoreUnusableException(
          "the key-value side in %s cannot be opened: %s; nothing was changed"
              .formatted(directory, e.getMessage()),
          e);
    }
  }

  private <T extends AutoCloseable> T own(T object) {
    natives.push(object);
    return object;
  }

  private DBOptions databaseOptions() {
    return own(new DBOptions())
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setAtomicFlush(true)
        .setParanoidChecks(true)
        .setMaxBackgroundJobs(2)
        .setMaxOpenFiles(OPEN_FILES_MAX)
        .setBytesPerSync(1 << 20)
        // A close flushes when it is asked to, by a checkpoint.
        .setAvoidFlushDuringShutdown(true)
        .setManifestPreallocationSize(64 << 10)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(2)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  private ColumnFamilyOptions familyOptions(StoreOptions options) {
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(options.blockCacheBytes(), 2)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setFilterPolicy(own(new BloomFilter(10)))
            .setOptimizeFiltersForMemory(true)
            .setFormatVersion(6);
    return own(new ColumnFamilyOptions())
        .setTableFormatConfig(tables)
        .setWriteBufferSize(options.memtableBytes())
        .setMaxWriteBufferNumber(2)
        .setTargetFileSizeBase(options.memtableBytes())
        .setMaxBytesForLevelBase(4 * options.memtableBytes())
        .setCompressionPerLevel(
            List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION));
  }

  /// What the database really holds.
  StoredMeta.Progress progress() {
    byte[] value = get(meta, StoredMeta.PROGRESS_KEY);
    return value == null ? StoredMeta.Progress.START : StoredMeta.unpackProgress(value);
  }

  /// Every collection, by name.
  Map<String, CollectionInfo> collections() {
    Map<String, CollectionInfo> collections = new HashMap<>();
    byte[] from = {StoredMeta.DEFINITION};
    byte[] to = {StoredMeta.DEFINITION + 1};
    scan(
        meta,
        from,
        to,
        (key, definition) -> {
          key[0] = StoredMeta.COUNTS;
          byte[] counts = get(meta, key);
          if (counts == null) {
            throw new UnreadableException("a collection without counts");
          }
          CollectionInfo info = StoredMeta.unpackCollection(definition, counts);
          collections.put(info.name(), info);
        });
    return collections;
  }

  /// The value kept for a document, or null.
  byte @Nullable [] document(byte[] key) {
    return get(documents, key);
  }

  /// Copies the beginning of the value kept for a document into `target`.
  ///
  /// @return the whole value's length, -1 if there is none
  int document(byte[] key, byte[] target) {
    gate.enter();
    try {
      return db.get(documents, readOptions, key, target);
    } catch (RocksDBException e) {
      throw failed("reading", e);
    } finally {
      gate.leave();
    }
  }

  private byte @Nullable [] get(ColumnFamilyHandle family, byte[] key) {
    gate.enter();
    try {
      return db.get(family, readOptions, key);
    } catch (RocksDBException e) {
      throw failed("reading", e);
    } finally {
      gate.leave();
    }
  }

  /// Every live document of a collection as it is now.
  void forEachDocument(int collection, Consumer<Document> consumer) {
    scan(
        documents,
        StoredKey.ofCollection(collection),
        StoredKey.ofCollection(collection + 1),
        (key, value) -> {
          Document document = StoredDocument.read(StoredKey.id(key), value);
          if (document != null) {
            consumer.accept(document);
          }
        });
  }

  /// Every key and value of both families, for tests.
  void forEachEntry(BiConsumer<byte[], byte[]> consumer) {
    byte[] beyond = {-1, -1, -1, -1, -1};
    scan(meta, new byte[0], beyond, consumer);
    scan(documents, new byte[0], beyond, consumer);
  }

  /// What the iterator sees is fixed when it is made.
  private void scan(
      ColumnFamilyHandle family, byte[] from, byte[] to, BiConsumer<byte[], byte[]> consumer) {
    gate.enter();
    try (Slice bound = new Slice(to);
        ReadOptions options = new ReadOptions().setIterateUpperBound(bound).setFillCache(false);
        RocksIterator iterator = db.newIterator(family, options)) {
      for (iterator.seek(from); iterator.isValid(); iterator.next()) {
        consumer.accept(iterator.key(), iterator.value());
        if (gate.isClosed()) {
          throw new StoreClosedException("the store was closed while its documents were read");
        }
      }
      iterator.status();
    } catch (RocksDBException e) {
      throw failed("reading", e);
    } finally {
      gate.leave();
    }
  }

  /// Adds to a batch: the document's value.
  void putDocument(WriteBatch batch, byte[] key, byte[] value) {
    try {
      batch.put(documents, key, value);
    } catch (RocksDBException e) {
      throw failed("writing", e);
    }
  }

  /// Adds to a batch: the end of a collection's documents.
  void deleteDocuments(WriteBatch batch, int collection) {
    try {
      batch.deleteRange(
          documents, StoredKey.ofCollection(collection), StoredKey.ofCollection(collection + 1));
    } catch (RocksDBException e) {
      throw failed("writing", e);
    }
  }

  /// Adds to a batch: a value of the `meta` family; null deletes.
  void putMeta(WriteBatch batch, byte[] key, byte @Nullable [] value) {
    try {
      if (value == null) {
        batch.delete(meta, key);
      } else {
        batch.put(meta, key, value);
      }
    } catch (RocksDBException e) {
      throw failed("writing", e);
    }
  }

  /// Makes a batch visible, whole. It is durable only after a [#flush].
  void write(WriteBatch batch) {
    gate.enter();
    try {
      db.write(writeOptions, batch);
    } catch (RocksDBException e) {
      throw failed("writing", e);
    } finally {
      gate.leave();
    }
  }

  /// Makes all that was written before the call durable.
  void flush() {
    gate.enter();
    try {
      db.flush(flushOptions, List.of(meta, documents));
    } catch (RocksDBException e) {
      throw failed("flushing", e);
    } finally {
      gate.leave();
    }
  }

  /// The size of the files that hold data.
  long bytesOnDisk() {
    gate.enter();
    try {
      return db.getAggregatedLongProperty("rocksdb.live-sst-files-size");
    } catch (RocksDBException e) {
      throw failed("measuring", e);
    } finally {
      gate.leave();
    }
  }

  private StoreFailedException failed(String doing, RocksDBException e) {
    return new StoreFailedException(
        "%s the key-value side in %s failed: %s".formatted(doing, directory, e.getMessage()), e);
  }

  @Override
  public void close() {
    gate.close();
    free();
  }

  private void free() {
    while (!natives.isEmpty()) {
      try {
        natives.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("freeing the key-value side in " + directory, e);
      }
    }
  }
}
