package dev.spur.service.questions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.testing.ServiceTest;
import dev.spur.simulator.eta.EtaInterval;
import dev.spur.simulator.eta.Forecast;
import dev.spur.simulator.eta.ForecastAccuracy;
import dev.spur.simulator.eta.SimulatedEta;
import dev.spur.simulator.eta.SimulatedEta.Replayed;
import dev.spur.simulator.eta.Uncertainty;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Earlier estimates beside what came, from one planner to the next. */
class ForecastBacktestTest extends ServiceTest {
    private static final EtaInterval BAND = new EtaInterval(null, null, null);

    @Autowired
    private SnapshotReader snapshots;

    @Autowired
    private EtaStore store;

    @Autowired
    private PastJobs jobs;

    private ForecastBacktest records;
    private String job = "";

    @BeforeEach
    void aJobWithPredictions() {
        records = new ForecastBacktest(store, jobs);
        world.node("n1", 4);
        job = world.job(4);
        tell(1, 1800);
    }

    /** Tells by plan {@code revision} that the job is done in so many seconds. */
    private void tell(long revision, double ahead) {
        StateSnapshot now = snapshots.read();
        double at = now.problem().now();
        Forecast forecast = new Forecast(
                at,
                at + 86_400,
                19,
                0.8,
                1,
                "greedy",
                Uncertainty.PRIOR,
                0,
                List.of(),
                List.of(new SimulatedEta(job, null, BAND, new Replayed(ahead, 0.01))),
                List.of());
        records.keep(records.before(now), revision, forecast);
    }

    private ForecastAccuracy ofTheNextReplica() {
        return new ForecastBacktest(store, jobs).before(snapshots.read());
    }

    private static double judged(ForecastAccuracy record) {
        return record.byAhead().stream().mapToDouble(one -> one.jobs()).sum();
    }

    @Nested
    class TheNextReplica {
        @Test
        void knowsWhatIsOpen() {
            assertThat(ofTheNextReplica().open()).containsOnlyKeys(job);
            assertThat(judged(ofTheNextReplica())).isZero();
        }

        @Test
        void learnsFromAJobThatIsDone() {
            world.sql("update job set state = 'DONE', ended_at = now() + interval '2 hours' where id = ?", job);

            assertThat(judged(ofTheNextReplica())).isEqualTo(1);
            assertThat(ofTheNextReplica().open()).isEmpty();
            assertThat(ofTheNextReplica().byAhead().get(1).mean()).isPositive();
        }

        @Test
        void learnsNothingFromAJobThatWasCancelledOrIsHeld() {
            String other = world.job(4);
            world.sql("update job set state = 'CANCELLED', ended_at = now() where id = ?", job);
            assertThat(judged(ofTheNextReplica())).isZero();
            assertThat(ofTheNextReplica().open()).isEmpty();

            job = other;
            tell(2, 1800);
            assertThat(ofTheNextReplica().open()).containsOnlyKeys(other);
            world.sql("update job set held = true where id = ?", other);
            assertThat(ofTheNextReplica().open()).isEmpty();
        }
    }

    @Nested
    class TheRow {
        @Test
        void isNotReplacedByAPlannerThatFellBehind() {
            tell(7, 1800);
            String retained = store.accuracy().orElseThrow();

            store.keepAccuracy(6, "{}");

            assertThat(store.accuracy()).contains(retained);
        }

        @Test
        void thatCannotBeReadIsReplaced() {
            store.keepAccuracy(9, "{\"from\": \"a later version\"}");

            assertThat(ofTheNextReplica().biasCorrection()).isEqualTo(ForecastAccuracy.NONE.biasCorrection());
        }
    }

    @Nested
    class Arrivals {
        @Test
        void areCountedByTheHourTheNewestFirst() {
            world.sql("update job set submitted_at = now() - interval '150 minutes'");
            world.job(1);
            world.job(1);

            PastJobs.Arrivals arrivals = jobs.arrivals(14_400);

            assertThat(arrivals.byHour()).containsExactly(2, 0, 1);
            assertThat(arrivals.seconds()).isBetween(9000.0, 9060.0);
        }
    }
}
