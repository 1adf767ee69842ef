package dev.tidemark.log;

import java.util.List;

/// A wrong variant of the log: what to change in which of its sources, and which proof must notice.
///
/// @param name says what is wrong
/// @param proof that finds it
/// @param file the source's name
/// @param right the text that stands there once, and only once, whatever its white space
/// @param wrong what it becomes
record PlantedBug(String name, Proof proof, String file, String right, String wrong) {
  /// None: the sources as they are.
  static final PlantedBug NONE = new PlantedBug("none", Proof.CRASHES, "", "", "");

  @Override
  public String toString() {
    return name;
  }

  static List<PlantedBug> all() {
    return List.of(
        new PlantedBug(
            "a group is acknowledged before its sync",
            Proof.CRASHES,
            "Committer.java",
            """
                put(frame, group.lastLsn());
                totals""",
            """
                durable.publish(group.lastLsn());
                put(frame, group.lastLsn());
                totals"""),
        new PlantedBug(
            "a frame is written and not synced",
            Proof.CRASHES,
            "Committer.java",
            """
                file.sync();
            """,
            ""));
  }
}
