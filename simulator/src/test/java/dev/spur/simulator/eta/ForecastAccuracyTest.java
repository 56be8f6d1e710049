package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.simulator.eta.SimulatedEta.Replayed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ForecastAccuracyTest {
    private static final double NOW = 1e9;
    private static final double HOUR = 3600;
    private static final EtaInterval BAND = new EtaInterval(null, null, null);

    private static Forecast forecast(double now, String job, double ahead, double variance) {
        return new Forecast(
                now,
                now + 24 * HOUR,
                19,
                0.8,
                100,
                "greedy",
                Uncertainty.PRIOR,
                0,
                List.of(),
                List.of(new SimulatedEta(job, null, BAND, new Replayed(ahead, variance))),
                List.of());
    }

    /**
     * Returns the record after a sequence of jobs, each predicted to end in {@code ahead} and ended after a multiple of
     * it.
     */
    private static ForecastAccuracy after(ForecastAccuracy before, int jobs, double ahead, double... factors) {
        ForecastAccuracy record = before;
        double now = Math.max(NOW, before.asOf());
        for (int job = 0; job < jobs; job++) {
            String id = "job " + job;
            double came = now + (ahead + 60) * factors[job % factors.length] - 60;
            record = record.after(now, Map.of(), Set.of(id)).with(forecast(now, id, ahead, 0));
            while (now + HOUR < came) {
                now += HOUR;
                record = record.after(now, Map.of(), Set.of(id));
            }
            now = came + 1;
            record = record.after(now, Map.of(id, came), Set.of());
        }
        return record;
    }

    /** Returns the median stretch factor at a horizon. */
    private static double median(ForecastAccuracy record, double ahead) {
        return (record.biasCorrection().correct(ahead, ahead, 0.5) + 60) / (ahead + 60);
    }

    private static double spread(ForecastAccuracy record, double ahead) {
        double low = record.biasCorrection().correct(ahead, ahead, 0.1) + 60;
        double high = record.biasCorrection().correct(ahead, ahead, 0.9) + 60;
        return Math.log(high / low);
    }

    @Nested
    class ManyTell {
        @Test
        void thatJobsEndLaterThanPredicted() {
            ForecastAccuracy late = after(ForecastAccuracy.NONE, 100, 1800, 2);

            assertThat(median(late, 1800)).isCloseTo(2, within(0.2));
            assertThat(late.biasCorrection().correct(1800, 1800, 0.1)).isGreaterThan(1800);
        }

        @Test
        void thatJobsEndAsPredicted() {
            ForecastAccuracy right = after(ForecastAccuracy.NONE, 100, 1800, 1);

            assertThat(median(right, 1800)).isCloseTo(1, within(0.02));
            assertThat(spread(right, 1800)).isLessThan(0.5 * spread(ForecastAccuracy.NONE, 1800));
        }

        @Test
        void howFarTheyAreApart() {
            ForecastAccuracy wide = after(ForecastAccuracy.NONE, 200, HOUR, 0.25, 1, 4);

            assertThat(median(wide, HOUR)).isCloseTo(1, within(0.1));
            assertThat(spread(wide, HOUR)).isGreaterThan(2 * spread(ForecastAccuracy.NONE, HOUR));
        }

        @Test
        void mostOfTimesAsFarAhead() {
            ForecastAccuracy late = after(ForecastAccuracy.NONE, 100, 300, 2);

            assertThat(median(late, 300)).isGreaterThan(1.8);
            assertThat(after(late, 100, 8 * HOUR, 1).biasCorrection().correct(8 * HOUR, 8 * HOUR, 0.5))
                    .isCloseTo(8 * HOUR, within(0.5 * HOUR));
            assertThat(median(after(late, 100, 8 * HOUR, 1), 300)).isGreaterThan(1.6);
        }

        @Test
        void littleOfOtherTimesHoweverManyTheyAre() {
            ForecastAccuracy late = after(ForecastAccuracy.NONE, 400, 300, 3);

            assertThat(median(late, 8 * HOUR))
                    .isGreaterThan(1.1 * median(ForecastAccuracy.NONE, 8 * HOUR))
                    .isLessThan(2);
        }

        @Test
        void thatLittleIsKnownOfOtherTimesWhereTheyDiffer() {
            ForecastAccuracy differ = after(after(ForecastAccuracy.NONE, 100, 300, 4), 100, 1800, 0.25);

            assertThat(spread(differ, 8 * HOUR)).isGreaterThan(1.5 * spread(ForecastAccuracy.NONE, 8 * HOUR));
        }

        @Test
        void whatIsOldCountsLess() {
            ForecastAccuracy turned = after(after(ForecastAccuracy.NONE, 400, HOUR, 2), 400, HOUR, 1);

            assertThat(median(turned, HOUR)).isLessThan(1.3);
        }
    }

    @Nested
    class FewMoveLittle {
        @Test
        void oneJob() {
            assertThat(median(after(ForecastAccuracy.NONE, 1, HOUR, 2), HOUR)).isBetween(1.0, 1.25);
        }

        @Test
        void oneJobWithManyPredictions() {
            ForecastAccuracy record = ForecastAccuracy.NONE;
            for (int told = 0; told < 200; told++) {
                double now = NOW + told * 30;
                record = record.after(now, Map.of(), Set.of("job")).with(forecast(now, "job", HOUR, 0));
            }
            assertThat(record.open().get("job")).hasSizeLessThan(6);

            ForecastAccuracy done = record.after(NOW + 6000, Map.of("job", NOW + 6000), Set.of());

            assertThat(done.byAhead().get(1).jobs()).isCloseTo(1, within(0.01));
            assertThat(done.open()).isEmpty();
        }
    }

    @Nested
    class ItsSize {
        @Test
        void staysWithinBoundsHoweverManyJobsThereAre() {
            ForecastAccuracy record = ForecastAccuracy.NONE;
            for (int job = 0; job <= ForecastAccuracy.MAX_OPEN; job++) {
                record = record.with(forecast(NOW, "job " + job, HOUR, 0));
            }
            ForecastAccuracy later = record.with(forecast(NOW + HOUR, "job 0", HOUR, 0));

            assertThat(record.open())
                    .hasSize(ForecastAccuracy.MAX_OPEN)
                    .doesNotContainKey("job " + ForecastAccuracy.MAX_OPEN);
            assertThat(later.open().get("job 0"))
                    .as("open ETAs of recorded jobs are extended")
                    .hasSize(2);
        }
    }

    @Nested
    class NonsenseRuinsNothing {
        private final ForecastAccuracy good = after(ForecastAccuracy.NONE, 50, HOUR, 0.9, 1.1);

        private ForecastAccuracy withOpen(int jobs) {
            ForecastAccuracy record = good;
            for (int job = 0; job < jobs; job++) {
                record = record.with(forecast(good.asOf(), "open " + job, HOUR, 0));
            }
            return record;
        }

        private Map<String, Double> ended(int jobs, double at) {
            Map<String, Double> ended = new java.util.HashMap<>();
            for (int job = 0; job < jobs; job++) {
                ended.put("open " + job, at);
            }
            return ended;
        }

        @Test
        void aClockThatJumpsForward() {
            double then = good.asOf() + 30 * 24 * HOUR;

            ForecastAccuracy jumped = withOpen(500).after(then, ended(500, then), Set.of());

            assertThat(jumped.biasCorrection()).isEqualTo(good.biasCorrection());
            assertThat(jumped.open()).isEmpty();
        }

        @Test
        void aClockThatJumpsBack() {
            double then = good.asOf() - 60;

            ForecastAccuracy jumped = withOpen(500).after(then, ended(500, then - HOUR), Set.of());

            assertThat(jumped.biasCorrection()).isEqualTo(good.biasCorrection());
            assertThat(after(jumped, 1, HOUR, 1).asOf()).isGreaterThan(then);
        }

        @Test
        void aClockThatJumpsBackWhileAJobRuns() {
            ForecastAccuracy jumped = withOpen(1).after(good.asOf() - 60, Map.of(), Set.of("open 0"));

            assertThat(jumped.open()).isEmpty();
        }

        @Test
        void anEndBeforeTheEstimate() {
            double then = good.asOf() + 60;

            assertThat(withOpen(9)
                            .after(then, ended(9, good.asOf() - 1), Set.of())
                            .biasCorrection())
                    .isEqualTo(good.biasCorrection());
        }

        @Test
        void anEndAfterMonths() {
            double then = good.asOf() + 60;

            ForecastAccuracy absurd = withOpen(1).after(then, ended(1, then + 1e8), Set.of());

            assertThat(median(absurd, HOUR) / median(good, HOUR)).isBetween(1.0, 1.02);
            assertThat(spread(absurd, HOUR)).isLessThan(1.3 * spread(good, HOUR));
        }

        @Test
        void aJobThatIsUnknownNow() {
            ForecastAccuracy gone = withOpen(9).after(good.asOf() + 60, Map.of(), Set.of("open 3"));

            assertThat(gone.open()).containsOnlyKeys("open 3");
            assertThat(gone.biasCorrection()).isEqualTo(good.biasCorrection());
        }
    }

    @Nested
    class WhatSamplesKnowIsNotCountedTwice {
        @Test
        void samplesAsFarApartAsWhatComesNeedNoDrift() {
            ForecastAccuracy record = ForecastAccuracy.NONE;
            double now = NOW;
            for (int job = 0; job < 200; job++) {
                double came = now + HOUR * (job % 2 == 0 ? 0.5 : 2);
                record = record.with(forecast(now, "job", HOUR, Math.pow(Math.log(2), 2)));
                now = came + 1;
                record = record.after(now, Map.of("job", came), Set.of());
            }

            assertThat(spread(record, HOUR)).isLessThan(0.5 * spread(ForecastAccuracy.NONE, HOUR));
        }
    }

    @Nested
    class SamplesFurtherApartThanWhatComes {
        private final BiasCorrection biasCorrection =
                after(ForecastAccuracy.NONE, 200, 1800, 0.9, 1.1).biasCorrection();

        private BiasCorrection of(double sampled) {
            ForecastAccuracy record = ForecastAccuracy.NONE;
            double now = NOW;
            for (int job = 0; job < 200; job++) {
                double came = now + 1800 * (job % 2 == 0 ? 0.9 : 1.1);
                record = record.with(forecast(now, "job", 1800, sampled));
                now = came + 1;
                record = record.after(now, Map.of("job", came), Set.of());
            }
            return record.biasCorrection();
        }

        @Test
        void areDrawnTogether() {
            assertThat(of(0.25).correct(3600, 1800, 0.5)).isBetween(1800.0, 2700.0);
            assertThat(of(0.25).correct(900, 1800, 0.5)).isBetween(1300.0, 1800.0);
        }

        @Test
        void butNotOthers() {
            assertThat(biasCorrection.correct(3600, 1800, 0.5))
                    .isCloseTo(biasCorrection.correct(3600, 3600, 0.5), within(1e-6));
        }

        @Test
        void norThoseOfWhichTheMiddleIsNotKnown() {
            assertThat(of(0.25).correct(3600, Double.POSITIVE_INFINITY, 0.5))
                    .isCloseTo(of(0.25).correct(3600, 3600, 0.5), within(1e-6));
        }
    }

    @Nested
    class TheDrift {
        @Test
        void keepsTheOrderOfTimes() {
            BiasCorrection biasCorrection = after(after(ForecastAccuracy.NONE, 100, 300, 3), 100, 8 * HOUR, 0.5)
                    .biasCorrection();
            List<Double> stretched = new ArrayList<>();
            for (double ahead = 0; ahead < 24 * HOUR; ahead += 60) {
                stretched.add(biasCorrection.correct(ahead, ahead, 0.5));
            }

            assertThat(stretched).isSorted();
        }

        @Test
        void keepsItsMiddleWhereItIsMadeAsWideAsAnother() {
            BiasCorrection narrow = of(1);
            BiasCorrection wide = narrow.noNarrowerThan(ForecastAccuracy.NONE.biasCorrection());

            assertThat(wide.correct(1800, 1800, 0.5)).isEqualTo(narrow.correct(1800, 1800, 0.5));
            assertThat(wide.correct(1800, 1800, 0.9)).isGreaterThan(1.3 * narrow.correct(1800, 1800, 0.9));
            assertThat(of(4).noNarrowerThan(ForecastAccuracy.NONE.biasCorrection()))
                    .isEqualTo(of(4));
        }

        private static BiasCorrection of(double factor) {
            return after(ForecastAccuracy.NONE, 200, 1800, 1 / factor, factor).biasCorrection();
        }

        @Test
        void isNotNegative() {
            assertThat(ForecastAccuracy.NONE.biasCorrection().correct(0, 0, 0.01))
                    .isZero();
        }
    }
}
