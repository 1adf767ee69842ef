package dev.tidemark.log;

import org.jspecify.annotations.Nullable;

/// The base of every error of the log. The subtype says what the caller can do:
///
/// | subtype | what happened | what to do |
/// |---|---|---|
/// | [InvalidRecordException] | the argument breaks a limit; nothing was written | change the argument |
/// | [LogClosedException] | the log was closed | open it again |
/// | [LogInterruptedException] | the wait was interrupted; the write goes on | ask [Log#awaitDurable] |
/// | [LogFailedException] | a write or sync failed; the outcome is unknown | reopen, which verifies |
/// | [LogIoException] | the file system refused a read or an open; nothing was changed | mend it, try again |
/// | [LogLockedException] | another owner has the directory | stop it |
/// | [RecordNotFoundException] | the position or LSN was trimmed or never written | ask for a kept one |
/// | [LogTruncatedException] | the log was truncated below the record | go on from the LSN that it names |
/// | [CorruptLogException] | acknowledged bytes are damaged; nothing was changed | restore from a copy |
/// | [UnsupportedFormatException] | a newer version wrote the directory | use that version |
public abstract sealed class LogException extends RuntimeException
    permits InvalidRecordException,
        LogClosedException,
        LogInterruptedException,
        LogFailedException,
        LogIoException,
        LogLockedException,
        RecordNotFoundException,
        LogTruncatedException,
        CorruptLogException,
        UnsupportedFormatException {
  private static final long serialVersionUID = 1L;

  LogException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
