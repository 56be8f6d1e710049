package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Problems;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.replay.RoundSpacing;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forecasts of training jobs that wait for others, on a node with free slots for all of them. */
class DependentJobForecastTest {
    private static final double NOW = 10_000;

    private final Job first = Problems.job("first", 1, 1);
    private final RoundProblem problem =
            Problems.problem(List.of(Problems.node("n1", 4)), List.of(first)).at(NOW);

    private static BlockedJob after(String id, String other, DependencyCondition condition) {
        return new BlockedJob(Problems.job(id, 1, 1), null, List.of(new JobDependency(other, condition)));
    }

    private List<SimulatedEta> forecast(BlockedJob... blockedJobs) {
        Forecast forecast = new Forecaster(
                        Policies.greedy(),
                        new ForecastSettings(3, 864_000, 60, new RoundSpacing(10, 0.1, 0), 500, 1),
                        () -> 0)
                .forecast(
                        problem,
                        Decision.of(Policies.greedy().plan(problem)),
                        ForecastHistory.UNKNOWN,
                        List.of(blockedJobs),
                        () -> true);
        assertThat(forecast).isNotNull();
        return forecast.jobs();
    }

    @Test
    void aChainStartsOneAfterTheOther() {
        List<SimulatedEta> etas = forecast(
                after("third", "second", DependencyCondition.ENDED),
                after("second", "first", DependencyCondition.SUCCEEDED));

        assertThat(etas).extracting(SimulatedEta::jobId).containsExactly("first", "third", "second");
        SimulatedEta third = etas.get(1);
        SimulatedEta second = etas.get(2);
        assertThat(second.start().median())
                .isGreaterThanOrEqualTo(etas.get(0).end().median() - 60);
        assertThat(third.start().median()).isGreaterThan(second.start().median());
        assertThat(third.start().low()).isGreaterThan(NOW);
    }

    @Test
    void aJobStartsSoonAfterTheStartOfAnother() {
        List<SimulatedEta> etas = forecast(
                after("second", "first", DependencyCondition.SUCCEEDED),
                after("third", "second", DependencyCondition.STARTED));

        assertThat(etas.get(2).start().median())
                .isBetween(etas.get(1).start().median(), etas.get(1).end().median());
    }

    @Test
    void aJobAfterAHeldOneIsNotExpected() {
        List<SimulatedEta> etas = forecast(
                after("second", "held", DependencyCondition.ENDED),
                after("third", "second", DependencyCondition.ENDED));

        assertThat(etas.get(1).start().low()).isNull();
        assertThat(etas.get(2).start().low()).isNull();
    }

    @Test
    void aJobStartsSoonAfterItsTime() {
        double time = NOW + 5_000;
        List<SimulatedEta> etas = forecast(
                new BlockedJob(Problems.job("late", 1, 1), time, List.of()),
                new BlockedJob(
                        Problems.job("both", 1, 1),
                        NOW + 1,
                        List.of(new JobDependency("late", DependencyCondition.STARTED))));

        assertThat(etas.get(1).start().low()).isGreaterThanOrEqualTo(time);
        assertThat(etas.get(1).start().median()).isBetween(time, time + 1200);
        assertThat(etas.get(2).start().low()).isGreaterThanOrEqualTo(time);
    }
}
