package dev.tidemark.server;

import dev.tidemark.store.CollectionInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The indices that an expression such as `logs-*,-logs-old` stands for.
///
/// Parts are names, aliases, and patterns with `*`; `_all`, `*`, and nothing stand for every
/// visible index; a part after a pattern that starts with `-` takes indices away. Patterns pass
/// hidden indices by, unless asked not to, or the pattern and the name both start with a dot.
final class IndexExpression {
  static final Set<String> PARAMETERS =
      Set.of("ignore_unavailable", "allow_no_indices", "expand_wildcards");

  /// What aliases are in an expression.
  enum Aliases {
    /// Names of the indices behind them.
    RESOLVED,
    /// A mistake, unless what is not there is to be ignored.
    REFUSED
  }

  /// Whether patterns fit hidden indices, if the request does not say.
  private enum Hidden {
    PASSED_BY,
    INCLUDED
  }

  private final boolean ignoreUnavailable;
  private final boolean allowNoIndices;
  private final boolean open;
  private final boolean includeHidden;
  private final Aliases aliases;

  private IndexExpression(RequestParameters parameters, Aliases aliases, Hidden hidden) {
    this.ignoreUnavailable = parameters.isOn("ignore_unavailable");
    this.allowNoIndices = parameters.isOnByDefault("allow_no_indices");
    this.aliases = aliases;
    boolean openAsked = false;
    boolean given = parameters.has("expand_wildcards");
    boolean hiddenAsked = !given && hidden == Hidden.INCLUDED;
    for (String state : parameters.list("expand_wildcards")) {
      switch (state) {
        case "open" -> openAsked = true;
        case "closed" -> {
          // no index is ever closed
        }
        case "hidden" -> hiddenAsked = true;
        case "all" -> {
          openAsked = true;
          hiddenAsked = true;
        }
        case "none" -> {
          openAsked = false;
          hiddenAsked = false;
        }
        default ->
            throw ApiException.illegalArgument("No valid expand wildcard value [" + state + "]");
      }
    }
    this.open = openAsked || !given;
    this.includeHidden = hiddenAsked;
  }

  static IndexExpression of(RequestParameters parameters, Aliases aliases) {
    return new IndexExpression(parameters, aliases, Hidden.PASSED_BY);
  }

  /// An expression whose patterns fit hidden indices as well.
  static IndexExpression withHidden(RequestParameters parameters) {
    return new IndexExpression(parameters, Aliases.RESOLVED, Hidden.INCLUDED);
  }

  /// The indices, by name.
  ///
  /// @param expression null or empty for every visible index
  /// @throws ApiException if a named one is missing, or a pattern fits none, and either matters
  List<CollectionInfo> resolve(Indices indices, @Nullable String expression) {
    Map<String, CollectionInfo> all = indices.all();
    List<String> parts = expression == null ? List.of() : RequestParameters.splitList(expression);
    Set<String> found = new TreeSet<>();
    if (parts.isEmpty() || (parts.size() == 1 && isEverything(parts.getFirst()))) {
      found.addAll(fitting("*", all, indices));
      if (found.isEmpty() && !allowNoIndices) {
        throw ApiException.indexNotFound(
            expression == null ? "_all" : expression, "index_or_alias");
      }
    } else {
      resolve(parts, all, indices, found);
    }
    return found.stream().map(all::get).toList();
  }

  private void resolve(
      List<String> parts, Map<String, CollectionInfo> all, Indices indices, Set<String> found) {
    boolean afterPattern = false;
    for (String part : parts) {
      boolean minus = afterPattern && part.startsWith("-");
      String name = minus ? part.substring(1) : part;
      if (minus) {
        found.removeAll(Glob.isPattern(name) ? fittingAny(name, all) : Set.of(name));
      } else if (isEverything(name) || Glob.isPattern(name)) {
        afterPattern = true;
        Set<String> fitting = fitting(isEverything(name) ? "*" : name, all, indices);
        if (fitting.isEmpty() && !allowNoIndices) {
          throw ApiException.indexNotFound(name, "index_or_alias");
        }
        found.addAll(fitting);
      } else {
        found.addAll(named(name, all, indices));
      }
    }
  }

  private Set<String> named(String name, Map<String, CollectionInfo> all, Indices indices) {
    if (all.containsKey(name)) {
      return Set.of(name);
    }
    List<Indices.Holder> holders = indices.holders(name);
    if (holders.isEmpty()) {
      IndexNames.checkLookedFor(name);
      if (ignoreUnavailable) {
        return Set.of();
      }
      throw ApiException.indexNotFound(name, "index_or_alias");
    }
    if (aliases == Aliases.RESOLVED) {
      Set<String> names = new HashSet<>();
      holders.forEach(holder -> names.add(holder.info().name()));
      return names;
    }
    if (ignoreUnavailable) {
      return Set.of();
    }
    throw ApiException.illegalArgument(
        "The provided expression ["
            + name
            + "] matches an alias, specify the corresponding concrete indices instead.");
  }

  private Set<String> fitting(String pattern, Map<String, CollectionInfo> all, Indices indices) {
    Set<String> found = new TreeSet<>();
    if (!open) {
      return found;
    }
    for (CollectionInfo info : all.values()) {
      IndexTraits traits = indices.traits(info);
      Map<String, Boolean> hiddenByName = new TreeMap<>();
      hiddenByName.put(info.name(), traits.hidden());
      if (aliases == Aliases.RESOLVED && !pattern.equals("*")) {
        traits.aliases().forEach((name, alias) -> hiddenByName.put(name, alias.isHidden()));
      }
      for (Map.Entry<String, Boolean> name : hiddenByName.entrySet()) {
        if (Glob.matches(pattern, name.getKey())
            && isShown(name.getKey(), name.getValue(), pattern)) {
          found.add(info.name());
        }
      }
    }
    return found;
  }

  private boolean isShown(String name, boolean hidden, String pattern) {
    return !hidden || includeHidden || (name.startsWith(".") && pattern.startsWith("."));
  }

  private static Set<String> fittingAny(String pattern, Map<String, CollectionInfo> all) {
    Set<String> found = new HashSet<>();
    for (String name : new ArrayList<>(all.keySet())) {
      if (Glob.matches(pattern, name)) {
        found.add(name);
      }
    }
    return found;
  }

  private static boolean isEverything(String part) {
    return part.equals("_all") || part.equals("*");
  }
}
