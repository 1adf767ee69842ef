package dev.tidemark.log;

import java.util.List;

/// A wrong variant of the log, and the proof that must notice.
///
/// @param name says what is wrong
/// @param proof that finds it
/// @param changes to the log's sources
record PlantedBug(String name, Proof proof, List<Change> changes) {
  /// One change to a source.
  ///
  /// @param file its name
  /// @param right the text that stands there once, and only once, whatever its white space
  /// @param wrong what it becomes
  record Change(String file, String right, String wrong) {}

  private PlantedBug(String name, Proof proof, String file, String right, String wrong) {
    this(name, proof, List.of(new Change(file, right, wrong)));
  }

  @Override
  public String toString() {
    return name;
  }

  /// The sources as they are.
  static PlantedBug none() {
    return new PlantedBug("none", Proof.CRASHES, List.of());
  }

  static List<PlantedBug> all() {
    return List.of(
        new PlantedBug(
            "a frame is acknowledged without a sync",
            Proof.CRASHES,
            "Committer.java",
            "calls.sync(segment);",
            ""),
        new PlantedBug(
            "readers see a group before its sync",
            Proof.CRASHES,
            "Committer.java",
            "put(frame, group.lastLsn());",
            "durable.publish(group.lastLsn()); put(frame, group.lastLsn());"),
        new PlantedBug(
            "a failed sync is tried again",
            Proof.FAULTS,
            "Committer.java",
            "calls.sync(segment);",
            "try { calls.sync(segment); } catch (IOException e) { calls.sync(segment); }"),
        new PlantedBug(
            "a frame names its own records as durable",
            Proof.CRASHES,
            "Committer.java",
            "group.frame(durable.lsn(), now())",
            "group.frame(group.lastLsn(), now())"),
        new PlantedBug(
            "a finished segment has no seal",
            Proof.CRASHES,
            "Committer.java",
            "put(emptyFrame(Frame.KIND_SEAL, Frame.SEAL_BODY_BYTES), lastLsn);",
            ""),
        new PlantedBug(
            "a batch is split where the staged bytes reach their bound",
            Proof.CRASHES,
            "Appender.java",
            "filling.add(payloads.get(i), crcs[i]);",
            """
            if (i > 0) {
              admit(Frame.RECORD_HEADER_BYTES + (long) payloads.get(i).length);
            }
            filling.add(payloads.get(i), crcs[i]);
            """),
        new PlantedBug(
            "a new segment's name is not synced",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "storage.syncDirectory(); return new Segment(",
            "return new Segment("),
        new PlantedBug(
            "a segment gets its name before its header is durable",
            Proof.CRASHES,
            List.of(
                new Change(
                    "SegmentDirectory.java", "file.sync(); storage.rename(", "storage.rename("),
                new Change(
                    "SegmentDirectory.java",
                    "storage.syncDirectory(); return new Segment(",
                    "storage.syncDirectory(); file.sync(); return new Segment("))),
        new PlantedBug(
            "a trim takes a segment that holds more",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "segments.get(1).firstLsn() <= lsn",
            "segments.get(1).firstLsn() <= lsn + 20"),
        new PlantedBug(
            "a truncation deletes segments without a sync between",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "noteTrimmed(last); storage.syncDirectory(); } /// Within [#exclusively]: puts",
            "noteTrimmed(last); } /// Within [#exclusively]: puts"),
        new PlantedBug(
            "a truncation is not synced at its end",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "segments = List.copyOf(replaced); last.release(); noteTrimmed(last); storage.syncDirectory();",
            "segments = List.copyOf(replaced); last.release(); noteTrimmed(last);"),
        new PlantedBug(
            "a truncated segment takes its place before it is durable",
            Proof.CRASHES,
            "Truncation.java",
            "file.sync();",
            ""),
        new PlantedBug(
            "a truncation keeps a frame whole that it should cut",
            Proof.CRASHES,
            "SegmentPrefix.java",
            "(int) Math.min(reader.records(), lastLsn - firstLsn + 1)",
            "reader.records()"),
        new PlantedBug(
            "a torn tail is left where it is",
            Proof.CRASHES,
            "Recovery.java",
            "windows.zero(file, scan.end(), tornEnd);",
            ""),
        new PlantedBug(
            "zeros over a torn tail are not synced",
            Proof.CRASHES,
            List.of(
                new Change(
                    "Recovery.java",
                    "rewriteLastFrame(file); if (",
                    "rewriteLastFrame(file); file.sync(); if ("),
                new Change(
                    "Recovery.java",
                    "it counts as durable. file.sync();",
                    "it counts as durable."))),
        new PlantedBug(
            "what is found after a kill is not synced",
            Proof.CRASHES,
            "Recovery.java",
            "it counts as durable. file.sync();",
            "it counts as durable."),
        new PlantedBug(
            "the last frame is not written again after a failed sync",
            Proof.FAULTS,
            "Recovery.java",
            "rewriteLastFrame(file); if (",
            "if ("),
        new PlantedBug(
            "files stay open when an open fails",
            Proof.FAULTS,
            "Recovery.java",
            "for (StorageFile file : files) { file.close(); }",
            ""),
        new PlantedBug(
            "a frame's body is not checked",
            Proof.CRASHES,
            "FrameReader.java",
            """
            && Frame.crc(crc, view, at + HEADER_BYTES, bodyBytes)
                == (buffer.get(U32, at + Frame.AT_BODY_CRC) ^ mask)
            """,
            ""),
        new PlantedBug(
            "a frame's length is trusted without its CRC",
            Proof.DAMAGE,
            "FrameReader.java",
            "return Frame.headerValid(crc, buffer, view, at, mask) &&",
            "return buffer.get(U32, at + Frame.AT_MAGIC) == Frame.MAGIC &&"),
        new PlantedBug(
            "a failed read is taken for the end of the log",
            Proof.FAULTS,
            "FrameReader.java",
            "bufferBytes += source.read(buffer.asSlice(kept, missing), offset + kept);",
            """
            try {
              bufferBytes += source.read(buffer.asSlice(kept, missing), offset + kept);
            } catch (IOException e) {
              bufferBytes = kept;
            }
            """),
        new PlantedBug(
            "a torn frame proves itself by its own LSN",
            Proof.CRASHES,
            "SegmentScan.java",
            "proven = Math.max(proven, reader.durableLsn());",
            "proven = Math.max(proven, reader.firstLsn() + reader.records() - 1);"),
        new PlantedBug(
            "an LSN is left out after a recovery",
            Proof.CRASHES,
            "Log.java",
            "new DurablePoint(report.lastLsn())",
            "new DurablePoint(report.lastLsn() + 1)"));
  }
}
