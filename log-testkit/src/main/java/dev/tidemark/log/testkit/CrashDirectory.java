package dev.tidemark.log.testkit;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The names of a [CrashStorage]: those that are durable, and the changes since the last sync of
/// the directory, each of which a crash keeps or loses as a whole. Changes to the same name keep
/// their order: none survives without those before it. Others come in any order.
///
/// Guarded by the storage that owns it.
final class CrashDirectory {
  private final Map<String, CrashFile> durable = new HashMap<>();
  private final List<Change> pending = new ArrayList<>();

  /// Names in order, so that a seed means the same in every run.
  private final SortedMap<String, CrashFile> live = new TreeMap<>();

  private long lastChange;

  /// One operation: what stands under each name that it touched.
  private record Change(long number, Map<String, Optional<CrashFile>> entries) {
    void applyTo(Map<String, CrashFile> names) {
      entries.forEach(
          (name, file) -> file.ifPresentOrElse(f -> names.put(name, f), () -> names.remove(name)));
    }
  }

  CrashDirectory(Map<String, CrashFile> files) {
    durable.putAll(files);
    live.putAll(files);
  }

  private CrashDirectory(CrashDirectory other, UnaryOperator<CrashFile> each) {
    other.durable.forEach((name, file) -> durable.put(name, each.apply(file)));
    for (Change change : other.pending) {
      Map<String, Optional<CrashFile>> entries = new HashMap<>();
      change.entries.forEach((name, file) -> entries.put(name, file.map(each)));
      pending.add(new Change(change.number, entries));
    }
    other.live.forEach((name, file) -> live.put(name, each.apply(file)));
    lastChange = other.lastChange;
  }

  /// The same names and doubts over copies of the files.
  CrashDirectory copy() {
    Map<CrashFile, CrashFile> copies = new HashMap<>();
    return new CrashDirectory(this, file -> copies.computeIfAbsent(file, CrashFile::copy));
  }

  /// What processes see; not to be changed.
  SortedMap<String, CrashFile> live() {
    return live;
  }

  CrashFile existing(String name) throws NoSuchFileException {
    CrashFile file = live.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  void create(String name, CrashFile file) throws FileAlreadyExistsException {
    checkFree(name);
    change(Map.of(name, Optional.of(file)));
  }

  void rename(String from, String to) throws NoSuchFileException, FileAlreadyExistsException {
    CrashFile file = existing(from);
    checkFree(to);
    change(Map.of(from, Optional.empty(), to, Optional.of(file)));
  }

  /// As [#rename], over a file that is there: a crash leaves either under its name.
  void renameOver(String from, String to) throws NoSuchFileException {
    CrashFile file = existing(from);
    existing(to);
    change(Map.of(from, Optional.empty(), to, Optional.of(file)));
  }

  void delete(String name) throws NoSuchFileException {
    existing(name);
    change(Map.of(name, Optional.empty()));
  }

  private void checkFree(String name) throws FileAlreadyExistsException {
    if (live.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
  }

  private void change(Map<String, Optional<CrashFile>> entries) {
    Change change = new Change(++lastChange, entries);
    pending.add(change);
    change.applyTo(live);
  }

  /// The last change that a sync that begins now covers.
  long beginSync() {
    return lastChange;
  }

  void endSync(long covered) {
    while (!pending.isEmpty() && pending.getFirst().number <= covered) {
      pending.removeFirst().applyTo(durable);
    }
  }

  /// Puts a file in the place of the one of that name, now and in whatever a crash leaves; null
  /// takes the name away.
  void replace(String name, @Nullable CrashFile file) {
    Change everywhere = new Change(0, Map.of(name, Optional.ofNullable(file)));
    everywhere.applyTo(durable);
    everywhere.applyTo(live);
    pending.replaceAll(
        change -> {
          Map<String, Optional<CrashFile>> entries = new HashMap<>(change.entries);
          entries.computeIfPresent(name, (k, v) -> Optional.ofNullable(file));
          return new Change(change.number, entries);
        });
  }

  /// The names that a crash leaves.
  SortedMap<String, CrashFile> afterCrash(Fate fate) {
    SortedMap<String, CrashFile> left = new TreeMap<>(durable);
    Set<String> lost = new HashSet<>();
    for (Change change : pending) {
      boolean possible = change.entries.keySet().stream().noneMatch(lost::contains);
      if (possible && fate.choose(2) == 1) {
        change.applyTo(left);
      } else {
        lost.addAll(change.entries.keySet());
      }
    }
    return left;
  }

  /// How many combinations of names and contents there are at the most.
  double fates() {
    Set<CrashFile> files = new HashSet<>(durable.values());
    pending.forEach(change -> change.entries.values().forEach(file -> file.ifPresent(files::add)));
    double fates = Math.pow(2, pending.size());
    for (CrashFile file : files) {
      fates *= file.fates();
    }
    return fates;
  }
}
