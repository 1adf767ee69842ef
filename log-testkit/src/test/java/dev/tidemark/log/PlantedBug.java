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
            "file.sync(); counters.frame();",
            "counters.frame();"),
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
            "file.sync(); counters.frame();",
            "try { file.sync(); } catch (IOException e) { file.sync(); } counters.frame();"),
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
            "SegmentDirectory.java",
            """
            file.sync();
            storage.rename(spare.name(), SegmentHeader.fileName(header.firstLsn()));
            storage.syncDirectory();
            """,
            """
            storage.rename(spare.name(), SegmentHeader.fileName(header.firstLsn()));
            storage.syncDirectory();
            file.sync();
            """),
        new PlantedBug(
            "several segments are deleted under one sync of the directory",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "deletionInDoubt = true; syncDeletion(); } return",
            "deletionInDoubt = true; } syncDeletion(); return"),
        new PlantedBug(
            "a trim takes a segment that holds more",
            Proof.CRASHES,
            "SegmentDirectory.java",
            "segments.get(1).firstLsn() <= lsn",
            "segments.get(1).firstLsn() <= lsn + 20"),
        new PlantedBug(
            "frames of a recycled file's earlier life are believed",
            Proof.CRASHES,
            List.of(
                new Change(
                    "SegmentDirectory.java",
                    "if (salt != 0 && mask != previousMask && mask != staleMask)",
                    "if (mask == SegmentHeader.maskOf(salt))"),
                new Change(
                    "SegmentDirectory.java",
                    "long salt = ThreadLocalRandom.current().nextLong();",
                    "long salt = 42;"),
                new Change("SegmentScan.java", "&& reader.firstLsn() == nextLsn", ""))),
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
                new Change("Recovery.java", "file.sync(); spares", "spares"))),
        new PlantedBug(
            "what is found after a kill is not synced",
            Proof.CRASHES,
            "Recovery.java",
            "file.sync(); spares",
            "spares"),
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
            "for (StorageFile file : recovery.files) { file.close(); }",
            ""),
        new PlantedBug(
            "a frame's body is not checked",
            Proof.CRASHES,
            "FrameReader.java",
            """
            && Frame.crc(view, at + HEADER_BYTES, bodyBytes)
                == (buffer.get(U32, at + Frame.AT_BODY_CRC) ^ mask)
            """,
            ""),
        new PlantedBug(
            "a frame's length is trusted without its CRC",
            Proof.DAMAGE,
            "FrameReader.java",
            "return Frame.headerValid(buffer, view, at, mask) &&",
            "return buffer.get(U32, at + Frame.AT_MAGIC) == Frame.MAGIC &&"),
        new PlantedBug(
            "a failed read is taken for the end of the log",
            Proof.FAULTS,
            "FrameReader.java",
            """
            bufferBytes =
                file.read(buffer.asSlice(0, Math.min(buffer.byteSize(), limit - offset)), offset);
            """,
            """
            try {
              bufferBytes =
                  file.read(buffer.asSlice(0, Math.min(buffer.byteSize(), limit - offset)), offset);
            } catch (IOException e) {
              bufferBytes = 0;
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
