package dev.spur.policies.shockwave;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.policies.RoundSimulation;
import dev.spur.policies.SlotFixture;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShockwaveTest {
    private static final Policy SHOCKWAVE = new Shockwave("shockwave", ShockwaveSettings.DEFAULT);

    @Test
    void theStraightLogarithmIsTheLogarithmAtItsBases() {
        for (double base : new double[] {0.2, 0.4, 0.6, 0.8, 1}) {
            assertThat(WindowProgram.logarithm(base)).isCloseTo(Math.log(base), within(1e-12));
        }
        assertThat(WindowProgram.logarithm(0.3)).isCloseTo((Math.log(0.2) + Math.log(0.4)) / 2, within(1e-12));
    }

    private static Map<Integer, Integer> rounds(RoundProblem problem, ShockwaveSettings settings) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        NodePartition partition = view.partitions().get(0);
        List<Integer> jobs = IntStream.range(0, view.jobs()).boxed().toList();
        return new WindowProgram(view, partition, jobs, partition.slots(), settings).solve();
    }

    @Test
    void equalJobsShareTheWindow() {
        RoundProblem problem =
                problem().nodes(1).jobs(job("a").work(1e6), job("b").work(1e6)).build();

        Map<Integer, Integer> rounds = rounds(problem, new ShockwaveSettings(20, 120, 1e-3, 0, false));

        assertThat(rounds.get(0) + rounds.get(1)).isEqualTo(20);
        assertThat(rounds.get(0)).isBetween(8, 12);
    }

    @Test
    void moreWeightOfTheLongestRestNeverLengthensIt() {
        RoundProblem problem = problem()
                .nodes(1)
                .jobs(job("long").work(2e6), job("short").work(2.4e5))
                .build();
        double before = Double.POSITIVE_INFINITY;
        for (double factor : new double[] {0, 1e-6, 1e-4, 1}) {
            Map<Integer, Integer> rounds = rounds(problem, new ShockwaveSettings(20, 120, factor, 0, false));

            double rest = Math.max(2e4 - 120 * rounds.get(0), 2.4e3 - 120 * rounds.get(1));
            assertThat(rest).isLessThanOrEqualTo(before + 1e-6);
            before = rest;
        }
    }

    @Test
    void noSlotIsIdleWhileAJobThatFitsWaits() {
        RoundProblem problem = problem()
                .nodes(4)
                .jobs(job("a").slots(2), job("b"), job("c"), job("d").slots(2))
                .build();

        int used = SlotFixture.of(SHOCKWAVE, problem).values().stream()
                .mapToInt(k -> k)
                .sum();

        assertThat(used).isEqualTo(4);
    }

    @Test
    void theWindowIsKeptUntilJobsComeOrGo() {
        RoundProblem first =
                problem().nodes(1).jobs(job("a").work(1e7), job("b").work(1e7)).build();
        Decision decision = SHOCKWAVE.decide(first);
        RoundProblem next = RoundSimulation.next(first, decision, 120);

        Decision second = SHOCKWAVE.decide(next);
        Decision anew = SHOCKWAVE.decide(next.withJobs(next.jobs().subList(0, 1)));

        assertThat(second.memory().counters()).containsEntry("shockwave/until", 3400.0);
        assertThat(anew.memory().counters()).containsEntry("shockwave/until", 3520.0);
    }

    @Test
    void aWindowIsPlannedWhateverTheBudgetOfTheSolver() {
        JobFixture[] jobs = IntStream.range(0, 120)
                .mapToObj(i -> job("j" + i).work(1e5 + 7e3 * i))
                .toArray(JobFixture[]::new);
        RoundProblem problem = problem()
                .nodes(32)
                .jobs(jobs)
                .budget(new SolveBudget(1e-6, 600, 1, 1))
                .build();

        Map<Integer, Integer> rounds = rounds(problem, ShockwaveSettings.DEFAULT);

        assertThat(rounds.values().stream().mapToInt(n -> n).sum()).isEqualTo(32 * 20);
    }

    @Test
    void whoIsLateByTheClockAndNearlyDoneGoesFirst() {
        RoundProblem problem = problem()
                .nodes(1)
                .jobs(job("ending").work(3e4).remaining(5e3), job("later").work(3e4))
                .build();

        assertThat(rounds(problem, new ShockwaveSettings(1, 120, 0, 1, false)))
                .containsExactly(entry(0, 0), entry(1, 1));
        assertThat(rounds(problem, new ShockwaveSettings(1, 120, 0, 1, true)))
                .containsExactly(entry(0, 1), entry(1, 0));
    }

    @Test
    void latenessIsSinceTheArrivalOrByTheClock() {
        RoundProblem problem = problem()
                .nodes(1)
                .jobs(job("a").arrival(500).work(1e5).remaining(5e4), job("b").slots(3))
                .build();
        RoundView view = RoundView.of(problem, BatchRule.USER);
        NodePartition partition = view.partitions().get(0);
        double seconds = 1e5 / view.goodput(0, partition, 1);

        double sinceArrival = WindowProgram.lateness(view, partition, List.of(0, 1), 0, false);
        double byClock = WindowProgram.lateness(view, partition, List.of(0, 1), 0, true);

        double now = view.now();
        assertThat(sinceArrival).isCloseTo((now - 500 + 2 * seconds) / (4 * seconds), within(1e-9));
        assertThat(byClock).isCloseTo((now + seconds) / (500 + 2 * seconds), within(1e-9));
    }
}
