package dev.spur.policies.elasticflow;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.RoundSimulation;
import dev.spur.policies.SlotFixture;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ElasticFlowTest {
    private final ElasticFlow policy = new ElasticFlow("elasticflow", 60, false);

    /** Scales linearly at 100 samples/s per slot; done {@code seconds} from 1,000 on, or a deadline is missed. */
    private static JobFixture due(String id, double seconds, double work) {
        return SlotFixture.scaling(id, 1)
                .powersOfTwo()
                .work(work)
                .deadline(1000 + seconds, DeadlineStatus.PENDING)
                .restartPenalty(0);
    }

    private Map<String, Double> admissions(RoundProblem problem) {
        return policy.decide(problem).memory().counters();
    }

    @Nested
    class Admission {
        @Test
        void acceptsWhatCanBeKept() {
            RoundProblem problem = problem().nodes(4).job(due("a", 960, 3.84e5)).build();

            assertThat(admissions(problem)).containsEntry("elasticflow/admitted/a", 1.0);
        }

        @Test
        void refusesWhatIsOneRoundTooLong() {
            RoundProblem problem = problem().nodes(4).job(due("a", 959, 3.84e5)).build();

            assertThat(admissions(problem)).containsEntry("elasticflow/admitted/a", 0.0);
        }

        @Test
        void refusesANewcomerThatWouldBreakAnEarlierPromise() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(due("a", 1000, 3e5).arrival(1), due("b", 900, 3e5).arrival(2))
                    .build();

            assertThat(admissions(problem))
                    .containsEntry("elasticflow/admitted/a", 1.0)
                    .containsEntry("elasticflow/admitted/b", 0.0);
        }

        @Test
        void doesNotTakeItsWordBack() {
            RoundProblem first = problem().nodes(4).job(due("a", 960, 3.84e5)).build();
            Decision decision = policy.decide(first);
            RoundProblem next = RoundSimulation.next(first, decision, 100);

            assertThat(admissions(next)).containsEntry("elasticflow/admitted/a", 1.0);
        }
    }

    @Nested
    class TheProgram {
        private final ElasticFlow program = new ElasticFlow("elasticflow-program", 60, true);

        private Map<String, Double> admissions(RoundProblem problem) {
            return program.decide(problem).memory().counters();
        }

        @Test
        void refusesAllNewcomersOfARoundIfTheyDoNotFitTogether() {
            RoundProblem tooMuch = problem()
                    .nodes(4)
                    .jobs(due("a", 1000, 3e5).arrival(1), due("b", 900, 3e5).arrival(2))
                    .build();

            assertThat(admissions(tooMuch))
                    .containsEntry("elasticflow/admitted/a", 0.0)
                    .containsEntry("elasticflow/admitted/b", 0.0);
        }

        @Test
        void acceptsThemIfTheyDo() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(due("a", 960, 1.9e5).arrival(1), due("b", 960, 1.9e5).arrival(2))
                    .build();

            assertThat(admissions(problem))
                    .containsEntry("elasticflow/admitted/a", 1.0)
                    .containsEntry("elasticflow/admitted/b", 1.0);
        }

        @Test
        void admitsNoJobWhileAnAdmittedJobIsLate() {
            RoundProblem late = problem()
                    .nodes(4)
                    .jobs(due("late", 960, 3e5).slots(1, 2), due("new", 600, 1e4))
                    .build()
                    .withMemory(new RoundMemory(Map.of(), Map.of("elasticflow/admitted/late", 1.0)));

            assertThat(admissions(late)).containsEntry("elasticflow/admitted/new", 0.0);
            assertThat(ElasticFlowTest.this.admissions(late)).containsEntry("elasticflow/admitted/new", 1.0);
        }
    }

    @Nested
    class TheMinimumSatisfactoryShare {
        private List<SlotInterval> share(double seconds, double work) {
            RoundProblem problem =
                    problem().nodes(8).job(due("a", seconds, work)).build();
            RoundView view = RoundView.of(problem, BatchRule.USER);
            NodePartition partition = view.partitions().get(0);
            DeadlineDemand demand = DeadlineDemand.of(view, partition, 0, 1000 + seconds, 1);
            return demand.share(new Timeline(1000, 8), 1000, work).orElseThrow();
        }

        @Test
        void isTheLowestLevelThatSuffices() {
            assertThat(share(1000, 1e5)).extracting(SlotInterval::slots).containsExactly(1);
            assertThat(share(1000, 1.5e5)).extracting(SlotInterval::slots).containsExactly(2);
            assertThat(share(1000, 8e5)).extracting(SlotInterval::slots).containsExactly(8);
        }

        @Test
        void hasRoomForARestart() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .job(due("a", 960, 3.84e5).restartPenalty(30))
                    .build();
            RoundProblem smaller = problem()
                    .nodes(4)
                    .job(due("a", 960, 3.7e5).restartPenalty(30))
                    .build();

            assertThat(admissions(problem)).containsEntry("elasticflow/admitted/a", 0.0);
            assertThat(admissions(smaller)).containsEntry("elasticflow/admitted/a", 1.0);
        }

        @Test
        void leavesOutLevelsThatMakeNothingFaster() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .job(job("a").slots(1, 4).speeds(100, 90, 80, 200))
                    .build();
            RoundView view = RoundView.of(problem, BatchRule.USER);

            DeadlineDemand demand = DeadlineDemand.of(view, view.partitions().get(0), 0, 1e9, 60);

            assertThat(demand.levels()).containsExactly(1, 4);
        }

        @Test
        void isNoHigherWithTwiceTheTime() {
            Random random = new Random(6);
            for (int i = 0; i < 50; i++) {
                double seconds = 500 + random.nextInt(500);
                double work = 1e4 + random.nextInt(300_000);

                int hurried = share(seconds, work).stream()
                        .mapToInt(SlotInterval::slots)
                        .max()
                        .orElse(0);
                int patient = share(2 * seconds, work).stream()
                        .mapToInt(SlotInterval::slots)
                        .max()
                        .orElse(0);

                assertThat(patient).isLessThanOrEqualTo(hurried);
            }
        }
    }

    @Nested
    class Surplus {
        @Test
        void goesFirstToWhoHasNothing() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(due("promised", 1000, 1e5), job("best effort").slots(1, 2))
                    .build();

            assertThat(SlotFixture.of(policy, problem)).containsKeys("promised", "best effort");
        }

        @Test
        void goesWhereItWastesLeast() {
            RoundProblem problem = problem()
                    .nodes(3)
                    .jobs(
                            SlotFixture.scaling("wasteful", 0.3).powersOfTwo(),
                            SlotFixture.scaling("linear", 1).powersOfTwo())
                    .build();

            assertThat(SlotFixture.of(policy, problem)).isEqualTo(Map.of("wasteful", 1, "linear", 2));
        }
    }

    @Test
    void everyAdmittedJobMeetsItsDeadlineIfRestartsAreFree() {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            ProblemFixture fixture = problem().nodes(8);
            for (int i = 0; i < 6; i++) {
                fixture.job(due("j" + i, 600 + 60 * random.nextInt(40), 1e4 * (1 + random.nextInt(60)))
                        .arrival(i));
            }
            for (int i = 0; i < 3; i++) {
                fixture.job(SlotFixture.scaling("free" + i, 0.8).work(3e5).restartPenalty(0));
            }
            RoundProblem first = fixture.build();
            Map<String, Double> admissions = admissions(first);

            Map<String, Double> ends = RoundSimulation.ends(policy, first, 60, 60);

            first.jobs().stream()
                    .filter(job -> admissions.getOrDefault("elasticflow/admitted/" + job.id(), 0.0) == 1)
                    .forEach(job -> assertThat(ends.get(job.id()))
                            .as("seed of %s", job.id())
                            .isNotNull()
                            .isLessThanOrEqualTo(job.deadline()));
        }
    }
}
