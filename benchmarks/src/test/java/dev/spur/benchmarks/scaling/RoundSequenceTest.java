package dev.spur.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.benchmarks.instance.RoundTransition;
import dev.spur.benchmarks.scaling.RoundSequence.SequenceRound;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RoundSequenceTest {
    private static final RoundSettings SETTINGS = RoundSettings.DEFAULT.withEffort(0, new SolveBudget(2, 60, 1, 1));
    /** Longer than a restart, during which a job may not be stopped. */
    private static final int PERIOD = 300;

    private final List<RoundProblem> problems = new ArrayList<>();
    private final List<RoundPlan> plans = new ArrayList<>();

    @Test
    void eachRoundStartsFromTheAllocationsAndTheMemoryOfTheLastPlan() {
        plan(policy(problem -> Policies.spur().plan(problem)), 5);

        assertThat(problems).hasSize(5);
        for (int round = 1; round < problems.size(); round++) {
            RoundPlan last = plans.get(round - 1);
            Map<String, Allocation> given =
                    last.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
            RoundProblem problem = problems.get(round);
            assertThat(problem.memory()).isEqualTo(last.memory());
            assertThat(problem.memory().duals()).isNotEmpty();
            assertThat(problem.now()).isEqualTo(problems.get(round - 1).now() + PERIOD);
            assertThat(problem.jobs())
                    .allSatisfy(job -> assertThat(job.allocation()).isEqualTo(given.get(job.id())));
        }
    }

    @Test
    void jobsProgressEndAndArrive() {
        plan(policy(problem -> Policies.spur().plan(problem)), 5);

        List<String> first = problems.get(0).jobs().stream().map(Job::id).toList();
        List<Job> last = problems.get(4).jobs();
        assertThat(last).hasSameSizeAs(first);
        assertThat(last).extracting(Job::id).doesNotHaveDuplicates();
        assertThat(last).filteredOn(job -> !first.contains(job.id())).hasSizeBetween(1, 12);
        assertThat(last)
                .anySatisfy(job ->
                        assertThat(job.remainingSamples()).isLessThan(job.spec().totalSamples()));
    }

    @Test
    void figuresAreThoseOfThePlans() {
        RoundSequence sequence = plan(policy(problem -> Policies.spur().plan(problem)), 5);

        assertThat(sequence.rounds())
                .extracting(SequenceRound::gap)
                .containsExactlyElementsOf(
                        plans.stream().map(plan -> plan.quality().gap()).toList());
        assertThat(sequence.rounds())
                .extracting(SequenceRound::restarts)
                .containsExactly(changes(0), changes(1), changes(2), changes(3), changes(4));
    }

    @Test
    void stoppedJobsCountAsRestarts() {
        RoundSequence sequence = plan(
                policy(problem -> plans.isEmpty()
                        ? Policies.spur().plan(problem)
                        : Decision.of(problem, Map.of(), problem.memory()).plan()),
                2);

        assertThat(plans.get(0).running()).isNotEmpty();
        assertThat(sequence.rounds().get(1).restarts())
                .isEqualTo((int) problems.get(1).jobs().stream()
                        .filter(job -> job.allocation() != null)
                        .count())
                .isPositive();
    }

    @Test
    void theTableShowsDistributionAndDrift() {
        RoundSequence sequence = new RoundSequence(
                List.of(new SequenceRound(1, 0.01, 0), new SequenceRound(3, 0.02, 4), new SequenceRound(2, 0.06, 2)));

        assertThat(sequence.figures())
                .containsEntry("rounds", "3")
                .containsEntry("gap_median", "2.0000")
                .containsEntry("gap_p99", "5.9200")
                .containsEntry("gap_max", "6.0000")
                .containsEntry("gap_first_third", "1.0000")
                .containsEntry("gap_last_third", "6.0000")
                .containsEntry("seconds_median", "2.000")
                .containsEntry("seconds_max", "3.000")
                .containsEntry("restarts_mean", "2.0");
    }

    @Test
    void aRejectedPlanEndsTheSequence() {
        // the first plan runs a job that has ended, and does not mention the one that has arrived
        Policy stale = policy(problem -> plans.isEmpty() ? Policies.spur().plan(problem) : plans.get(0));

        assertThatThrownBy(() -> plan(stale, 3)).hasMessageContaining("rejects the plan");
        assertThat(plans).hasSize(2);
    }

    /** Returns the number of changes in the plan of a round to jobs that were running. */
    private int changes(int round) {
        RoundPlan plan = plans.get(round);
        Set<String> held = problems.get(round).jobs().stream()
                .filter(job -> job.allocation() != null)
                .map(Job::id)
                .collect(Collectors.toSet());
        plan.running().stream()
                .filter(planned -> planned.change() == ChangeKind.KEEP)
                .forEach(planned -> held.remove(planned.jobId()));
        return held.size();
    }

    private RoundSequence plan(Policy policy, int rounds) {
        RoundProblem first = Cases.generate(new Size(12, 16), ConstraintSet.BARE, 1, SETTINGS)
                .problem();
        return RoundSequence.plan(first, new RoundTransition(first.jobs(), PERIOD, 1), policy, rounds);
    }

    /** Returns a policy that records its rounds and its plans. */
    private Policy policy(Function<RoundProblem, RoundPlan> planner) {
        return new Policy() {
            @Override
            public String name() {
                return "recorded";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                problems.add(problem);
                RoundPlan plan = planner.apply(problem);
                plans.add(plan);
                return Decision.of(plan);
            }
        };
    }
}
