package dev.tidemark.log;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/// What the log tells the JDK's Flight Recorder. While nobody records, an event that comes with
/// every commit is not even made; the seldom ones are made, and dropped. That of a commit group is
/// off unless a recording asks for it: there may be ten thousand in a second.
final class LogEvents {
  private static final String PRODUCT = "Tidemark";
  private static final String LOG = "Log";

  private LogEvents() {}

  @Name("dev.tidemark.log.CommitGroup")
  @Label("Commit Group")
  @Description("Records were made durable by one write and one sync")
  @Category({PRODUCT, LOG})
  @Enabled(false)
  @StackTrace(false)
  static final class Group extends Event {
    @Label("Records")
    int records;

    @Label("Payload Size")
    @DataAmount
    long payloadBytes;

    @Label("Last LSN")
    long lastLsn;

    @Label("Write Time")
    @Timespan
    long writeTime;

    @Label("Sync Time")
    @Timespan
    long syncTime;
  }

  @Name("dev.tidemark.log.Sync")
  @Label("Slow Sync")
  @Description("A data sync of the log took at least the threshold, or failed after it")
  @Category({PRODUCT, LOG})
  @Threshold("20 ms")
  @StackTrace(false)
  static final class Sync extends Event {
    @Label("File")
    String file = "";
  }

  @Name("dev.tidemark.log.Rotation")
  @Label("Rotation")
  @Description("A segment was finished, and another begun")
  @Category({PRODUCT, LOG})
  @StackTrace(false)
  static final class Rotation extends Event {
    @Label("Finished File")
    String finished = "";

    @Label("New File")
    String begun = "";

    @Label("Last LSN")
    @Description("The last LSN of the finished file")
    long lastLsn;
  }

  @Name("dev.tidemark.log.Recovery")
  @Label("Recovery")
  @Description("A directory was opened as a log, or could not be")
  @Category({PRODUCT, LOG})
  @StackTrace(false)
  static final class Opening extends Event {
    @Label("Directory")
    String directory = "";

    @Label("Result")
    @Description("The kind of the recovery report, or of the exception")
    String result = "";

    @Label("Scanned Records")
    @Description("Records verified in the last segment")
    long scannedRecords;

    @Label("Last LSN")
    long lastLsn;
  }

  @Name("dev.tidemark.log.Failure")
  @Label("Failure")
  @Description("A write or sync failed, and the log accepts nothing more until it is opened again")
  @Category({PRODUCT, LOG})
  static final class Failure extends Event {
    @Label("Cause")
    String cause = "";

    @Label("Durable LSN")
    long durableLsn;

    @Label("Appended LSN")
    @Description("Records above the durable LSN up to this one are in doubt")
    long appendedLsn;
  }
}
