package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DivingHeuristicTest {
    private final CouplingConstraints constraints = CouplingConstraintsBuilder.of(
            CandidateGenerator.generate(problem()
                    .nodes(4)
                    .group("g", 3, null)
                    .jobs(job("a").group("g"), job("b").group("g"))
                    .build()),
            List.of(),
            RelaxationLevel.PATTERNS);

    /** Row of the cap of three slots. */
    private final int cap = constraints.rows().stream()
            .map(CouplingConstraints.Row::key)
            .toList()
            .indexOf(new ResourceKey.GroupSlots("g"));

    @Test
    void oneBlockGivesWayToAnotherWhereBothDoNotFit() {
        RestrictedMaster master = new RestrictedMaster(constraints, 2);
        master.limitPrice(cap, 0, 10);

        int[] rounded = DivingHeuristic.of(
                master,
                List.of(choices(master, 0, new int[] {2, 1}, 2, 0.9), choices(master, 1, new int[] {2, 1}, 2, 1.2)),
                new int[] {-1, -1});

        assertThat(rounded).containsExactly(2, 1);
    }

    @Test
    void aBlockBetweenTwoChoicesMakesThatOfTheLargerShare() {
        RestrictedMaster master = new RestrictedMaster(constraints, 2);
        master.limitPrice(cap, 0, 10);

        int[] rounded = DivingHeuristic.of(
                master,
                List.of(
                        choices(master, 0, new int[] {3, 1, 0}, 3, 1.8, 0),
                        choices(master, 1, new int[] {3, 0}, 2.9, 0)),
                new int[] {-1, -1});

        assertThat(rounded).containsExactly(1, 3);
    }

    @Test
    void aJobWhoseBlockHasNoChoiceGetsTheOtherOne() {
        RestrictedMaster master = new RestrictedMaster(constraints, 1);
        master.limitPrice(cap, 0, 10);

        int[] rounded = DivingHeuristic.of(master, List.of(choices(master, 0, new int[] {1}, 1)), new int[] {-1, 7});

        assertThat(rounded).containsExactly(1, 7);
    }

    /** Choices of the block of job {@code j}: candidates named after the slots that they use of the cap. */
    private List<DivingHeuristic.WeightedColumn> choices(RestrictedMaster master, int j, int[] slots, double... worth) {
        Subproblem subproblem = new OneJob(j);
        List<DivingHeuristic.WeightedColumn> columns = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            double[] use = new double[constraints.rows().size()];
            use[cap] = slots[i];
            Column answer = Column.of(0, worth[i], use, new int[] {slots[i]});
            columns.add(new DivingHeuristic.WeightedColumn(subproblem, master.addColumn(j, worth[i], use), answer));
        }
        return columns;
    }

    private record OneJob(int job) implements Subproblem {
        @Override
        public Column solve(double[] prices, int maxStates) {
            return Column.nothing(0);
        }

        @Override
        public int[] jobs() {
            return new int[] {job};
        }

        @Override
        public void writeDecisions(DualDecisions decisions) {
            decisions.choose(job, -1);
        }
    }
}
