package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.jobOf;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.placement.StarvationReservation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** At 1,000; patience is 100 s, and {@code waits} has waited for 500 s. */
class OverdueJobsTest {
    private static ProblemFixture cluster(int... nodes) {
        return problem().nodes(nodes).starvationLimit(100);
    }

    private static JobFixture waits(int slots) {
        return job("waits").slots(slots).arrival(500).maxNodes((slots + 3) / 4);
    }

    /** Started at {@code since} and left alone for 300 s. */
    private static JobFixture fresh(String id, double since, String node, int first, int slots) {
        return job(id).slots(slots).arrival(since).minRun(300).holding(allocation(since, piece(node, first, slots)));
    }

    private static StarvationReservation turn(ProblemFixture fixture) {
        return new OverdueJobs(CandidateGenerator.generate(fixture.build())).reservation();
    }

    @Nested
    class APlaceIsKept {
        @Test
        void onTheNodeThatIsSetFreeFirst() {
            StarvationReservation starvationReservation = turn(cluster(4, 4)
                    .jobs(
                            fresh("a", 900, "n1", 0, 1),
                            fresh("b", 800, "n2", 0, 1),
                            fresh("c", 850, "n2", 1, 1),
                            waits(4)));

            assertThat(starvationReservation.nodes()).containsExactly("n2");
            assertThat(starvationReservation.configuration().shape()).containsExactly(4);
        }

        @Test
        void onAsManyNodesAsTheGangNeeds() {
            StarvationReservation starvationReservation = turn(cluster(4, 4, 4)
                    .jobs(
                            fresh("a", 990, "n1", 0, 1),
                            fresh("b", 800, "n2", 0, 1),
                            fresh("c", 850, "n3", 1, 1),
                            waits(8)));

            assertThat(starvationReservation.nodes()).containsExactlyInAnyOrder("n2", "n3");
        }

        @Test
        void forTheFewestSlots() {
            StarvationReservation starvationReservation =
                    turn(cluster(4).jobs(fresh("a", 900, "n1", 0, 4), waits(1).slots(2, 4)));

            assertThat(starvationReservation.configuration().slots()).isEqualTo(2);
        }

        @Test
        void notWhereAPinnedJobStays() {
            StarvationReservation starvationReservation = turn(
                    cluster(4, 4).jobs(job("a").notPreemptible().on("n1", 1), fresh("b", 990, "n2", 0, 1), waits(4)));

            assertThat(starvationReservation.nodes()).containsExactly("n2");
        }

        @Test
        void alsoWhereAPromiseIsInTheWay() {
            JobFixture guaranteed = job("a").work(100 * 200)
                    .deadline(2000, DeadlineStatus.GUARANTEED)
                    .on("n1", 1);

            assertThat(turn(cluster(4).jobs(guaranteed, waits(4))).nodes()).containsExactly("n1");
        }

        @Test
        void forTheLongestWaitThatCanBeServed() {
            StarvationReservation starvationReservation = turn(cluster(4)
                    .jobs(
                            fresh("a", 900, "n1", 0, 1),
                            job("never").slots(5).arrival(0),
                            waits(4),
                            job("later").slots(4).arrival(600)));

            assertThat(starvationReservation.job()).isEqualTo(2);
        }
    }

    @Nested
    class NoPlaceIsKept {
        @Test
        void whileNoJobHasWaitedTooLong() {
            assertThat(turn(cluster(4).jobs(fresh("a", 900, "n1", 0, 1), waits(4).arrival(950))))
                    .isNull();
        }

        @Test
        void whereAPlaceIsFreeOrCanBeMadeNow() {
            assertThat(turn(cluster(4, 4).jobs(fresh("a", 900, "n1", 0, 1), waits(4))))
                    .isNull();
            assertThat(turn(cluster(4).jobs(fresh("a", 700, "n1", 0, 1).work(1e9), waits(4))))
                    .isNull();
        }

        @Test
        void whereAQuotaIsInTheWay() {
            ProblemFixture limited = cluster(4)
                    .tenant("x", null, new Quota(2, 0, null))
                    .jobs(fresh("a", 900, "n1", 0, 1), waits(4).tenant("x"));

            assertThat(turn(limited)).isNull();
        }
    }

    @Nested
    class WhileAPlaceIsKept {
        private final RoundProblem problem = cluster(4, 2)
                .jobs(
                        fresh("a", 900, "n1", 0, 2),
                        job("stays").slots(1).arrival(0).on("n1", 2, 1),
                        waits(4).maxNodes(1),
                        job("small").slots(1).arrival(990),
                        job("large").slots(3).arrival(990))
                .build();
        private final RoundPlan plan = Policies.spur().plan(problem);

        private PendingJob pending(String id) {
            return plan.waiting().stream()
                    .filter(pendingJob -> pendingJob.jobId().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void nothingStartsThereAndWhoIsThereStays() {
            assertThat(plan.running())
                    .extracting(runningJob -> runningJob.jobId())
                    .containsExactly("a", "stays", "small");
            assertThat(plan.running().get(2).allocation().placement())
                    .extracting(share -> share.node())
                    .containsExactly("n2");
            assertThat(plan.running().get(1).allocation())
                    .isEqualTo(jobOf(problem, "stays").allocation());
        }

        @Test
        void theJobWaitsForThoseThatMayNotBeTouchedYet() {
            assertThat(pending("waits").reason()).isEqualTo(PendingReason.HOLDERS_PROTECTED);
            assertThat(pending("waits").needed()).isEqualTo(4);
            assertThat(pending("waits").free()).isEqualTo(1);
        }

        @Test
        void othersHearThatItIsKept() {
            RoundPlan crowded = Policies.spur()
                    .plan(cluster(4)
                            .jobs(
                                    fresh("a", 900, "n1", 0, 2),
                                    waits(4).maxNodes(1),
                                    job("small").slots(1).arrival(990))
                            .build());

            assertThat(crowded.waiting())
                    .filteredOn(pendingJob -> pendingJob.jobId().equals("small"))
                    .extracting(PendingJob::reason)
                    .containsExactly(PendingReason.RESERVED);
        }

        @Test
        void deadlineStatusesHold() {
            ProblemFixture both = cluster(4, 2)
                    .jobs(
                            fresh("a", 900, "n1", 0, 2),
                            waits(4),
                            job("due").slots(2).arrival(0).work(200 * 500).deadline(1600, DeadlineStatus.GUARANTEED),
                            job("big").slots(2).notPreemptible().on("n2", 2));

            RoundPlan retained = Policies.spur().plan(both.build());

            assertThat(retained.deadlineStatuses()).containsEntry("due", DeadlineStatus.GUARANTEED);
        }
    }
}
