package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the judge asks of nodes that are worked on. It is 1,000; jobs do 100 samples/s, restarts take 30 s, nodes drain
 * for 60 s.
 */
class MaintenanceRuleTest {
    private static final String RULE = "jobsLeaveBeforeMaintenance";
    private static final Allocation HERE = allocation(1000, piece("n1", 0, 1));

    private static RoundProblem before(double start, JobFixture job) {
        return problem()
                .nodes(4, 4)
                .maintenance(start, start + 500, "n1")
                .job(job)
                .build();
    }

    private static List<String> broken(RoundProblem problem) {
        return plan(problem).run("a", HERE).brokenRules();
    }

    @Nested
    class AJobThatComes {
        @ParameterizedTest
        @CsvSource({"1130, true", "1129, false"})
        void isDoneByTheStart(double start, boolean allowed) {
            assertThat(broken(before(start, job("a").remaining(10_000).notPreemptible()))
                            .isEmpty())
                    .as("30 s to start and 100 s of work")
                    .isEqualTo(allowed);
        }

        @ParameterizedTest
        @CsvSource({"1130, true", "1129, false"})
        void orReachesItsTimeLimitBefore(double start, boolean allowed) {
            JobFixture endless = job("a").remaining(1e9).notPreemptible();

            assertThat(broken(before(start, endless))).containsExactly(RULE);
            assertThat(broken(before(start, endless.timeLimit(TimeLimit.ofStart(100))))
                            .isEmpty())
                    .as("100 s of run time and 30 s to stop")
                    .isEqualTo(allowed);
        }

        @ParameterizedTest
        @CsvSource({"1261, 200, 30, true", "1260, 200, 30, false", "1601, 0, 200, true", "1600, 0, 200, false"})
        void orHasHadItsProtectedTimeWhenItMustLeave(double start, double minRun, double restart, boolean allowed) {
            JobFixture job = job("a").minRun(minRun).restartPenalty(restart);

            assertThat(broken(before(start, job)).isEmpty()).isEqualTo(allowed);
        }

        @Test
        void andCanLeaveAtAll() {
            assertThat(broken(before(9000, job("a").notPreemptible()))).containsExactly(RULE);
            assertThat(broken(before(9000, job("a")))).isEmpty();
        }

        @Test
        void doesNotComeWhileTheNodeIsWorkedOn() {
            assertThat(broken(before(1000, job("a").remaining(1)))).contains(RULE);
            assertThat(broken(before(500, job("a").remaining(1))))
                    .as("the end is exclusive")
                    .isEmpty();
        }
    }

    @Nested
    class AJobThatIsThere {
        @ParameterizedTest
        @CsvSource({"1061, 30, true", "1060, 30, false", "1201, 200, true", "1200, 200, false"})
        void leavesAheadOfTheStart(double start, double restart, boolean allowed) {
            JobFixture running = job("a").restartPenalty(restart).holding(allocation(0, piece("n1", 0, 1)));

            assertThat(standStill(before(start, running)).brokenRules().isEmpty())
                    .isEqualTo(allowed);
        }

        @ParameterizedTest
        @CsvSource({"5000, true", "5001, false"})
        void unlessItIsDoneByThen(double remaining, boolean allowed) {
            JobFixture running = job("a").remaining(remaining).holding(allocation(0, piece("n1", 0, 1)));

            assertThat(standStill(before(1050, running)).brokenRules().isEmpty())
                    .isEqualTo(allowed);
        }

        @Test
        void orMayNotBeTouched() {
            JobFixture untouchable = job("a").notPreemptible().holding(allocation(0, piece("n1", 0, 1)));

            assertThat(standStill(before(1001, untouchable)).brokenRules()).isEmpty();
            assertThat(standStill(before(1000, untouchable)).brokenRules()).containsExactly(RULE);
        }

        @Test
        void isStoppedAtTheStartWhateverItWasPromised() {
            RoundProblem begun = before(1000, job("a").notPreemptible().holding(HERE));
            assertThat(ProblemCheck.violations(begun))
                    .extracting(Violation::rule)
                    .contains("allocationsAreOnLiveNodes");

            RoundProblem stopped = NodeLossHandling.stopJobs(begun);

            assertThat(stopped.jobs().get(0).allocation()).isNull();
            assertThat(stopped.jobs().get(0).history().waitingSince()).isEqualTo(1000);
            assertThat(ProblemCheck.violations(stopped)).isEmpty();
        }
    }

    @Nested
    class Aggregation {
        private static ProblemFixture cluster() {
            return problem().nodes(4).node(node("x", 0).aggregation(4)).job(job("a").served(2));
        }

        private static List<String> broken(ProblemFixture cluster) {
            return plan(cluster.build())
                    .run("a", served(1000, piece("n1", 0, 1), "x", 2))
                    .brokenRules();
        }

        @Test
        void comesToNoNodeThatDrainsForMaintenance() {
            assertThat(broken(cluster().maintenance(1061, 2000, "x"))).isEmpty();
            assertThat(broken(cluster().maintenance(1060, 2000, "x")))
                    .containsExactly("newAggregationIsOnAvailableNodes");
        }

        @Test
        void isOnNoNodeThatIsWorkedOn() {
            assertThat(broken(cluster().maintenance(900, 2000, "x"))).contains(RULE);
        }
    }

    @Test
    void windowsNameNodesThatExistAndEndAfterTheyStart() {
        RoundProblem odd = problem().nodes(4).maintenance(1, 2, "n1", "n9").build();

        assertThat(ProblemCheck.violations(odd))
                .extracting(Violation::subject)
                .containsExactly("/maintenance/0/nodes/1");
        assertThatThrownBy(() -> new MaintenanceWindow("m", List.of(), 10, 10, 0))
                .hasMessageContaining("end (10.0)");
        assertThatThrownBy(() -> new MaintenanceWindow("m", List.of(), 10, 20, -1))
                .hasMessageContaining("leadSeconds");
    }
}
