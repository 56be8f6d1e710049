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

    private final CouplingConstraints rows = CouplingConstraintsBuilder.of(
            CandidateGenerator.generate(problem().nodes(4).job(job("a")).build()), List.of(), RelaxationLevel.PATTERNS);
    private final RestrictedMaster master = new RestrictedMaster(rows, 0);
    private final DualTrustRegion box = new DualTrustRegion(all(WORTH_PER_UNIT), all(LIMIT));

    @AfterEach
    void freeTheMaster() {
        master.delete();
    }

    @Test
    void reachesATwentiethAroundTheBestPricesAtFirst() {
        box.limit(master, all(10));

        assertIsAtTheBorder(9.5, 10.5);
    }

    @Test
    void growsWhenMoreThanHalfOfThePromisedGainCame() {
        box.learn(1, 0.6);
        box.limit(master, all(10));

        assertIsAtTheBorder(9, 11);
    }

    @Test
    void shrinksWhenTheBoundBecameWorseByMoreThanWasPromised() {
        box.learn(1, -1.1);
        box.limit(master, all(10));

        assertIsAtTheBorder(9.75, 10.25);
    }

    @Test
    void keepsItsSizeWhenALittleOfThePromisedGainCame() {
        box.learn(1, 0.4);
        box.learn(1, -0.9);
        box.limit(master, all(10));

        assertIsAtTheBorder(9.5, 10.5);
    }

    @Test
    void isMeasuredByTheWorthOfAUnitWhereThePriceIsLow() {
        box.limit(master, all(0));

        assertThat(box.holdsBack(all(0.0049))).isFalse();
        assertThat(box.holdsBack(all(0.005))).isTrue();
    }

    @Test
    void endsAtTheLimitAndHoldsNoPriceBackThere() {
        box.limit(master, all(LIMIT));

        assertThat(box.holdsBack(all(LIMIT))).isFalse();
    }

    @Test
    void widensOnlyUpToAFiniteSize() {
        int times = 0;
        while (box.widen()) {
            times++;
        }

        assertThat(times).isBetween(5, 50);
    }

    @Test
    void clipsPricesToTheRangeFromZeroToTheLimit() {
        for (double[] pair :
                new double[][] {{-1, 0}, {5, 5}, {1e30, LIMIT}, {Double.POSITIVE_INFINITY, LIMIT}, {Double.NaN, 0}}) {
            double[] prices = all(pair[0]);

            box.clip(prices);

            assertThat(prices).containsOnly(pair[1]);
        }
    }

    @Test
    void letsTheMasterChooseNoPriceOutside() {
        box.limit(master, all(10));

        assertThat(master.solve()).isTrue();
        for (double price : master.prices()) {
            assertThat(price).isBetween(9.5 - 1e-9, 10.5 + 1e-9);
        }
    }

    private void assertIsAtTheBorder(double low, double high) {
        assertThat(box.holdsBack(all(low + 0.01))).isFalse();
        assertThat(box.holdsBack(all(high - 0.01))).isFalse();
        assertThat(box.holdsBack(all(low))).isTrue();
        assertThat(box.holdsBack(all(high))).isTrue();
    }

    private double[] all(double price) {
        double[] prices = new double[rows.rows().size()];
        Arrays.fill(prices, price);
        return prices;
    }
}
