package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the judge asks of nodes that are kept for one job. It is 1,000; jobs do 100 samples/s, restarts take 30 s, the
 * lead is 60 s.
 */
class ReservationRuleTest {
    private static final String RULE = "jobsLeaveBeforeReservations";
    private static final Allocation HERE = allocation(1000, piece("n1", 0, 1));

    private static RoundProblem retained(double start, String forJob, Double lead, JobFixture job) {
        return problem()
                .nodes(4, 4)
                .reservation(new Reservation("r", List.of("n1"), "root", start, 5000.0, forJob, lead))
                .job(job)
                .build();
    }

    private static List<String> broken(RoundProblem problem) {
        return plan(problem).run("a", HERE).brokenRules();
    }

    @Nested
    class WhileItHolds {
        @Test
        void onlyItsJobIsThere() {
            assertThat(broken(retained(900, "a", 60.0, job("a")))).isEmpty();
            assertThat(broken(retained(900, "b", 60.0, job("a")))).containsExactly("nodesAdmitTheJob");
        }
    }

    @Nested
    class BeforeItBegins {
        @ParameterizedTest
        @CsvSource({"1130, true", "1129, false"})
        void whoComesIsDoneByTheStart(double start, boolean allowed) {
            JobFixture other = job("a").remaining(10_000).notPreemptible();

            assertThat(broken(retained(start, "b", 60.0, other)).isEmpty()).isEqualTo(allowed);
            assertThat(broken(retained(start, "a", 60.0, other)))
                    .as("the job that it is for")
                    .isEmpty();
            assertThat(broken(retained(start, "b", null, other)))
                    .as("without a lead")
                    .isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"1061, true", "1060, false"})
        void whoIsThereLeavesAhead(double start, boolean allowed) {
            JobFixture running = job("a").holding(allocation(0, piece("n1", 0, 1)));

            assertThat(standStill(retained(start, "b", 60.0, running))
                            .brokenRules()
                            .isEmpty())
                    .isEqualTo(allowed);
            assertThat(standStill(retained(start, "b", 60.0, running)).brokenRules())
                    .isEqualTo(allowed ? List.of() : List.of(RULE));
        }

        @Test
        void whoMayNotBeTouchedStays() {
            JobFixture running = job("a").notPreemptible().holding(allocation(0, piece("n1", 0, 1)));

            assertThat(standStill(retained(1010, "b", 60.0, running)).brokenRules())
                    .isEmpty();
        }
    }
}
