package dev.tidemark.server;

import dev.tidemark.store.Precondition;
import dev.tidemark.store.StoreLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Under which terms a document is written: `op_type`, `version`, `version_type`, `if_seq_no`,
/// `if_primary_term`, whether they come from a query or from a bulk action line. Filled by one
/// thread, then asked for the [Precondition].
final class WriteTerms {
  static final String CREATE = "create";
  static final String INDEX = "index";
  static final String UPDATE = "update";
  static final String DELETE = "delete";

  private static final long ANY_VERSION = -3;
  private static final long UNASSIGNED = -2;

  private String action;
  private @Nullable String id;
  private long version = ANY_VERSION;
  private String versionType = "internal";
  private long ifSeqNo = UNASSIGNED;
  private long ifPrimaryTerm;

  WriteTerms(String action, @Nullable String id) {
    this.action = action;
    this.id = id;
  }

  /// What a request's parameters say, for a write of the document in its path.
  static WriteTerms of(RequestParameters parameters, String action, @Nullable String id) {
    WriteTerms terms = new WriteTerms(action, id);
    if (parameters.isEmpty()) {
      return terms;
    }
    String opType = parameters.text("op_type");
    if (opType != null) {
      terms.opType(opType);
    }
    Long version = parameters.number("version");
    if (version != null) {
      terms.version(version);
    }
    String versionType = parameters.text("version_type");
    if (versionType != null) {
      terms.versionType(versionType);
    }
    Long seqNo = parameters.number("if_seq_no");
    if (seqNo != null) {
      terms.ifSeqNo(seqNo);
    }
    Long term = parameters.number("if_primary_term");
    if (term != null) {
      terms.ifPrimaryTerm(term);
    }
    return terms;
  }

  void id(String value) {
    id = value;
  }

  void opType(String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case CREATE -> action = CREATE;
      case INDEX -> {
        // what it is anyway
      }
      default ->
          throw ApiException.illegalArgument(
              "opType must be 'create' or 'index', found: [" + value + "]");
    }
  }

  void version(long value) {
    version = value;
  }

  void versionType(String value) {
    versionType =
        switch (value) {
          case "internal", "external", "external_gte" -> value;
          case "external_gt" -> "external";
          default -> throw ApiException.illegalArgument("No version type match [" + value + "]");
        };
  }

  void ifSeqNo(long value) {
    if (value < 0) {
      throw ApiException.illegalArgument(
          "sequence numbers must be non negative. got [" + value + "].");
    }
    ifSeqNo = value;
  }

  void ifPrimaryTerm(long value) {
    if (value < 0) {
      throw ApiException.illegalArgument("primary term must be non negative. got [" + value + "]");
    }
    ifPrimaryTerm = value;
  }

  /// What is done: `index`, `create`, `update`, or `delete`.
  String action() {
    return action;
  }

  boolean isCreate() {
    return action.equals(CREATE);
  }

  boolean hasIfSeqNo() {
    return ifSeqNo != UNASSIGNED || ifPrimaryTerm != 0;
  }

  /// What must hold for the write to happen.
  ///
  /// @throws ApiException a validation error that names all that is wrong with the terms
  Precondition precondition() {
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      throw ApiException.validation(problems);
    }
    if (isCreate()) {
      return new Precondition.Absent();
    }
    if (ifSeqNo != UNASSIGNED) {
      return new Precondition.Matches(ifSeqNo, ifPrimaryTerm);
    }
    return switch (versionType) {
      case "external" -> new Precondition.External(version);
      case "external_gte" -> new Precondition.ExternalOrEqual(version);
      default -> Precondition.NONE;
    };
  }

  /// All that is wrong with the terms, in OpenSearch's words; empty if nothing is.
  List<String> problems() {
    String problem = termsProblem();
    String idProblem = idProblem(id);
    if (problem == null && idProblem == null) {
      return List.of();
    }
    List<String> problems = new ArrayList<>(2);
    if (problem != null) {
      problems.add(problem);
    }
    if (idProblem != null) {
      problems.add(idProblem);
    }
    return problems;
  }

  private @Nullable String termsProblem() {
    boolean internal = versionType.equals("internal");
    if (internal && version == ANY_VERSION && !hasIfSeqNo()) {
      return null;
    }
    if (isCreate()) {
      return !internal
          ? "create operations only support internal versioning. use index instead"
          : version != ANY_VERSION
              ? "create operations do not support explicit versions. use index instead"
              : "create operations do not support compare and set. use index instead";
    }
    if (id == null && (!internal || version != ANY_VERSION)) {
      return "an id must be provided if version type or value are set";
    }
    if (!internal && version < 0) {
      return "illegal version value ["
          + version
          + "] for version type ["
          + versionType.toUpperCase(Locale.ROOT)
          + "]";
    }
    if (internal && version != ANY_VERSION) {
      return "internal versioning can not be used for optimistic concurrency control. Please use"
          + " `if_seq_no` and `if_primary_term` instead";
    }
    if (hasIfSeqNo() && !internal) {
      return "compare and write operations can not use versioning";
    }
    if (ifSeqNo != UNASSIGNED && ifPrimaryTerm == 0) {
      return "ifSeqNo is set, but primary term is [0]";
    }
    return ifSeqNo == UNASSIGNED && ifPrimaryTerm != 0
        ? "ifSeqNo is unassigned, but primary term is [" + ifPrimaryTerm + "]"
        : null;
  }

  /// What is wrong with an id, or null.
  static @Nullable String idProblem(@Nullable String id) {
    if (id == null || id.length() * 3 <= StoreLimits.ID_BYTES_MAX) {
      return null;
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    return bytes <= StoreLimits.ID_BYTES_MAX
        ? null
        : "id ["
            + id
            + "] is too long, must be no longer than "
            + StoreLimits.ID_BYTES_MAX
            + " bytes but was: "
            + bytes;
  }
}
