package dev.tidemark.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench log`: the log beside a plain loop of positional write and data sync.
@Command(
    name = "log",
    sortOptions = false,
    description = {
      "Measures the log with 64-byte records, beside a plain loop of positional write and data sync"
          + " on a zero-filled file. The two take turns; ratios are of neighbours in time. What is"
          + " read and recovered is one segment of records in batches of 1,000, in the page cache."
          + " All rows together take five minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark bench log",
      "  tidemark bench log --rows write,read/point --rounds 15",
      "  tidemark bench log --peers rocksdb,sqlite --rows write",
      "  tidemark bench log --dir /mnt/disk --json > log.json"
    })
final class LogBench implements Callable<Integer> {
  private static final String ALL = "all";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where to put the files, in a folder that is deleted at the end. On a disk, never in"
              + " memory. Default: the working directory.")
  private @Nullable Path dir;

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      description = "Only these rows: a name, or its beginning up to a slash. Default: all.")
  private List<String> rows = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "11",
      description = "Measurements of each thing. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.4",
      description = "The length of one measurement. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "" + LogBed.RECORDS_MAX,
      description =
          "Records of the log that is read and recovered, at most as many as the default: ${DEFAULT-VALUE}.")
  private int records;

  @Option(
      names = "--peers",
      split = ",",
      arity = "0..1",
      fallbackValue = ALL,
      paramLabel = "PEER",
      description =
          "Instead of the plain loop, these other engines, each told to make every write durable:"
              + " their names, or nothing for all. Ratios say how many times as fast the log was.")
  private List<String> peers = List.of();

  @Option(names = "--json", description = "Print one JSON object and nothing else.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("UnusedVariable") // picocli reads the option's name, not the field
  private boolean help;

  @Spec private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  LogBench() {}

  @Override
  public Integer call() throws Exception {
    List<LogRows.Spec> chosen = chosen();
    if (rounds < 1 || !(seconds > 0)) {
      throw wrong("--rounds and --seconds must be more than 0");
    }
    if (records < 1 || records > LogBed.RECORDS_MAX) {
      throw wrong("--records must be 1 to " + LogBed.RECORDS_MAX + ", which fit one segment");
    }
    Report report;
    try (BenchDirectory directory = BenchDirectory.create(dir)) {
      report = measure(directory, chosen);
    } catch (BenchDirectory.MemoryFileSystemException e) {
      throw wrong(e.getMessage());
    }
    report.print(command.commandLine().getOut(), json ? Report.Form.JSON : Report.Form.TABLE);
    return 0;
  }

  private Report measure(BenchDirectory directory, List<LogRows.Spec> chosen) throws Exception {
    double load = MachineFacts.loadNow();
    Duration each = Duration.ofNanos((long) (seconds * 1e9));
    List<Row> measured = new ArrayList<>();
    try (LogBed log =
        LogBed.open(
            directory.path(),
            directory.fileSystem(),
            new Rounds(rounds, each, each.multipliedBy(2)),
            records)) {
      for (LogRows.Spec row : chosen) {
        say("measuring " + row.name());
        List<Row> found = row.measure().in(log);
        if (found.isEmpty()) {
          say(row.name() + " is left out: there is no strace, or it may not trace");
        }
        measured.addAll(found);
      }
      MachineFacts machine =
          MachineFacts.here(
              directory.fileSystem(),
              load,
              log.rawAccess(),
              log.syncMicros(),
              log.logAccess(),
              null);
      return new Report(machine, measured);
    }
  }

  private List<LogRows.Spec> chosen() {
    List<LogRows.Spec> all = peers.isEmpty() ? LogRows.all() : PeerRows.of(chosenPeers());
    for (String name : rows) {
      if (all.stream().noneMatch(row -> matches(row.name(), name))) {
        throw wrong(
            "no row is called "
                + name
                + ": there are "
                + String.join(", ", all.stream().map(LogRows.Spec::name).toList()));
      }
    }
    return all.stream()
        .filter(row -> rows.isEmpty() || rows.stream().anyMatch(name -> matches(row.name(), name)))
        .toList();
  }

  private List<Peer> chosenPeers() {
    List<Peer> known = PeerRows.peers();
    List<String> names = known.stream().map(Peer::name).toList();
    if (names.isEmpty()) {
      throw wrong("no peers are on the class path: ./tidemark bench log --peers builds them");
    }
    for (String name : peers) {
      if (!name.equals(ALL) && !names.contains(name)) {
        throw wrong("no peer is called " + name + ": there are " + String.join(", ", names));
      }
    }
    List<Peer> chosen = new ArrayList<>();
    for (Peer peer : known) {
      if (peers.contains(ALL) || peers.contains(peer.name())) {
        String missing = peer.missing();
        say(peer.name() + ": " + (missing == null ? peer.description() : "left out: " + missing));
        if (missing == null) {
          chosen.add(peer);
        }
      }
    }
    return chosen;
  }

  private void say(String line) {
    PrintWriter progress = command.commandLine().getErr();
    progress.println(line);
    progress.flush();
  }

  private static boolean matches(String row, String name) {
    return row.equals(name) || row.startsWith(name + "/");
  }

  private ParameterException wrong(@Nullable String message) {
    return new ParameterException(command.commandLine(), String.valueOf(message));
  }
}
