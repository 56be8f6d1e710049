package dev.spur.solver.aggregation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.aggregation.AggregationRemedy.Kind;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Synchronization;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AggregatorsCheck;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.policy.Policies;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RemediedLayoutTest {
    /** No two jobs fit on one aggregator: any stall is too long. */
    private static final AggregationSettings STRICT = new AggregationSettings(true, 0.9, 1e-4, 0.05, 5e8);

    /** A job that keeps its aggregation slot busy for a tenth of its step of 0.64 s. */
    private static JobFixture served(String id, boolean allReduce) {
        return job(id).slots(1)
                .served(1)
                .synchronization(new Synchronization(allReduce, true, 1, 1, 0.1 * 0.64 * STRICT.bytesPerSecond()));
    }

    private static RoundProblem twoJobs(int cpus, AggregationSettings settings, boolean allReduce) {
        return problem()
                .node(node("n1", 8).cpus(cpus).aggregation(cpus))
                .aggregation(settings)
                .jobs(served("a", allReduce), served("b", allReduce))
                .build();
    }

    private static Map<String, Allocation> allocations(RoundPlan plan) {
        return plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
    }

    private static RemediedLayout of(RoundProblem round, boolean isPlanKnown) {
        RoundPlan plan = Policies.spur().plan(round);
        assertThat(PlanCheck.violations(round, plan)).isEmpty();
        assertThat(allocations(plan)).hasSize(2);
        RemediedLayout remedied =
                RemediedLayout.of(round, isPlanKnown ? plan : null, allocations(plan), AggregationLayout.NONE);
        assertThat(AggregatorsCheck.violations(remedied.problem(), allocations(plan), remedied.layout()))
                .isEmpty();
        return remedied;
    }

    @Test
    void needsNoRemedyWithinTheLimits() {
        RoundProblem round = twoJobs(1, AggregationSettings.DEFAULT, true);

        RemediedLayout remedied = of(round, true);

        assertThat(remedied.remedies()).isEmpty();
        assertThat(remedied.problem()).isEqualTo(round);
        assertThat(remedied.layout().aggregators()).hasSize(1);
    }

    @Test
    void givesAJobWithoutRoomFreeCpusOfItsOwn() {
        RemediedLayout remedied = of(twoJobs(2, STRICT, true), true);

        assertThat(remedied.remedies()).extracting(AggregationRemedy::kind).containsExactly(Kind.OWN_CPUS);
        assertThat(remedied.layout().overloadedPools()).isEmpty();
        assertThat(remedied.layout().aggregators()).hasSize(2).allMatch(a -> a.cpus() == 1);
    }

    @Test
    void plansAJobWithAllReduceWhereNoCpusAreFree() {
        RemediedLayout remedied = of(twoJobs(1, STRICT, true), true);

        assertThat(remedied.remedies()).extracting(AggregationRemedy::kind).containsExactly(Kind.ALL_REDUCE);
        assertThat(remedied.layout().overloadedPools()).containsExactly("main");
        assertThat(remedied.layout().unfitJobs())
                .containsExactly(remedied.remedies().get(0).jobId());
    }

    @Test
    void statesThatAJobHasNoRemedy() {
        assertThat(of(twoJobs(1, STRICT, false), true).remedies())
                .extracting(AggregationRemedy::kind)
                .containsExactly(Kind.NONE);
    }

    @Test
    void countsOnNoFreeCpusWithoutThePlan() {
        assertThat(of(twoJobs(2, STRICT, true), false).remedies())
                .extracting(AggregationRemedy::kind)
                .containsExactly(Kind.ALL_REDUCE);
    }
}
