package dev.tidemark.server;

import java.util.ArrayList;
import java.util.List;

/// `filter_path`: which parts of an answer the client wants.
///
/// A path is steps with dots between; `*` in a step stands for any text, `**` for any steps, none
/// included; `\.` is a dot within a step; a leading `-` takes parts away instead. Arrays are no
/// step. What is kept is copied byte for byte; containers with nothing left are left out.
final class FilterPath {
  private final List<List<String>> wanted = new ArrayList<>();
  private final List<List<String>> unwanted = new ArrayList<>();

  private FilterPath() {}

  static FilterPath of(List<String> paths) {
    FilterPath filter = new FilterPath();
    for (String path : paths) {
      if (path.startsWith("-")) {
        filter.unwanted.add(steps(path.substring(1)));
      } else if (!path.isEmpty()) {
        filter.wanted.add(steps(path));
      }
    }
    return filter;
  }

  private static List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    StringBuilder step = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\' && i + 1 < path.length() && path.charAt(i + 1) == '.') {
        step.append('.');
        i++;
      } else if (c == '.') {
        steps.add(step.toString());
        step.setLength(0);
      } else {
        step.append(c);
      }
    }
    steps.add(step.toString());
    return List.copyOf(steps);
  }

  /// What is left of an answer; `{}` if nothing is.
  JsonOutput apply(JsonOutput answer) {
    JsonOutput kept = answer;
    if (!wanted.isEmpty()) {
      kept = pass(kept, wanted, Walk.Keep.FITTING);
    }
    return unwanted.isEmpty() ? kept : pass(kept, unwanted, Walk.Keep.OTHERS);
  }

  private static JsonOutput pass(JsonOutput answer, List<List<String>> paths, Walk.Keep keep) {
    byte[] json = answer.toBytes();
    List<Place> start = new ArrayList<>();
    for (List<String> path : paths) {
      place(path, 0, start);
    }
    Walk walk = new Walk(new JsonCursor(json), json, keep);
    if (!walk.value(start)) {
      return new JsonOutput(2).openObject().closeObject();
    }
    return walk.out;
  }

  /// A path, and the step of it that the next name must fit.
  private record Place(List<String> path, int step) {}

  /// Adds the place, and the one behind it where the step is `**` and may stand for nothing.
  private static void place(List<String> path, int step, List<Place> places) {
    places.add(new Place(path, step));
    if (path.get(step).equals("**") && step + 1 < path.size()) {
      place(path, step + 1, places);
    }
  }

  private static final class Walk {
    enum Keep {
      FITTING,
      OTHERS
    }

    private final JsonCursor json;
    private final byte[] bytes;
    private final Keep keep;
    private final JsonOutput out;

    Walk(JsonCursor json, byte[] bytes, Keep keep) {
      this.json = json;
      this.bytes = bytes;
      this.keep = keep;
      this.out = new JsonOutput(bytes.length);
    }

    boolean value(List<Place> places) {
      if (json.atObject()) {
        return object(places);
      }
      if (json.atArray()) {
        return array(places);
      }
      if (keep == Keep.OTHERS) {
        copy();
        return true;
      }
      json.skip();
      return false;
    }

    private boolean object(List<Place> places) {
      boolean any = false;
      out.openObject();
      json.enter();
      while (json.more()) {
        any |= member(json.name(), places);
      }
      out.closeObject();
      return any;
    }

    private boolean array(List<Place> places) {
      boolean any = false;
      out.openArray();
      json.enter();
      while (json.more()) {
        int mark = out.length();
        if (value(places)) {
          any = true;
        } else {
          out.takeBackTo(mark);
        }
      }
      out.closeArray();
      return any;
    }

    private boolean member(String name, List<Place> places) {
      List<Place> below = new ArrayList<>();
      boolean fits = step(name, places, below);
      boolean whole = keep == Keep.FITTING ? fits : !fits && below.isEmpty();
      if (whole) {
        out.name(name);
        copy();
        return true;
      }
      if (keep == Keep.FITTING ? below.isEmpty() : fits) {
        json.skip();
        return false;
      }
      int mark = out.length();
      out.name(name);
      boolean kept = value(below);
      if (!kept) {
        out.takeBackTo(mark);
      }
      return kept;
    }

    /// Collects the places below `name`, and answers whether a path ends at it.
    private static boolean step(String name, List<Place> places, List<Place> below) {
      boolean ends = false;
      for (Place place : places) {
        String step = place.path.get(place.step);
        boolean anySteps = step.equals("**");
        if (!anySteps && !Glob.matches(step, name)) {
          continue;
        }
        if (anySteps) {
          place(place.path, place.step, below);
        }
        if (place.step + 1 == place.path.size()) {
          ends = true;
        } else if (!anySteps) {
          place(place.path, place.step + 1, below);
        }
      }
      return ends;
    }

    private void copy() {
      int start = json.position();
      out.raw(bytes, start, json.skip() - start);
    }
  }
}
