package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundTransitionTest {
    @Test
    void whoIsStoppedHoldsNothingInTheNextRound() {
        RoundProblem first = bare();
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

    @Test
    void aJobThatRunsOnLosesNoTimeToItsRestart() {
        RoundProblem first = bare();
        RoundPlan plan = Policies.greedy().plan(first);
        RoundProblem started = RoundTransition.later(first, plan, 300, first.jobs());
        RoundPlan same = Policies.greedy().plan(started);
        RoundProblem later = RoundTransition.later(started, same, 300, started.jobs());
        PlannedJob runs = same.running().stream()
                .filter(planned -> planned.change() == ChangeKind.KEEP
                        && planned.allocation().since() == first.now())
                .findFirst()
                .orElseThrow();
        Job before = job(first, runs.jobId());
        double restart = before.spec().restartPenaltySeconds();

        assertThat(before.remainingSamples() - job(started, runs.jobId()).remainingSamples())
                .isCloseTo(goodput(plan, runs.jobId()) * (300 - restart), withinPercentage(1e-6));
        assertThat(job(started, runs.jobId()).remainingSamples()
                        - job(later, runs.jobId()).remainingSamples())
                .isCloseTo(runs.goodput() * 300, withinPercentage(1e-6));
        assertThat(job(later, runs.jobId()).history().restarts()).isZero();
    }

    @Test
    void aJobThatStartsAgainCountsARestart() {
        RoundProblem first = bare();
        RoundPlan all = Policies.greedy().plan(first);
        RoundProblem running = RoundTransition.later(first, all, 300, first.jobs());
        RoundProblem stopped =
                RoundTransition.later(running, Policies.greedy().plan(running.withJobs(List.of())), 60, running.jobs());
        RoundPlan again = Policies.greedy().plan(stopped);
        RoundProblem restarted = RoundTransition.later(stopped, again, 300, stopped.jobs());
        String id = all.running().get(0).jobId();

        assertThat(again.running()).extracting(PlannedJob::jobId).contains(id);
        assertThat(job(stopped, id).history().restarts()).isZero();
        assertThat(job(restarted, id).history().restarts()).isEqualTo(1);
    }

    @Test
    void asManyJobsArriveAsEnd() {
        RoundProblem first = bare();
        RoundPlan plan = Policies.greedy().plan(first);

        RoundTransition transition = new RoundTransition(first.jobs(), 60, 1);
        RoundProblem next = transition.next(first, plan);
        RoundProblem after = transition.next(next, Policies.greedy().plan(next));

        assertThat(next.now()).isEqualTo(first.now() + 60);
        assertThat(next.jobs()).hasSameSizeAs(first.jobs());
        assertThat(next.jobs()).filteredOn(job -> job.arrival() > first.now()).hasSize(1);
        assertThat(next.memory()).isEqualTo(plan.memory());
        assertThat(ProblemCheck.violations(after)).isEmpty();
    }

    @Test
    void allJobsWithoutWorkEnd() {
        RoundProblem first = bare();
        RoundPlan plan = Policies.greedy().plan(first);

        RoundProblem next = new RoundTransition(first.jobs(), 1e9, 1).next(first, plan);

        assertThat(plan.running()).hasSizeGreaterThan(2);
        assertThat(next.jobs())
                .hasSameSizeAs(first.jobs())
                .extracting(Job::id)
                .doesNotContainAnyElementsOf(
                        plan.running().stream().map(PlannedJob::jobId).toList());
    }

    private static RoundProblem bare() {
        return InstanceGenerator.waiting(3, 60, 32, Set.of(), RoundSettings.DEFAULT);
    }

    private static Job job(RoundProblem problem, String id) {
        return problem.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static double goodput(RoundPlan plan, String id) {
        return plan.running().stream()
                .filter(planned -> planned.jobId().equals(id))
                .findFirst()
                .orElseThrow()
                .goodput();
    }
}
