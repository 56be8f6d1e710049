package dev.spur.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.PastUsage;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.StateTrace;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replays in which the past counts, with a half-life of 100 s. One slot; starts take no time. */
class DecayedUsageTest {
    private static final ReplaySettings GRID = ReplaySettings.DEFAULT.withRounds(100, null);

    private static RoundProblem state(boolean counts) {
        ProblemFixture problem = ProblemFixture.problem()
                .node("a100-0", 1)
                .tenant("x", "root", null)
                .tenant("y", "root", null);
        if (counts) {
            problem.fairShare(100, 1).usedBefore("x", 80);
        }
        return problem.job(Traces.request("a", 1, 300)
                        .restartPenalty(0)
                        .tenant("x")
                        .weight(2))
                .job(Traces.request("b", 1, 300).restartPenalty(0).tenant("y"))
                .build();
    }

    /** What each round saw of the past, and who was given the slot. */
    private static List<List<PastUsage>> replay(RoundProblem state, List<String> holders) {
        List<List<PastUsage>> seen = new ArrayList<>();
        Policy watching = new Policy() {
            @Override
            public String name() {
                return "watching";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                seen.add(problem.pastUsage());
                Decision decision = Policies.greedy().decide(problem);
                holders.addAll(decision.allocations().keySet());
                return decision;
            }
        };
        Replayer.replay(
                StateTrace.of("state", state),
                ClusterConfig.of(state),
                watching,
                GRID.withPlanning(state.settings()),
                ProgressListener.NONE);
        return seen;
    }

    @Test
    void whatIsHeldCountsAndDecays() {
        List<String> holders = new ArrayList<>();
        List<List<PastUsage>> seen = replay(state(true), holders);

        double held = 100 / Math.log(2) * 0.5;
        assertThat(holders.get(0)).as("x has used more than its share").isEqualTo("b");
        assertThat(seen.get(1)).extracting(PastUsage::tenant).containsExactly("x", "y");
        assertThat(seen.get(1).get(0).slotSeconds()).isCloseTo(40, within(1e-6));
        assertThat(seen.get(1).get(1).slotSeconds()).isCloseTo(held, within(1e-6));
    }

    @Test
    void nothingCountsUnlessItIsAskedFor() {
        List<String> holders = new ArrayList<>();
        List<List<PastUsage>> seen = replay(state(false), holders);

        assertThat(holders.get(0)).isEqualTo("a");
        assertThat(seen).allSatisfy(usage -> assertThat(usage).isEmpty());
    }
}
