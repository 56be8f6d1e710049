package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTransitionTest {
    @Test
    void whoIsStoppedHoldsNothingInTheNextRound() {
        RoundProblem first = InstanceGenerator.waiting(
                3, 60, 32, ConstraintSet.parse("bare").get(0).features(), RoundSettings.DEFAULT);
        RoundPlan all = Policies.greedy().plan(first);
        RoundProblem running = RoundTransition.later(first, all, 300, first.jobs());
        RoundPlan fewer = Policies.greedy()
                .plan(running.withJobs(running.jobs().stream()
                        .filter(job -> job.allocation() == null)
                        .toList()));
        RoundProblem next = RoundTransition.later(running, fewer, 60, running.jobs());
        List<String> stopped = running.jobs().stream()
                .filter(job -> job.allocation() != null)
                .map(Job::id)
                .toList();

        assertThat(stopped).isNotEmpty();
        assertThat(ProblemCheck.violations(next)).isEmpty();
        assertThat(next.jobs())
                .filteredOn(job -> stopped.contains(job.id()))
                .allMatch(job -> job.allocation() == null)
                .allMatch(job -> job.history().waitingSince() == running.now());
    }
}
