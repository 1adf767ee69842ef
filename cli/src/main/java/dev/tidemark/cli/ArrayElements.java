package dev.tidemark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The elements of one JSON array, each as it is written but for line ends and tabs between its
/// tokens, which a bulk request can't carry. Only brackets and strings are looked at: whether an
/// element is valid is for the server to say. Memory is bounded as [LineReader]'s is. One thread.
final class ArrayElements implements Entries {
  private static final int CUT_BYTES = 200;

  private final InputStream in;
  private final @Nullable String idField;
  private long line = 1;
  private boolean began;
  private byte[] element = new byte[4 << 10];
  private long length;

  ArrayElements(InputStream in, @Nullable String idField) {
    this.in = in;
    this.idField = idField;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    int b = nextToken();
    if (!began) {
      if (b != '[') {
        throw broken("an array should begin with [ here");
      }
      began = true;
      b = nextToken();
      if (b == ']') {
        return end();
      }
    } else if (b == ']') {
      return end();
    } else if (b == ',') {
      b = nextToken();
    } else {
      throw broken("a comma or ] should follow the element before");
    }
    if (b == -1 || b == ',' || b == ']' || b == '}') {
      throw broken("an element should begin here");
    }
    return element(b);
  }

  private @Nullable Entry end() throws IOException {
    if (nextToken() != -1) {
      throw broken("something follows the array's end");
    }
    return null;
  }

  private BrokenFileException broken(String what) {
    return new BrokenFileException(line, what);
  }

  private Entry element(int first) throws IOException {
    long start = line;
    length = 0;
    boolean controlInString =
        switch (first) {
          case '{', '[' -> copyNested(first);
          case '"' -> copyString();
          default -> copyScalar(first);
        };
    byte[] text = Arrays.copyOf(element, (int) Math.min(length, element.length));
    if (length > LineReader.LINE_BYTES_MAX) {
      return Entry.Unreadable.tooLong(start, Arrays.copyOf(text, CUT_BYTES));
    }
    return controlInString
        ? new Entry.Unreadable(start, text, "a string holds a raw control character")
        : Entries.document(start, text, idField);
  }

  /// Copies an object or array; answers whether a string in it holds a raw control character.
  private boolean copyNested(int first) throws IOException {
    boolean control = false;
    int depth = 0;
    int b = first;
    while (true) {
      switch (b) {
        case '"' -> control |= copyString();
        case '\n', '\r', '\t' -> {}
        case -1 -> throw broken("the file ends within an element");
        default -> keep(b);
      }
      if (b == '{' || b == '[') {
        depth++;
      } else if ((b == '}' || b == ']') && --depth == 0) {
        return control;
      }
      b = read();
    }
  }

  private boolean copyString() throws IOException {
    boolean control = false;
    keep('"');
    while (true) {
      int b = read();
      if (b == -1) {
        throw broken("the file ends within a string");
      }
      control |= b < ' ';
      keep(b);
      if (b == '"') {
        return control;
      }
      if (b == '\\') {
        int escaped = read();
        control |= escaped < ' ';
        keep(escaped);
      }
    }
  }

  private boolean copyScalar(int first) throws IOException {
    keep(first);
    while (true) {
      in.mark(1);
      int b = in.read();
      if (b == -1 || b == ',' || b == ']' || b <= ' ') {
        in.reset();
        return false;
      }
      keep(b);
    }
  }

  private void keep(int b) {
    if (length < LineReader.LINE_BYTES_MAX) {
      if (length == element.length) {
        element = Arrays.copyOf(element, Math.min(LineReader.LINE_BYTES_MAX, element.length * 2));
      }
      element[(int) length] = (byte) b;
    }
    length++;
  }

  /// The first byte of the next token, -1 at the end.
  private int nextToken() throws IOException {
    int b = read();
    while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
      b = read();
    }
    return b;
  }

  private int read() throws IOException {
    int b = in.read();
    if (b == '\n') {
      line++;
    }
    return b;
  }
}
