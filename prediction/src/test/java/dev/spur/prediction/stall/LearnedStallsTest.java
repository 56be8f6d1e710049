package dev.spur.prediction.stall;

import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedStallsTest {
    private static final double STATEMENT_WEIGHT = 1.0 / 9;
    private static final double FAMILY_WEIGHT = 1;

    private static LearnedStalls restarts(double... seconds) {
        LearnedStalls learned = LearnedStalls.NOTHING;
        for (double stall : seconds) {
            learned = learned.and(ChangeMechanism.RESTART, stall);
        }
        return learned;
    }

    private static JobSpec stating(double seconds) {
        return job("a").restartPenalty(seconds).build().spec();
    }

    private static StallEstimate estimate(double stated, LearnedStalls familyStalls, LearnedStalls job) {
        return job.estimate(ChangeMechanism.RESTART, stating(stated), familyStalls);
    }

    @Test
    void aJobWithoutMeasurementsHasTheStatementOfItsOwner() {
        assertThat(estimate(45, LearnedStalls.NOTHING, LearnedStalls.NOTHING))
                .isEqualTo(new StallEstimate(45, StallOrigin.STATED, 0));
    }

    @Test
    void theDefaultOfARestartIsAssumed() {
        assertThat(estimate(60, LearnedStalls.NOTHING, LearnedStalls.NOTHING).origin())
                .isEqualTo(StallOrigin.ASSUMED);
    }

    @Test
    void measurementsAreWeightedWithTheStatementAsPrior() {
        StallEstimate estimate = estimate(60, LearnedStalls.NOTHING, restarts(10, 20));

        double log = (STATEMENT_WEIGHT * Math.log(60) + Math.log(10) + Math.log(20)) / (STATEMENT_WEIGHT + 2);
        assertThat(estimate.seconds()).isCloseTo(Math.exp(log), within(1e-9));
        assertThat(estimate.origin()).isEqualTo(StallOrigin.MEASURED);
        assertThat(estimate.changes()).isEqualTo(2);
    }

    @Test
    void theFamilyIsThePriorOfAJob() {
        double family = (STATEMENT_WEIGHT * Math.log(60) + 2 * Math.log(10)) / (STATEMENT_WEIGHT + 2);
        double both = (FAMILY_WEIGHT * family + Math.log(5)) / (FAMILY_WEIGHT + 1);

        assertThat(estimate(60, restarts(10, 10), restarts(5)).seconds()).isCloseTo(Math.exp(both), within(1e-9));
        assertThat(estimate(60, restarts(10, 10), LearnedStalls.NOTHING).seconds())
                .isCloseTo(Math.exp(family), within(1e-9));
        assertThat(estimate(60, restarts(10, 10), LearnedStalls.NOTHING).origin())
                .isEqualTo(StallOrigin.PREDICTED);
    }

    @Test
    void twoMeasurementsOutweighAWrongStatement() {
        assertThat(estimate(600, LearnedStalls.NOTHING, restarts(40, 42)).seconds())
                .isBetween(40.0, 50.0);
    }

    @Test
    void anOutlierCountsAtMostThreeDeviations() {
        double clipped = Math.exp(Math.log(10) + 3 * 0.5);

        assertThat(restarts(10, 10, 10, 5000)).isEqualTo(restarts(10, 10, 10, clipped));
        assertThat(restarts(10, 10, 10, 0.01)).isEqualTo(restarts(10, 10, 10, Math.exp(Math.log(10) - 3 * 0.5)));
        assertThat(estimate(10, LearnedStalls.NOTHING, restarts(10, 10, 10, 5000))
                        .seconds())
                .isLessThan(15);
    }

    @Test
    void olderMeasurementsFade() {
        double[] faster = new double[40];
        Arrays.fill(faster, 5);
        LearnedStalls learned = restarts(80, 80, 80);
        for (double stall : faster) {
            learned = learned.and(ChangeMechanism.RESTART, stall);
        }

        assertThat(estimate(80, LearnedStalls.NOTHING, learned).seconds()).isBetween(5.0, 6.0);
    }

    @Test
    void measurementsCountAsAtMostEight() {
        double[] equal = new double[40];
        Arrays.fill(equal, 10);

        double log = (STATEMENT_WEIGHT * Math.log(1000) + 8 * Math.log(10)) / (STATEMENT_WEIGHT + 8);
        assertThat(estimate(1000, LearnedStalls.NOTHING, restarts(equal)).seconds())
                .isCloseTo(Math.exp(log), within(1e-9));
    }

    @Test
    void theFamilyIsEffectiveForAJobWithoutMeasurements() {
        LearnedStalls familyStalls = restarts(10, 10);

        assertThat(LearnedStalls.NOTHING.effective(stating(45), familyStalls).restartPenaltySeconds())
                .isEqualTo(estimate(45, familyStalls, LearnedStalls.NOTHING).seconds())
                .isLessThan(20);
    }

    @Test
    void onlyARestartHasADefault() {
        JobSpec statedSpec = job("a").restartPenalty(90).rescales(60).build().spec();

        assertThat(LearnedStalls.NOTHING
                        .estimate(ChangeMechanism.RESCALE, statedSpec, LearnedStalls.NOTHING)
                        .origin())
                .isEqualTo(StallOrigin.STATED);
    }

    @Test
    void aStallOfZeroHasALogarithm() {
        assertThat(estimate(0, LearnedStalls.NOTHING, restarts(0, 0)).seconds()).isCloseTo(0.001, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, 86_401})
    void aValueThatIsNoStallIsRejected(double seconds) {
        assertThatThrownBy(() -> restarts(seconds))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be from 0 to 86400 s");
    }

    @Test
    void aJobSharesItsFirstThreeChangesOfAKind() {
        assertThat(restarts(1, 1).isShared(ChangeMechanism.RESTART)).isTrue();
        assertThat(restarts(1, 1, 1).isShared(ChangeMechanism.RESTART)).isFalse();
        assertThat(restarts(1, 1, 1).isShared(ChangeMechanism.RESCALE)).isTrue();
    }

    @Test
    void onlySupportedChangesAreEstimated() {
        JobSpec statedSpec = job("a").restartPenalty(45).rescales(2).build().spec();
        LearnedStalls learned =
                restarts(10, 10, 10, 10).and(ChangeMechanism.RESCALE, 0.2).and(ChangeMechanism.RECONFIGURE, 0.1);

        JobSpec effectiveSpec = learned.effective(statedSpec, LearnedStalls.NOTHING);

        assertThat(effectiveSpec.restartPenaltySeconds()).isCloseTo(10, within(1.0));
        assertThat(effectiveSpec.stallSeconds(ChangeMechanism.RESCALE)).isCloseTo(0.25, within(0.05));
        assertThat(effectiveSpec.supports(ChangeMechanism.RECONFIGURE)).isFalse();
        assertThat(LearnedStalls.NOTHING.effective(statedSpec, LearnedStalls.NOTHING))
                .isSameAs(statedSpec);
    }

    @Test
    void everySupportedChangeIsEstimated() {
        LearnedStalls learned =
                LearnedStalls.NOTHING.and(ChangeMechanism.MIGRATE, 0.2).and(ChangeMechanism.RECONFIGURE, 0.2);
        JobSpec moving = job("a").restartPenalty(45).migrates(2).build().spec();
        JobSpec reconfiguring =
                job("a").restartPenalty(45).reconfigures(2).build().spec();

        assertThat(learned.effective(moving, LearnedStalls.NOTHING).stallSeconds(ChangeMechanism.MIGRATE))
                .isLessThan(0.3);
        assertThat(learned.effective(reconfiguring, LearnedStalls.NOTHING).stallSeconds(ChangeMechanism.RECONFIGURE))
                .isLessThan(0.3);
    }

    @Test
    void jsonKeepsTheMeasurements() {
        LearnedStalls learned = restarts(3, 4).and(ChangeMechanism.RESCALE, 1);

        assertThat(LearnedStalls.read(learned.json())).isEqualTo(learned);
        assertThat(LearnedStalls.read("{}")).isEqualTo(LearnedStalls.NOTHING);
    }
}
