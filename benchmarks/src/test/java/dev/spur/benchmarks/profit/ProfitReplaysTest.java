package dev.spur.benchmarks.profit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.JobSpec;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.synthetic.ArrivalProcess;
import dev.spur.simulator.trace.synthetic.DurationDistribution;
import dev.spur.simulator.trace.synthetic.JobStyle;
import dev.spur.simulator.trace.synthetic.SlotDistribution;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The money of a replay, on ten synthetic jobs. */
class ProfitReplaysTest {
    private static final double PRICE = 0.5;
    private static final ClusterFile CLUSTER =
            new ClusterFile(List.of(new NodeKind("V100", 2, 4, null, null, null, null, PRICE, null, null, null)));
    private static final Trace TRACE = SyntheticTrace.generate(
            new SyntheticSettings(
                    10,
                    1,
                    ArrivalProcess.POISSON,
                    SlotDistribution.GAVEL,
                    DurationDistribution.TIRESIAS,
                    JobStyle.RANGED),
            CLUSTER.allNodes(),
            1);
    private static final Map<String, Double> REVENUES = new MarketPrices(PRICE, 1, 3).revenues(TRACE, 7);

    @Test
    void aRevenueIsThePriceOfTheRequestTimesTheMarkup() {
        for (TraceJob job : TRACE.jobs()) {
            double price = PRICE * job.requestedSlots() * job.aloneSeconds() / 3600;

            assertThat(REVENUES.get(job.id())).isBetween(price, 3 * price);
        }
        assertThat(new MarketPrices(PRICE, 1, 3).revenues(TRACE, 7)).isEqualTo(REVENUES);
        assertThat(new MarketPrices(PRICE, 1, 3).revenues(TRACE, 8)).isNotEqualTo(REVENUES);
    }

    @Test
    void policiesSeeTheRevenueAndNoMoreSlotsThanRequested() {
        for (TraceJob job : PaidTrace.of(TRACE, REVENUES).jobs()) {
            JobSpec spec = job.viewModel().after(RunHistory.NONE).spec();

            assertThat(spec.revenue()).isEqualTo(REVENUES.get(job.id()));
            assertThat(spec.elasticity().maxSlots()).isEqualTo(job.requestedSlots());
            assertThat(job.viewModel().after(RunHistory.NONE).spec()).isSameAs(spec);
        }
    }

    @Test
    void theBalanceHasTheRevenueOfEndedJobsAndTheCostOfAll() {
        ReplaySettings settings = ReplaySettings.DEFAULT.withEnd(1e6, 7200);

        Replay replay = Replayer.replay(
                PaidTrace.of(TRACE, REVENUES),
                CLUSTER,
                PolicyRegistry.policy("fifo").orElseThrow(),
                settings,
                ProgressListener.NONE);
        Balance balance = Balance.of(replay, REVENUES, PRICE);

        double revenue = replay.jobs().stream()
                .filter(job -> job.end() != null)
                .mapToDouble(job -> REVENUES.get(job.id()))
                .sum();
        double slotSeconds = replay.allocationIntervals().stream()
                .mapToDouble(interval -> (interval.end() - interval.start())
                        * interval.allocation().configuration().slots())
                .sum();
        assertThat(balance.done()).isBetween(1, 9);
        assertThat(balance.profit()).isCloseTo(revenue - PRICE * slotSeconds / 3600, within(1e-9));
    }
}
