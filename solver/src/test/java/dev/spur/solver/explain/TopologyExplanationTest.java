package dev.spur.solver.explain;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.job.TopologyRequest.Policy;
import dev.spur.model.round.IdleReason;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two racks of two nodes with four slots each; a job that is not preemptible holds one node of each rack. */
class TopologyExplanationTest {
    private static RoundProblem round(JobFixture asking, TopologyRequest topology) {
        RoundProblem whole = problem()
                .node(node("n1", 4).rack("r1"))
                .node(node("n2", 4).rack("r1"))
                .node(node("n3", 4).rack("r2"))
                .node(node("n4", 4).rack("r2"))
                .jobs(
                        job("holder")
                                .slots(8)
                                .notPreemptible()
                                .holding(allocation(1000, piece("n1", 0, 4), piece("n3", 0, 4))),
                        asking)
                .build();
        return whole.withJobs(whole.jobs().stream()
                .map(each -> each.id().equals("holder")
                        ? each
                        : each.withSpec(each.spec()
                                .edit()
                                .elasticity(each.spec().elasticity().withTopology(topology))
                                .build()))
                .toList());
    }

    private static TopologyRequest rack(Policy policy) {
        return new TopologyRequest(TopologyLevel.RACK, policy, null);
    }

    @Test
    void aGangThatFitsOnlyAcrossRacksWaitsForTheTopology() {
        RoundPlan plan = Policies.spur().plan(round(job("gang").slots(8), rack(Policy.REQUIRE)));

        PendingJob pending = plan.waiting().get(0);
        assertThat(pending.reason()).isEqualTo(PendingReason.TOPOLOGY);
        assertThat(pending.message())
                .endsWith("in one rack, and fits only across several; the rack that is nearest has 4 free.");
        assertThat(plan.stats().idleSlots().get(0).jobs())
                .anySatisfy(cause -> assertThat(cause.reason()).isEqualTo(IdleReason.TOPOLOGY));
    }

    @Test
    void aGangThatPrefersARackRunsAcrossRacksAtALowerSpeed() {
        RoundPlan plan = Policies.spur().plan(round(job("gang").slots(8), rack(Policy.PREFER)));

        PlannedJob gang = running(plan, "gang");
        assertThat(gang.allocation().configuration().crossings()).isEqualTo(1);
        assertThat(gang.message()).contains(" Its nodes are not in one rack: it counts as 10.0 % slower.");
    }

    @Test
    void theReasonOfAGangThatNoRackHoldsStatesTheLargest() {
        RoundPlan plan = Policies.spur().plan(round(job("gang").slots(12), rack(Policy.REQUIRE)));

        assertThat(plan.waiting().get(0).message())
                .contains("The largest possible gang is 8 slots of")
                .contains("in one rack (2 × 4)");
    }

    @Test
    void aGangPrefersTheRackThatHoldsIt() {
        RoundProblem whole = round(job("gang").slots(8), rack(Policy.PREFER));
        RoundProblem free = whole.withJobs(List.of(whole.jobs().get(1)));

        assertThat(running(Policies.spur().plan(free), "gang")
                        .allocation()
                        .configuration()
                        .crossings())
                .isNull();
    }

    private static PlannedJob running(RoundPlan plan, String id) {
        return plan.running().stream()
                .filter(planned -> planned.jobId().equals(id))
                .findAny()
                .orElseThrow();
    }
}
