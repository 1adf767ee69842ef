package dev.tidemark.store;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Merges a partial document into a whole one: objects deeply, everything else replaced. Keys keep
/// their place and their spelling, new ones follow behind; every literal stays as it came.
///
/// Time is linear in the two lengths, however deep they nest: the partial document is read into a
/// tree once, the whole one is walked through once. The tree's size is bounded by
/// [StoreLimits#PARTIAL_KEYS_MAX]. The result nests no deeper than the deeper of the two, so that
/// the depth limit holds by itself. Used once, by one thread.
final class JsonMerge {
  private final byte[] base;
  private final byte[] partial;
  private final ByteArrayOutputStream out;
  private boolean changed;
  private boolean tooLarge;

  private JsonMerge(byte[] base, byte[] partial) {
    this.base = base;
    this.partial = partial;
    this.out = new ByteArrayOutputStream(base.length + Math.min(partial.length, 4096));
  }

  /// @param text the merged document
  /// @param changed whether any value differs from the base's. Values are compared by their
  ///   literals, members of objects whatever their order
  record Merged(JsonText text, boolean changed) {}

  /// A value of the partial document, and its members if it is an object.
  private record Change(
      int keyStart, int valueStart, int end, @Nullable Map<String, Change> members) {}

  /// Merges two objects; null if the result is larger than a document may be.
  static @Nullable Merged merge(JsonText base, JsonText partial) {
    JsonMerge merge = new JsonMerge(base.bytes(), partial.bytes());
    Map<String, Change> changes = merge.readValue(0, 0).members;
    merge.mergeObject(0, changes == null ? Map.of() : changes);
    if (merge.tooLarge || merge.out.size() > StoreLimits.SOURCE_BYTES_MAX) {
      return null;
    }
    return new Merged(JsonText.checked(merge.out.toByteArray()), merge.changed);
  }

  private Change readValue(int keyStart, int start) {
    if (partial[start] != '{') {
      return new Change(keyStart, start, JsonWalk.endOfValue(partial, start), null);
    }
    Map<String, Change> members = new LinkedHashMap<>();
    int at = start + 1;
    while (partial[at] != '}') {
      int keyEnd = JsonWalk.endOfString(partial, at);
      Change member = readValue(at, keyEnd + 1);
      members.put(JsonWalk.decode(partial, at + 1, keyEnd - 1), member);
      at = partial[member.end] == ',' ? member.end + 1 : member.end;
    }
    return new Change(keyStart, start, at + 1, members);
  }

  /// Writes the base's object at `start` with the changes made; answers its end.
  private int mergeObject(int start, Map<String, Change> changes) {
    out.write('{');
    int written = 0;
    int at = start + 1;
    while (base[at] != '}') {
      int keyEnd = JsonWalk.endOfString(base, at);
      comma(written++);
      write(base, at, keyEnd + 1);
      int end = mergeValue(keyEnd + 1, changes.remove(JsonWalk.decode(base, at + 1, keyEnd - 1)));
      at = base[end] == ',' ? end + 1 : end;
    }
    for (Change added : changes.values()) {
      comma(written++);
      write(partial, added.keyStart, added.end);
      changed = true;
    }
    out.write('}');
    return at + 1;
  }

  private int mergeValue(int start, @Nullable Change change) {
    if (change != null && change.members != null && base[start] == '{') {
      return mergeObject(start, change.members);
    }
    int end = JsonWalk.endOfValue(base, start);
    if (change == null) {
      write(base, start, end);
    } else {
      write(partial, change.valueStart, change.end);
      changed |= !Arrays.equals(base, start, end, partial, change.valueStart, change.end);
    }
    return end;
  }

  private void comma(int written) {
    if (written > 0) {
      out.write(',');
    }
  }

  private void write(byte[] json, int from, int to) {
    // The result is then of no use: the walk goes on, but keeps nothing more.
    tooLarge |= out.size() + (to - from) > StoreLimits.SOURCE_BYTES_MAX;
    if (!tooLarge) {
      out.write(json, from, to - from);
    }
  }
}
