package dev.spur.simulator.eta;

import static dev.spur.model.PreparationFixture.preparation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.Problems;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.replay.Rollout;
import dev.spur.simulator.replay.RoundSpacing;
import dev.spur.solver.dataprep.PreparationPlanner;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Forecasts of preparations and of the jobs that wait for them, on one node with 64 CPUs and 512 GiB. */
class PreparationForecastTest {
    private static final double NOW = 10_000;
    private static final double FAR = NOW + 1e6;

    private static RoundProblem problem(Preparation... preparations) {
        return Problems.problem(List.of(Problems.node("n1", 4)), List.of())
                .at(NOW)
                .withPreparations(List.of(preparations));
    }

    @Nested
    class OneCourse {
        private Rollout course(RoundProblem problem, Map<String, Double> stretches, double until) {
            PreparationPlan plan = PreparationPlanner.plan(problem, Map.of());
            return PreparationRollout.replay(problem, Map.of(), plan, stretches, until, () -> true);
        }

        @Test
        void whatRunsEndsAfterItsWorkAtItsSpeed() {
            RoundProblem problem = problem(
                    preparation("p").workingSet(512).seconds(600).on("n1", 256).build());
            double slowDown = problem.preparations().get(0).spec().slowDown(512, 0);

            Rollout rollout = course(problem, Map.of("p", 2.0), FAR);

            assertThat(rollout.timesById().get("p").ended()).isCloseTo(NOW + 1200 * slowDown, within(1e-6));
            assertThat(rollout.timesById().get("p").started()).isNull();
        }

        @Test
        void whatWaitsStartsWhenThereIsRoom() {
            RoundProblem problem = problem(
                    preparation("p").cpus(40).seconds(600).on("n1", 32).build(),
                    preparation("q").cpus(40).seconds(300).build());

            Rollout rollout = course(problem, Map.of(), FAR);

            assertThat(rollout.timesById().get("q").started()).isCloseTo(NOW + 600, within(1e-6));
            assertThat(rollout.timesById().get("q").ended()).isCloseTo(NOW + 900, within(1e-6));
            assertThat(rollout.rounds()).isEqualTo(1);
        }

        @Test
        void whatLiesBeyondTheEndIsNotKnown() {
            RoundProblem problem =
                    problem(preparation("p").seconds(600).on("n1", 32).build());

            Rollout rollout = course(problem, Map.of(), NOW + 599);

            assertThat(rollout.timesById()).doesNotContainKey("p");
            assertThat(rollout.reached()).isEqualTo(NOW + 599);
        }

        @Test
        void itIsCutWhereNoJobNeedsIt() {
            RoundProblem problem = problem(
                    preparation("p").cpus(40).seconds(600).on("n1", 32).build(),
                    preparation("q").cpus(40).seconds(300).build());

            Rollout rollout = PreparationRollout.replay(
                    problem, Map.of(), PreparationPlanner.plan(problem, Map.of()), Map.of(), FAR, () -> false);

            assertThat(rollout.reached()).isCloseTo(NOW + 600, within(1e-6));
            assertThat(rollout.timesById()).doesNotContainKey("q");
        }
    }

    @Nested
    class AJobThatAwaitsData {
        private final Job job = Problems.job("job", 1, 4);
        private final RoundProblem problem =
                problem(preparation("p").seconds(3600).on("n1", 32).build());

        private Forecast forecast(List<String> awaited) {
            var settings = new ForecastSettings(9, 86_400, 60, new RoundSpacing(10, 0.1, 0), 500, 1);
            Decision decision = Decision.of(Policies.greedy().plan(problem));
            Forecast forecast = new Forecaster(Policies.greedy(), settings, () -> 0)
                    .forecast(
                            problem,
                            decision,
                            ForecastHistory.UNKNOWN,
                            List.of(new BlockedJob(
                                    job,
                                    null,
                                    awaited.stream()
                                            .map(id -> new JobDependency(id, DependencyCondition.SUCCEEDED))
                                            .toList())),
                            () -> true);
            assertThat(forecast).isNotNull();
            return forecast;
        }

        @Test
        void startsWhenThatIsThere() {
            Forecast forecast = forecast(List.of("p"));

            SimulatedEta data = forecast.preparations().get(0);
            SimulatedEta training = forecast.jobs().get(0);
            assertThat(data.start()).isNull();
            assertThat(data.end().median()).isBetween(NOW + 1800, NOW + 7200);
            assertThat(training.jobId()).isEqualTo("job");
            assertThat(training.start().median() - NOW)
                    .isBetween(data.end().median() - NOW - 60, 1.5 * (data.end().median() - NOW));
            assertThat(training.end().median()).isGreaterThan(training.start().median());
        }

        @Test
        void isNotExpectedWhereThatNeverComes() {
            SimulatedEta training = forecast(List.of("p", "unknown")).jobs().get(0);

            assertThat(training.start().low()).isNull();
            assertThat(training.end().low()).isNull();
        }
    }
}
