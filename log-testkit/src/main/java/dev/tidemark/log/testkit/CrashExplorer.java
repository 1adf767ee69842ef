package dev.tidemark.log.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Lets the power fail at every storage call of some work, and holds what is left against what had
/// been promised by then. For whoever keeps promises on a [dev.tidemark.log.spi.Storage].
///
/// A *cut* is made before each call takes effect, and one after the last. At a cut every image that
/// a crash may leave is recovered and checked if they are few, else the least of them and a random
/// sample; and besides what the death of the process leaves, where nothing is lost but all is in
/// doubt. What a call in progress may leave, a torn write or a sync half done, is among the images
/// of the cut that follows it. An image that was seen is not counted again, and checked again only
/// if more has been promised since.
///
/// Some images get a *second crash*: at every call of their recovery the power fails once more.
/// What a recovery has shown must survive a crash right after it.
///
/// ```java
/// CrashExplorer explorer = new CrashExplorer(Seed.ofRun());
/// explorer.exploreUntil(20_000, random -> new MyWorkload(random));
/// ```
///
/// A failure names its seed and its cut. Work that makes the same calls for the same seed fails
/// there again with `-Dtidemark.seed=N`, and `-Dtidemark.cut=N` leaves all other cuts out.
///
/// The storage calls may come from several threads: they are held up, one at a time, while an image
/// is checked. Used by one thread.
public final class CrashExplorer {
  private static final long ALL_CUTS = -1;

  private final Seed seed;
  private final long onlyCut = Long.getLong("tidemark.cut", ALL_CUTS);
  private int imagesPerCut = 16;
  private int secondCrashEvery = 16;

  /// Work, and what it was promised.
  public interface Subject {
    /// Does the work on an empty storage, the same for the same seed.
    void work(CrashStorage storage) throws Exception;

    /// What must hold if the power failed now. Equal as long as that is the same. Called within
    /// storage calls: it must not make any, nor wait.
    Promise promise();
  }

  /// What holds from one moment on.
  @FunctionalInterface
  public interface Promise {
    /// Recovers what a crash has left and holds it against the promise, throwing whatever says that
    /// it is broken; may go on working there, and leaves nothing open.
    ///
    /// The power may fail once more meanwhile: then the same promise must hold of what is left.
    ///
    /// @return what holds of `left` from now on: all that was shown, and no more
    Promise check(CrashStorage left) throws Exception;
  }

  /// What was gone through.
  ///
  /// @param runs of work
  /// @param cuts at storage calls of the work
  /// @param images that differ, second crashes included
  /// @param secondImages those after second crashes
  /// @param duplicates images met again
  public record Explored(long runs, long cuts, long images, long secondImages, long duplicates) {
    private Explored plus(Explored more) {
      return new Explored(
          runs + more.runs,
          cuts + more.cuts,
          images + more.images,
          secondImages + more.secondImages,
          duplicates + more.duplicates);
    }
  }

  /// @param seed of the first run of work; each further one has the next
  public CrashExplorer(Seed seed) {
    this.seed = seed;
  }

  /// How many images are checked at a cut at the most; 16 by default.
  public CrashExplorer imagesPerCut(int images) {
    imagesPerCut = images;
    return this;
  }

  /// Every how many images one gets a second crash at each call of its recovery; 16 by default.
  public CrashExplorer secondCrashEvery(int images) {
    secondCrashEvery = images;
    return this;
  }

  /// Explores work after work until so many images have been checked.
  ///
  /// @param subjects makes the work of one seed
  /// @throws AssertionError if a promise is broken
  public Explored exploreUntil(long images, Function<RandomGenerator, Subject> subjects)
      throws Exception {
    Explored all = new Explored(0, 0, 0, 0, 0);
    while (all.images < images) {
      Seed ofRun = new Seed(seed.value() + all.runs);
      Run run = new Run(ofRun, subjects.apply(ofRun.random()));
      all = all.plus(run.explore());
      if (onlyCut != ALL_CUTS) {
        return all;
      }
    }
    return all;
  }

  /// One run of work.
  private final class Run {
    private final Seed ofRun;
    private final Subject subject;
    private final CrashStorage storage = new CrashStorage();
    private final Map<ByteBuffer, Promise> seen = new HashMap<>();
    private long cuts;
    private long checked;
    private long secondImages;
    private long duplicates;
    private @Nullable AssertionError broken;

    Run(Seed ofRun, Subject subject) {
      this.ofRun = ofRun;
      this.subject = subject;
    }

    Explored explore() throws Exception {
      storage.watch((op, file) -> cut("before " + op + (file.isEmpty() ? "" : " of " + file)));
      try {
        subject.work(storage);
        cut("at the end");
      } catch (Exception | AssertionError e) {
        if (broken == null) {
          broken = new AssertionError("the work failed, " + ofRun, e);
        }
      }
      if (broken != null) {
        throw broken;
      }
      return new Explored(1, cuts, seen.size() + secondImages, secondImages, duplicates);
    }

    private synchronized void cut(String where) {
      cuts++;
      if (broken != null || (onlyCut != ALL_CUTS && onlyCut != cuts)) {
        return;
      }
      // Before the images: more may be promised while they are taken.
      Promise promise = subject.promise();
      RandomGenerator random = new Seed(ofRun.value() * 1_000_003 + cuts).random();
      String place = "%s, cut %d (%s)".formatted(ofRun, cuts, where);
      try {
        List<CrashStorage> images = storage.crashes(imagesPerCut, random);
        for (int i = 0; i < images.size(); i++) {
          visit(images.get(i), promise, random, place + ", power failure " + i);
        }
        visit(storage.copy(), promise, random, place + ", process killed");
      } catch (AssertionError e) {
        broken = e;
      }
    }

    private void visit(CrashStorage left, Promise promise, RandomGenerator random, String place) {
      Promise before = seen.put(digest(left), promise);
      if (before != null) {
        duplicates++;
      }
      if (!promise.equals(before)) {
        checked++;
        if (before == null && checked % secondCrashEvery == 0) {
          checkWithSecondCrash(left, promise, random, place);
        } else {
          check(left, promise, place);
        }
      }
    }

    private void checkWithSecondCrash(
        CrashStorage left, Promise promise, RandomGenerator random, String place) {
      Map<ByteBuffer, CrashStorage> seconds = new LinkedHashMap<>();
      List<String> places = new ArrayList<>();
      left.watch(
          (op, file) -> {
            for (CrashStorage second : left.crashes(2, random)) {
              if (seconds.putIfAbsent(digest(second), second) == null) {
                places.add(place + ", second crash before " + op + " of " + file);
              }
            }
          });
      Promise after = check(left, promise, place);
      left.watch((op, file) -> {});
      check(left.crash(), after, place + ", second crash at the end");
      int i = 0;
      for (CrashStorage second : seconds.values()) {
        check(second, promise, places.get(i++));
      }
      secondImages += seconds.size();
    }

    private static Promise check(CrashStorage left, Promise promise, String place) {
      try {
        return promise.check(left);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("a promise is broken: " + place, e);
      }
    }
  }

  /// Of all names and bytes, and of whether anything is in doubt.
  private static ByteBuffer digest(CrashStorage left) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      left.image()
          .forEach(
              (name, bytes) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(ByteBuffer.allocate(8).putInt(0, bytes.remaining()));
                digest.update(bytes.duplicate());
              });
      digest.update(ByteBuffer.allocate(8).putDouble(0, left.fates()));
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
