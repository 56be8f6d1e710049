package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Twenty jobs of 1 to 128 slots run on a node each, another node is free, and ten jobs of one slot are overdue. Their
 * candidates are more than an integer program decides in a round.
 */
class CommitmentSelectionTest {
    private static final int RUNNING = 20;
    private static final int OVERDUE = 10;
    private static final double[] SPEEDS =
            IntStream.rangeClosed(1, 128).mapToDouble(Math::sqrt).toArray();

    @Test
    void allOverdueJobsStartWhereJobsMayRestart() {
        assertThat(selected(round())).hasSize(OVERDUE).allMatch(id -> id.startsWith("overdue"));
    }

    @Test
    void overdueJobsStartOnFreeSlotsOnlyWhereRestartsAreLimited() {
        assertThat(selected(round().maxRestarts(5))).hasSize(8).allMatch(id -> id.startsWith("overdue"));
    }

    @Test
    void aGuaranteePrecedesOverdueJobs() {
        ProblemFixture round = round().maxRestarts(5)
                .job(job("guaranteed")
                        .slots(4)
                        .speeds(1, 2, 3, 4)
                        .work(4_000)
                        .deadline(20_000, DeadlineStatus.GUARANTEED));

        assertThat(selected(round)).hasSize(5).contains("guaranteed");
    }

    private static ProblemFixture round() {
        int[] slots = new int[RUNNING + 1];
        Arrays.fill(slots, 8);
        ProblemFixture round = problem().now(10_000).nodes(slots).starvationLimit(1_000);
        IntStream.rangeClosed(1, RUNNING)
                .forEach(i -> round.job(
                        job("running-" + i).slots(1, 128).speeds(SPEEDS).on("n" + i, 8)));
        IntStream.range(0, OVERDUE)
                .forEach(i -> round.job(job("overdue-" + i).slots(1).waitingSince(i)));
        return round;
    }

    private static List<String> selected(ProblemFixture round) {
        CandidateSet candidates = CandidateGenerator.generate(round.build());
        assertThat(candidates.size()).isGreaterThan(2_000);
        CommitmentSelection selection =
                new CommitmentSelection(candidates, new RemainingBudget(SolveBudget.DEFAULT, () -> 0));
        return selection.select(List.of(), j -> true).stream()
                .map(Obligation::job)
                .map(j -> candidates.job(j).id())
                .toList();
    }
}
