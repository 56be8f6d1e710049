package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.candidate.CandidateGenerator;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DualTrustRegionTest {
    private static final double WORTH_PER_UNIT = 1;
    private static final double LIMIT = 100;

    private final CouplingConstraints constraints = CouplingConstraintsBuilder.of(
            CandidateGenerator.generate(problem().nodes(4).job(job("a")).build()), List.of(), RelaxationLevel.PATTERNS);
    private final RestrictedMaster master = new RestrictedMaster(constraints, 0);
    private final DualTrustRegion trustRegion = new DualTrustRegion(all(WORTH_PER_UNIT), all(LIMIT));

    @AfterEach
    void freeTheMaster() {
        master.delete();
    }

    @Test
    void reachesATwentiethAroundTheBestPricesAtFirst() {
        trustRegion.limit(master, all(10));

        assertIsAtTheBorder(9.5, 10.5);
    }

    @Test
    void growsWhenMoreThanHalfOfThePromisedGainCame() {
        trustRegion.learn(1, 0.6);
        trustRegion.limit(master, all(10));

        assertIsAtTheBorder(9, 11);
    }

    @Test
    void shrinksWhenTheBoundBecameWorseByMoreThanWasPromised() {
        trustRegion.learn(1, -1.1);
        trustRegion.limit(master, all(10));

        assertIsAtTheBorder(9.75, 10.25);
    }

    @Test
    void keepsItsSizeWhenALittleOfThePromisedGainCame() {
        trustRegion.learn(1, 0.4);
        trustRegion.learn(1, -0.9);
        trustRegion.limit(master, all(10));

        assertIsAtTheBorder(9.5, 10.5);
    }

    @Test
    void isMeasuredByTheWorthOfAUnitWhereThePriceIsLow() {
        trustRegion.limit(master, all(0));

        assertThat(trustRegion.holdsBack(all(0.0049))).isFalse();
        assertThat(trustRegion.holdsBack(all(0.005))).isTrue();
    }

    @Test
    void endsAtTheLimitAndHoldsNoPriceBackThere() {
        trustRegion.limit(master, all(LIMIT));

        assertThat(trustRegion.holdsBack(all(LIMIT))).isFalse();
    }

    @Test
    void widensOnlyUpToAFiniteSize() {
        int times = 0;
        while (trustRegion.widen()) {
            times++;
        }

        assertThat(times).isBetween(5, 50);
    }

    @Test
    void clipsPricesToTheRangeFromZeroToTheLimit() {
        for (double[] pair :
                new double[][] {{-1, 0}, {5, 5}, {1e30, LIMIT}, {Double.POSITIVE_INFINITY, LIMIT}, {Double.NaN, 0}}) {
            double[] prices = all(pair[0]);

            trustRegion.clip(prices);

            assertThat(prices).containsOnly(pair[1]);
        }
    }

    @Test
    void letsTheMasterChooseNoPriceOutside() {
        trustRegion.limit(master, all(10));

        assertThat(master.solve()).isTrue();
        for (double price : master.prices()) {
            assertThat(price).isBetween(9.5 - 1e-9, 10.5 + 1e-9);
        }
    }

    private void assertIsAtTheBorder(double low, double high) {
        assertThat(trustRegion.holdsBack(all(low + 0.01))).isFalse();
        assertThat(trustRegion.holdsBack(all(high - 0.01))).isFalse();
        assertThat(trustRegion.holdsBack(all(low))).isTrue();
        assertThat(trustRegion.holdsBack(all(high))).isTrue();
    }

    private double[] all(double price) {
        double[] prices = new double[constraints.rows().size()];
        Arrays.fill(prices, price);
        return prices;
    }
}
