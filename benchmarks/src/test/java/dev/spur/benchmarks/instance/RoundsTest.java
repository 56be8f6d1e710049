package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.ladder.Program;
import dev.spur.model.check.ProblemCheck;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
    @Test
    void whoIsStoppedHoldsNothingInTheNextRound() {
        RoundProblem first =
                Instances.waiting(3, 60, 32, Program.parse("bare").get(0).features(), RoundSettings.DEFAULT);
        RoundPlan all = Policies.greedy().plan(first);
        RoundProblem running = Rounds.later(first, all, 300, first.jobs());
        RoundPlan fewer = Policies.greedy()
                .plan(running.withJobs(running.jobs().stream()
                        .filter(job -> job.allocation() == null)
                        .toList()));
        RoundProblem next = Rounds.later(running, fewer, 60, running.jobs());
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
