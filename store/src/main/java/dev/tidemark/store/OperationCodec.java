package dev.tidemark.store;

import dev.tidemark.store.Operation.CreateCollection;
import dev.tidemark.store.Operation.Delete;
import dev.tidemark.store.Operation.DeleteCollection;
import dev.tidemark.store.Operation.NoopDetection;
import dev.tidemark.store.Operation.Put;
import dev.tidemark.store.Operation.Update;
import org.jspecify.annotations.Nullable;

/// Turns operations into log records and back.
///
/// ```
/// 0   u8   version of this format, 1
/// 1   u8   type: 1 create collection, 2 delete collection, 3 put, 4 delete, 5 update
/// 2   i64  log-clock time, milliseconds since 1970; filled in when the record goes into the log
/// 10  text name of the collection
///     ...  by type:
///          1: settings, mappings, aliases (bytes each)
///          3: id, routing, precondition, source
///          4: id, routing, precondition
///          5: id, routing, precondition, u8 noop detection (0 off, 1 on), partial, upsert
/// ```
///
/// Text and bytes are a length and the bytes; routing and upsert may be missing (see [Packer]). A
/// precondition is a u8 (0 none, 1 absent, 2 matches, 3 external, 4 external or equal) and its
/// values, i64 each. Integers are little-endian.
///
/// What goes in is checked against [StoreLimits] here, so that nothing is ever logged that could
/// not be applied. What comes out was protected by the log's CRCs; reading still trusts no length.
final class OperationCodec {
  static final int VERSION = 1;
  private static final int TIME_AT = 2;
  private static final int CREATE_COLLECTION = 1;
  private static final int DELETE_COLLECTION = 2;
  private static final int PUT = 3;
  private static final int DELETE = 4;
  private static final int UPDATE = 5;

  private OperationCodec() {}

  /// An operation and when it was accepted.
  record Decoded(Operation operation, long timeMs) {}

  /// The record, without a time.
  ///
  /// @throws IllegalArgumentException if the operation breaks a limit
  static byte[] encode(Operation operation) {
    return switch (operation) {
      case CreateCollection o ->
          begin(CREATE_COLLECTION, o, jsonBytes(o.settings(), o.mappings(), o.aliases()))
              .json(object("settings", o.settings()))
              .json(object("mappings", o.mappings()))
              .json(object("aliases", o.aliases()))
              .toBytes();
      case DeleteCollection o -> begin(DELETE_COLLECTION, o, 0).toBytes();
      case Put o ->
          document(begin(PUT, o, jsonBytes(o.source())), o.id(), o.routing(), o.precondition())
              .json(source("source", o.source()))
              .toBytes();
      case Delete o ->
          document(begin(DELETE, o, 0), o.id(), o.routing(), o.precondition()).toBytes();
      case Update o -> {
        JsonText upsert = o.upsert();
        int bytes = jsonBytes(o.partial()) + (upsert == null ? 0 : jsonBytes(upsert));
        yield document(begin(UPDATE, o, bytes), o.id(), o.routing(), o.precondition())
            .u8(o.noop() == NoopDetection.ON ? 1 : 0)
            .json(partial(o.partial()))
            .optionalJson(upsert == null ? null : source("upsert", upsert))
            .toBytes();
      }
    };
  }

  /// Puts the time into a record.
  static void stamp(byte[] encoded, long timeMs) {
    Packer.putLong(encoded, TIME_AT, timeMs);
  }

  private static Packer begin(int type, Operation operation, int jsonBytes) {
    return new Packer(256 + jsonBytes).u8(VERSION).u8(type).i64(0).text(operation.collection());
  }

  private static int jsonBytes(JsonText... texts) {
    long bytes = 0;
    for (JsonText text : texts) {
      bytes += text.bytes().length;
    }
    return Math.toIntExact(bytes);
  }

  private static Packer document(
      Packer to, String id, @Nullable String routing, Precondition precondition) {
    to.text(id);
    int idBytes = to.lastTextBytes();
    if (idBytes == 0 || idBytes > StoreLimits.ID_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the id has %d bytes: not between 1 and %d".formatted(idBytes, StoreLimits.ID_BYTES_MAX));
    }
    to.optionalText(routing);
    return switch (precondition) {
      case Precondition.None() -> to.u8(0);
      case Precondition.Absent() -> to.u8(1);
      case Precondition.Matches(long seqNo, long term) -> to.u8(2).i64(seqNo).i64(term);
      case Precondition.External(long version) -> to.u8(3).i64(version);
      case Precondition.ExternalOrEqual(long version) -> to.u8(4).i64(version);
    };
  }

  private static JsonText object(String what, JsonText json) {
    if (!json.isObject()) {
      throw new IllegalArgumentException("the " + what + " must be a JSON object");
    }
    return json;
  }

  private static JsonText source(String what, JsonText json) {
    if (json.bytes().length > StoreLimits.SOURCE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the %s has %d bytes, and the limit is %d"
              .formatted(what, json.bytes().length, StoreLimits.SOURCE_BYTES_MAX));
    }
    return object(what, json);
  }

  private static JsonText partial(JsonText json) {
    source("partial document", json);
    int keys = JsonWalk.countKeys(json.bytes());
    if (keys > StoreLimits.PARTIAL_KEYS_MAX) {
      throw new IllegalArgumentException(
          "the partial document has %d keys, and the limit is %d"
              .formatted(keys, StoreLimits.PARTIAL_KEYS_MAX));
    }
    return json;
  }

  /// What a record says.
  ///
  /// @throws UnreadableException if it is of a newer version, or no record of this kind at all
  static Decoded decode(byte[] encoded) {
    Unpacker from = new Unpacker(encoded);
    int version = from.u8();
    if (version != VERSION) {
      throw new UnreadableException(
          "operation format %d; this version of Tidemark reads format %d"
              .formatted(version, VERSION));
    }
    int type = from.u8();
    long timeMs = from.i64();
    Operation operation = operation(type, from);
    from.expectEnd();
    return new Decoded(operation, timeMs);
  }

  private static Operation operation(int type, Unpacker from) {
    String collection = from.text();
    return switch (type) {
      case CREATE_COLLECTION ->
          new CreateCollection(collection, from.json(), from.json(), from.json());
      case DELETE_COLLECTION -> new DeleteCollection(collection);
      case PUT -> {
        String id = from.text();
        String routing = from.optionalText();
        Precondition precondition = precondition(from);
        yield new Put(collection, id, routing, from.json(), precondition);
      }
      case DELETE -> new Delete(collection, from.text(), from.optionalText(), precondition(from));
      case UPDATE -> {
        String id = from.text();
        String routing = from.optionalText();
        Precondition precondition = precondition(from);
        NoopDetection noop = from.u8() == 0 ? NoopDetection.OFF : NoopDetection.ON;
        yield new Update(
            collection, id, routing, from.json(), from.optionalJson(), noop, precondition);
      }
      default -> throw new UnreadableException("operation type " + type + " is not known");
    };
  }

  private static Precondition precondition(Unpacker from) {
    int kind = from.u8();
    return switch (kind) {
      case 0 -> Precondition.NONE;
      case 1 -> new Precondition.Absent();
      case 2 -> new Precondition.Matches(from.i64(), from.i64());
      case 3 -> new Precondition.External(from.i64());
      case 4 -> new Precondition.ExternalOrEqual(from.i64());
      default -> throw new UnreadableException("precondition " + kind + " is not known");
    };
  }
}
