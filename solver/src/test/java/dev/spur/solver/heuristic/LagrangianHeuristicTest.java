package dev.spur.solver.heuristic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.NodeRequirement.Operator;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.relaxation.ColumnGeneration;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.RelaxationLevel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two nodes of four slots: a job runs on three slots of the first, and one with a commitment waits for four. */
class LagrangianHeuristicTest {
    @Test
    void aJobWithACommitmentTakesNoSlotsOfAJobThatMayNotRestart() {
        CouplingConstraints constraints = rows(round().maxRestarts(0));

        PlanState plan = readOff(constraints);

        assertThat(constraints.restarts().restarts(plan.choice())).isZero();
        assertThat(plan.nodesOf(1)).containsExactly(1);
    }

    @Test
    void aJobWithACommitmentTakesNoSlotsOfAJobThatCanStay() {
        CouplingConstraints constraints = rows(round());

        PlanState plan = readOff(constraints);

        assertThat(plan.choiceOf(0)).isEqualTo(constraints.candidates().retainedCandidate(0));
        assertThat(plan.nodesOf(1)).containsExactly(1);
    }

    @Test
    void aJobWithACommitmentTakesTheSlotsOfAnotherWhereNoOthersSuffice() {
        CouplingConstraints constraints =
                rows(problem().nodes(4).jobs(running(), job("waiting").slots(4)));

        assertThat(readOff(constraints).choiceOf(1)).isNotNegative();
    }

    @Test
    void jobsWithACommitmentStayAsInAKnownPlanWhereNoOrderServesAll() {
        RoundProblem alike = problem()
                .nodes(4, 4)
                .jobs(job("any").slots(4), job("first").slots(4))
                .build();
        Job first = alike.jobs().get(1);
        NodeRequirement requirement = new NodeRequirement("spur/node", Operator.IN, List.of("n1"));
        CandidateSet candidates = CandidateGenerator.generate(alike.withJobs(List.of(
                alike.jobs().get(0),
                first.withSpec(first.spec()
                        .edit()
                        .elasticity(first.spec().elasticity().withNodes(List.of(requirement)))
                        .build()))));
        CouplingConstraints constraints = CouplingConstraintsBuilder.of(
                candidates,
                List.of(
                        new Obligation(0, List.of(candidates.first(0))),
                        new Obligation(1, List.of(candidates.first(1)))),
                RelaxationLevel.TENANTS);
        int[] choice = {candidates.first(0), candidates.first(1)};
        PlanState knownPlan =
                PlanState.of(constraints, new PartialPlacement(choice, Map.of(0, List.of(1), 1, List.of(0))));

        assertThat(readOff(constraints, nothing(constraints), 0).choice()).contains(-1);
        assertThat(readOff(constraints, knownPlan, 0).choice()).isEqualTo(choice);
    }

    private static ProblemFixture round() {
        return problem().nodes(4, 4).jobs(running(), job("waiting").slots(4));
    }

    private static JobFixture running() {
        return job("running").slots(3).on("n1", 3);
    }

    private static CouplingConstraints rows(ProblemFixture round) {
        CandidateSet candidates = CandidateGenerator.generate(round.build());
        List<Integer> any =
                IntStream.range(candidates.first(1), candidates.end(1)).boxed().toList();
        return CouplingConstraintsBuilder.of(candidates, List.of(new Obligation(1, any)), RelaxationLevel.TENANTS);
    }

    private static PlanState readOff(CouplingConstraints constraints) {
        return readOff(constraints, nothing(constraints), 60);
    }

    private static PlanState nothing(CouplingConstraints constraints) {
        int[] waiting = new int[constraints.jobs()];
        Arrays.fill(waiting, -1);
        return PlanState.of(constraints, PartialPlacement.withoutPlaces(waiting));
    }

    private static PlanState readOff(CouplingConstraints constraints, PlanState knownPlan, int passes) {
        DualSolution dual = ColumnGeneration.search(
                constraints, List.of(new double[constraints.rows().size()]), passed -> 1e-6, passes, () -> false);
        return LagrangianHeuristic.readOff(
                constraints.candidates(), constraints, dual, dual.roundedChoice(), knownPlan);
    }
}
