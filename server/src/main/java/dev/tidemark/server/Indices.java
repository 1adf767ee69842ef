package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import dev.tidemark.store.DocumentStore;
import dev.tidemark.store.Precondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Finds the collection that a name in a request stands for: itself, or the one behind an alias.
/// Any number of threads may use it.
///
/// A name that is a collection's needs one look-up. Only other names cost a pass over all
/// collections for their aliases.
final class Indices {
  private final DocumentStore store;
  private final Map<String, IndexTraits> traitsByUuid = new ConcurrentHashMap<>();

  Indices(DocumentStore store) {
    this.store = store;
  }

  /// Where a single document is, or goes.
  ///
  /// @param name the collection's own name
  /// @param info the collection, or null if there is none yet
  /// @param traits the collection's, or null
  /// @param alias the alias by which it was named, or null
  record Place(
      String name,
      @Nullable CollectionInfo info,
      @Nullable IndexTraits traits,
      @Nullable IndexAlias alias) {

    /// The routing of a request: its own, or the alias's.
    @Nullable String routing(@Nullable String asked) {
      String fixed = alias == null ? null : alias.indexRouting();
      if (fixed == null) {
        return asked;
      }
      if (asked != null && !asked.equals(fixed)) {
        throw ApiException.illegalArgument(
            "Alias of index ["
                + name
                + "] has index routing associated with it ["
                + fixed
                + "], and was provided with routing value ["
                + asked
                + "], rejecting operation");
      }
      return fixed;
    }
  }

  /// An index that has an alias.
  record Holder(CollectionInfo info, IndexTraits traits, IndexAlias alias) {}

  IndexTraits traits(CollectionInfo collection) {
    IndexTraits traits = traitsByUuid.get(collection.uuid());
    return traits != null
        ? traits
        : traitsByUuid.computeIfAbsent(collection.uuid(), _ -> IndexTraits.of(collection));
  }

  void forget(CollectionInfo deleted) {
    traitsByUuid.remove(deleted.uuid());
  }

  /// Every collection, by name.
  Map<String, CollectionInfo> all() {
    Map<String, CollectionInfo> all = new TreeMap<>();
    for (CollectionInfo info : store.collections()) {
      all.put(info.name(), info);
    }
    return all;
  }

  /// The indices behind an alias; none if there is no such alias.
  List<Holder> holders(String alias) {
    List<Holder> holders = new ArrayList<>();
    for (CollectionInfo info : store.collections()) {
      IndexTraits traits = traits(info);
      IndexAlias held = traits.aliases().get(alias);
      if (held != null) {
        holders.add(new Holder(info, traits, held));
      }
    }
    return holders;
  }

  /// Where a document of that index is read.
  ///
  /// @throws ApiException if there is no such index, or several
  Place readPlace(String name) {
    CollectionInfo info = store.collection(name);
    if (info != null) {
      return new Place(name, info, traits(info), null);
    }
    List<Holder> holders = holders(name);
    if (holders.isEmpty()) {
      IndexNames.checkLookedFor(name);
      throw ApiException.indexNotFound(name, "index_expression");
    }
    if (holders.size() > 1) {
      throw ApiException.illegalArgument(
          "alias ["
              + name
              + "] has more than one index associated with it "
              + holders.stream().map(holder -> holder.info().name()).toList()
              + ", can't execute a single index op");
    }
    return place(holders.getFirst());
  }

  /// Where a document of that index is written; a collection that is not there yet will be made.
  ///
  /// @throws ApiException if no index may have that name, or an alias leaves it open
  Place writePlace(String name) {
    Place place = changePlace(name);
    if (place.info() == null) {
      IndexNames.check(name);
    }
    return place;
  }

  /// Where a document of that index is deleted. If the collection is not there, it may still be
  /// made by an operation before the delete; the store knows.
  ///
  /// @throws ApiException if the delete makes the index and none may have that name, or an alias
  ///   leaves it open
  Place deletePlace(String name, Precondition precondition) {
    return switch (precondition) {
      case Precondition.External _, Precondition.ExternalOrEqual _ -> writePlace(name);
      default -> changePlace(name);
    };
  }

  private Place changePlace(String name) {
    CollectionInfo info = store.collection(name);
    if (info != null) {
      return new Place(name, info, traits(info), null);
    }
    List<Holder> holders = holders(name);
    if (holders.isEmpty()) {
      return new Place(name, null, null, null);
    }
    for (Holder holder : holders) {
      if (Boolean.TRUE.equals(holder.alias().writeIndex())) {
        return place(holder);
      }
    }
    if (holders.size() > 1 || holders.getFirst().alias().writeIndex() != null) {
      throw ApiException.illegalArgument(
          "no write index is defined for alias ["
              + name
              + "]. The write index may be explicitly disabled using is_write_index=false or the"
              + " alias points to multiple indices without one being designated as a write index");
    }
    return place(holders.getFirst());
  }

  /// As [#writePlace], for requests that insist on an alias.
  Place aliasedWritePlace(String name) {
    if (store.collection(name) != null || holders(name).isEmpty()) {
      throw ApiException.indexNotFound(
          name,
          "index_or_alias",
          "no such index ["
              + name
              + "] and [require_alias] request flag is [true] and ["
              + name
              + "] is not an alias");
    }
    return writePlace(name);
  }

  private static Place place(Holder holder) {
    return new Place(holder.info().name(), holder.info(), holder.traits(), holder.alias());
  }
}
