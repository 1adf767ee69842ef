package dev.tidemark.cli;

import java.util.Base64;
import java.util.HexFormat;

/// How a record's payload is written into JSON. The names are those of `--payload`.
enum Payload {
  /// As UTF-8; bytes that are none become U+FFFD.
  text,
  /// Two digits a byte.
  hex,
  /// As in RFC 4648, section 4.
  base64,
  /// Not at all.
  none;

  /// The field and the comma before it.
  String field(byte[] bytes) {
    return switch (this) {
      case text -> ",\"payload\":" + Json.quote(bytes);
      case hex -> ",\"payload\":\"" + HexFormat.of().formatHex(bytes) + '"';
      case base64 -> ",\"payload\":\"" + Base64.getEncoder().encodeToString(bytes) + '"';
      case none -> "";
    };
  }
}
