package dev.tidemark.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  @Test
  void theMedianIsTheMiddleFigureWhateverTheOrder() {
    assertEquals(3, new Series(List.of(9.0, 1.0, 3.0)).median());
    assertEquals(2.5, new Series(List.of(4.0, 1.0, 2.0, 3.0)).median());
    assertEquals(7, new Series(List.of(7.0)).median());
  }

  @Test
  void aSeriesKnowsItsRangeAndItsLength() {
    Series series = new Series(List.of(2.0, 8.0, 5.0));
    assertEquals(2, series.min());
    assertEquals(8, series.max());
    assertEquals(3, series.n());
    assertThrows(IllegalArgumentException.class, () -> new Series(List.of()));
  }

  @Test
  void aRatioIsTakenWithinItsRoundAndNotOfTheMedians() {
    Rounds.Pairs pairs =
        new Rounds.Pairs(
            new Series(List.of(10.0, 100.0, 50.0)), new Series(List.of(20.0, 100.0, 25.0)));
    Series ratios = pairs.ratios();
    assertEquals(List.of(2.0, 1.0, 0.5), ratios.values());
    assertEquals(1, ratios.median());
    assertEquals(0.5, ratios.min());
    assertEquals(2, ratios.max());
  }

  @Test
  void theTwoTakeTurnsAndEveryOtherRoundSwapsTheOrder() throws Exception {
    List<String> calls = new ArrayList<>();
    Work raw = noted(calls, "raw");
    Work work = noted(calls, "work");
    Rounds.Pairs pairs = new Rounds(3, MOMENT, Duration.ZERO).inTurn(raw, work);
    assertEquals(List.of("raw", "work", "work", "raw", "raw", "work"), calls);
    assertEquals(List.of(1.0, 4.0, 5.0), pairs.raw().values());
    assertEquals(List.of(2.0, 3.0, 6.0), pairs.work().values());
  }

  @Test
  void eachFigureOfATrialHasItsOwnPairs() throws Exception {
    Trial raw = length -> new double[] {1, 10};
    Trial work = length -> new double[] {2, 5};
    List<Rounds.Pairs> pairs = new Rounds(2, MOMENT, Duration.ZERO).eachInTurn(raw, work);
    assertEquals(List.of(2.0, 0.5), pairs.stream().map(p -> p.ratios().median()).toList());
    assertEquals(2, pairs.getFirst().work().n());
  }

  @Test
  void aBriefMeasurementHasAThirdOfTheRoundsAndAtLeastOne() {
    assertEquals(4, new Rounds(11, MOMENT, MOMENT).brief().count());
    assertEquals(1, new Rounds(1, MOMENT, MOMENT).brief().count());
  }

  @Test
  void theWarmUpRunsFirstAndItsFiguresDoNotCount() throws Exception {
    List<String> calls = new ArrayList<>();
    Series series = new Rounds(2, MOMENT, MOMENT).alone(noted(calls, "work"));
    assertEquals(3, calls.size());
    assertEquals(List.of(2.0, 3.0), series.values());
  }

  /// Its figures count the calls of all works that share the list.
  private static Work noted(List<String> calls, String name) {
    return length -> {
      calls.add(name);
      return calls.size();
    };
  }
}
