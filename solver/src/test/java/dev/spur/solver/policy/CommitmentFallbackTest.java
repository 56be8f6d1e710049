package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.solve.SolveResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Commitments that no plan meets together: which ones the next solve keeps. */
class CommitmentFallbackTest {
    private final List<Set<String>> required = new ArrayList<>();

    /** Returns the jobs that run in the end if the solves run {@code plans} in turn. */
    private Set<String> decide(List<Set<String>> plans) {
        Deque<Set<String>> left = new ArrayDeque<>(plans);
        Solver solver = (candidates, obligations, startPlacement, budget, steps) -> {
            required.add(Set.copyOf(obligations.stream()
                    .map(obligation -> candidates.job(obligation.job()).id())
                    .toList()));
            return result(candidates, left.size() > 1 ? left.remove() : left.element());
        };
        return Policies.of("test", solver).decide(problem()).allocations().keySet();
    }

    private static RoundProblem problem() {
        return ProblemFixture.problem()
                .nodes(4)
                .job(urgent("guaranteed", DeadlineStatus.GUARANTEED))
                .job(urgent("met", DeadlineStatus.PENDING))
                .job(urgent("unmet", DeadlineStatus.PENDING))
                .build();
    }

    private static JobFixture urgent(String id, DeadlineStatus deadlineStatus) {
        return JobFixture.job(id).slots(1).work(100).deadline(9e9, deadlineStatus);
    }

    private static SolveResult result(CandidateSet candidates, Set<String> running) {
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        for (int j = 0; j < choice.length; j++) {
            if (running.contains(candidates.job(j).id())) {
                choice[j] = candidates.first(j);
            }
        }
        return SolveResult.withoutBound(Placer.place(candidates, choice), true);
    }

    @Test
    void secondSolveKeepsWhatTheFirstPlanMeetsAndTheGuarantees() {
        assertThat(decide(List.of(Set.of("met"), Set.of("met", "guaranteed")))).containsOnly("met", "guaranteed");

        assertThat(required).containsExactly(Set.of("guaranteed", "met", "unmet"), Set.of("guaranteed", "met"));
    }

    @Test
    void thirdSolveKeepsTheGuaranteesAlone() {
        assertThat(decide(List.of(Set.of("met"), Set.of("met"), Set.of("guaranteed"))))
                .containsOnly("guaranteed");

        assertThat(required)
                .containsExactly(
                        Set.of("guaranteed", "met", "unmet"), Set.of("guaranteed", "met"), Set.of("guaranteed"));
    }

    @Test
    void lastSolveKeepsWhatAPlanMeets() {
        decide(List.of(Set.of("met")));

        assertThat(required)
                .containsExactly(
                        Set.of("guaranteed", "met", "unmet"),
                        Set.of("guaranteed", "met"),
                        Set.of("guaranteed"),
                        Set.of("met"));
    }
}
