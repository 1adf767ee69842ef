package dev.tidemark.cli;

import dev.tidemark.log.InspectedSegment;
import dev.tidemark.log.LogDamage;
import dev.tidemark.log.LogInspection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What an inspection found, in words and as JSON.
final class LogFindings {
  private LogFindings() {}

  /// The exit status that tells of it.
  static int status(LogInspection log) {
    if (!log.damages().isEmpty()) {
      return LogCommand.CORRUPT;
    }
    return log.torn() ? LogCommand.TORN : 0;
  }

  /// As [#status], in a word.
  static String state(LogInspection log) {
    return switch (status(log)) {
      case 0 -> "clean";
      case LogCommand.TORN -> "torn";
      default -> "corrupt";
    };
  }

  static long records(LogInspection log) {
    return log.segments().stream().mapToLong(InspectedSegment::records).sum();
  }

  static long fileBytes(LogInspection log) {
    return log.segments().stream().mapToLong(InspectedSegment::fileBytes).sum();
  }

  /// `LSN 3 to 9`.
  static String lsns(long first, long last) {
    if (last < first) {
      return "no record";
    }
    if (last == Long.MAX_VALUE) {
      return "every record from LSN " + first + " on";
    }
    return first == last ? "LSN " + first : "LSN " + first + " to " + last;
  }

  /// One line for each damage.
  static String damages(List<LogDamage> damages) {
    return damages.stream()
        .map(
            damage ->
                "%s at byte %d: %s; lost: %s\n"
                    .formatted(
                        damage.segment(),
                        damage.offset(),
                        damage.what(),
                        lsns(damage.firstLsn(), damage.lastLsn())))
        .collect(Collectors.joining());
  }

  /// The damages as an array. `last_lsn` is null where it is not known.
  static String damagesJson(List<LogDamage> damages) {
    return damages.stream()
        .map(
            damage ->
                "{\"segment\":%s,\"offset\":%d,\"end\":%d,\"first_lsn\":%d,\"last_lsn\":%s,\"what\":%s}"
                    .formatted(
                        Json.quote(damage.segment()),
                        damage.offset(),
                        damage.end(),
                        damage.firstLsn(),
                        damage.lastLsn() == Long.MAX_VALUE ? "null" : damage.lastLsn(),
                        Json.quote(damage.what())))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /// The fields that describe the whole log, to be put into an object.
  static String summaryJson(LogInspection log) {
    return "\"state\":\"%s\",\"first_lsn\":%d,\"last_lsn\":%d,\"proven_lsn\":%d,\"segments\":%d,\"records\":%d,\"file_bytes\":%d,\"damages\":%s"
        .formatted(
            state(log),
            log.firstLsn(),
            log.lastLsn(),
            log.provenLsn(),
            log.segments().size(),
            records(log),
            fileBytes(log),
            damagesJson(log.damages()));
  }

  /// How a segment ends, in a word.
  static String end(InspectedSegment segment) {
    return segment.end().name().toLowerCase(Locale.ROOT);
  }
}
