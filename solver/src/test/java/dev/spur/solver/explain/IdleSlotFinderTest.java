package dev.spur.solver.explain;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.IdleReason;
import dev.spur.model.round.IdleSlots;
import dev.spur.model.round.IdleSlots.IdleCause;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each reason in a problem made for it, and that the slots are used once the cause is removed. */
class IdleSlotFinderTest {
    private static List<IdleSlots> idle(ProblemFixture fixture) {
        return Policies.spur().plan(fixture.build()).stats().idleSlots();
    }

    private static IdleSlots only(ProblemFixture fixture) {
        List<IdleSlots> idle = idle(fixture);
        assertThat(idle).hasSize(1);
        return idle.get(0);
    }

    private static void conditions(IdleSlots idle, int slots, IdleReason reason, String... words) {
        assertThat(idle.reason()).as(idle.message()).isEqualTo(reason);
        assertThat(idle.slots()).isEqualTo(slots);
        assertThat(idle.message()).endsWith(".");
        assertThat(words).allSatisfy(word -> assertThat(idle.message()).contains(word));
    }

    private static JobFixture fast() {
        return job("a").speeds(100, 200, 300, 400);
    }

    @Test
    void aClusterInUseHasNoIdleSlots() {
        assertThat(idle(problem().nodes(4).job(fast().slots(4)))).isEmpty();
    }

    @Test
    void withoutJobsNoJobIsTheReason() {
        conditions(only(problem().nodes(4)), 4, IdleReason.NO_JOB, "No waiting job accepts the type");
        assertThat(only(problem().nodes(4, 2)).nodes()).containsExactly("n1", "n2");
    }

    @Test
    void aJobThatDoesNotAcceptTheTypeDoesNotCount() {
        ProblemFixture other = problem().node(node("v", 2).type("V100")).nodes(4);

        conditions(only(other.job(fast().types("A100").slots(4))), 2, IdleReason.NO_JOB);
    }

    @Test
    void aJobAtItsMaximumDoesNotUseMore() {
        conditions(only(problem().nodes(4).job(fast().slots(1, 2))), 2, IdleReason.MAX_SLOTS, "1 job: maxSlots");
        assertThat(idle(problem().nodes(4).job(fast().slots(1, 4)))).isEmpty();
    }

    @Test
    void theReasonIsThatOfMostJobs() {
        IdleSlots idle = only(problem()
                .nodes(8)
                .jobs(
                        job("a").slots(1, 2).speeds(100, 200),
                        job("b").slots(1, 2).speeds(100, 200),
                        job("c").slots(1, 4).speeds(100, 200)));

        conditions(idle, 2, IdleReason.MAX_SLOTS, "2 jobs: maxSlots is reached. 1 job: the speed");
        assertThat(idle.jobs())
                .containsExactly(
                        new IdleCause(IdleReason.MAX_SLOTS, 2, "a"), new IdleCause(IdleReason.UNKNOWN_SPEED, 1, "c"));
    }

    @Test
    void aBatchThatNoLargerNumberOfSlotsDividesKeepsAJobSmall() {
        conditions(
                only(problem()
                        .nodes(4)
                        .job(job("a").slots(1, 3).speeds(100, 190).batch(BatchLimits.ofBatch(64)))),
                2,
                IdleReason.NO_CONFIGURATION);
    }

    @Test
    void aJobOfUnknownSpeedDoesNotGrow() {
        ThroughputProfile nothing =
                new ThroughputProfile(List.of(ProfilePoint.allReduce("A100", 1, 1, 64, 64)), List.of(), true);

        conditions(
                only(problem().nodes(4).job(job("a").slots(1, 4).profile(nothing))),
                3,
                IdleReason.UNKNOWN_SPEED,
                "unknown until steps are reported");
        assertThat(idle(problem().nodes(4).job(fast().slots(1, 4)))).isEmpty();
    }

    @Test
    void aQuotaLimitsAJobWithNumbers() {
        ProblemFixture limited = problem().nodes(4).tenant("t", "root", new Quota(2, 0, null));

        conditions(
                only(limited.job(fast().slots(1, 4).tenant("t"))),
                2,
                IdleReason.QUOTA,
                "Of the 2 slots of A100 of tenant t, 2 are in use or reserved.");
        assertThat(idle(problem()
                        .nodes(4)
                        .tenant("t", "root", new Quota(4, 0, null))
                        .job(fast().slots(1, 4).tenant("t"))))
                .isEmpty();
    }

    @Test
    void aGangThatTheSlotsCannotHoldPrecedesTheQuotaThatExcludesItToo() {
        conditions(
                only(problem()
                        .nodes(4)
                        .tenant("t", "root", new Quota(2, 0, null))
                        .job(job("b").slots(2).tenant("t"))
                        .job(fast().slots(4, 4).tenant("t"))),
                2,
                IdleReason.GANG_SIZE,
                "4 slots");
    }

    @Test
    void aGroupLimitsItsJobs() {
        conditions(
                only(problem()
                        .nodes(4)
                        .group("g", 2, null)
                        .job(fast().slots(1, 4).group("g"))),
                2,
                IdleReason.GROUP_LIMIT,
                "job group");
    }

    @Test
    void aLargerGangThanTheIdleSlotsWaits() {
        conditions(
                only(problem()
                        .nodes(2)
                        .job(job("a").slots(4).speeds(0, 0, 0, 400).maxNodes(1))),
                2,
                IdleReason.NO_CONFIGURATION);
        conditions(
                only(problem()
                        .nodes(4)
                        .jobs(job("b").slots(2).weight(100), job("a").slots(4).speeds(100, 200, 300, 400))),
                2,
                IdleReason.GANG_SIZE,
                "The smallest is 4 slots on 1 node.");
        assertThat(idle(problem()
                        .nodes(4)
                        .jobs(job("b").slots(2).weight(100), job("a").slots(2).speeds(100, 200))))
                .isEmpty();
    }

    @Test
    void aRestartThatCostsTooMuchIsNotMade() {
        assertThat(idle(running(0))).isEmpty();
        conditions(only(running(400)), 2, IdleReason.RESTART_COST);
        conditions(only(running(700)), 2, IdleReason.RESTART_COST);
    }

    private static ProblemFixture running(double restartSeconds) {
        return problem()
                .now(10_000)
                .horizon(600, 1)
                .nodes(4)
                .job(fast().powersOfTwo().slots(1, 4).on("n1", 2).work(1e8).restartPenalty(restartSeconds));
    }

    @Test
    void aProtectedJobStays() {
        conditions(
                only(problem().nodes(4).job(fast().slots(1, 4).notPreemptible().on("n1", 2))),
                2,
                IdleReason.PROTECTED,
                "not preemptible");
        conditions(
                only(problem()
                        .nodes(4)
                        .job(fast().slots(1, 4).minRun(600).holding(allocation(900, piece("n1", 0, 2))))),
                2,
                IdleReason.PROTECTED);
    }

    @Test
    void slotsWithoutGainStayIdle() {
        conditions(
                only(problem().nodes(4).job(job("a").slots(1, 4).speeds(100, 200, 150, 120))), 2, IdleReason.NO_GAIN);
    }

    @Test
    void closedNodesAreTheReasonThemselves() {
        conditions(
                only(problem().node(node("d", 4).state(NodeState.DRAINING)).job(fast().slots(1, 4))),
                4,
                IdleReason.NODE_UNAVAILABLE,
                "draining");
        conditions(
                only(problem().nodes(4).maintenance(0, 2_000, "n1").job(fast().slots(1, 4))),
                4,
                IdleReason.NODE_UNAVAILABLE,
                "maintenance");
        assertThat(idle(problem().node(node("d", 4).state(NodeState.LOST)))).isEmpty();
    }

    @Test
    void aReservationKeepsSlotsFree() {
        Reservation forNobody = new Reservation("launch", List.of("n1"), null, 0, 5_000);

        conditions(
                only(problem().nodes(4).reservation(forNobody).job(fast().slots(1, 4))),
                4,
                IdleReason.RESERVED,
                "Reservation launch keeps the nodes free.");
        assertThat(idle(problem().nodes(4).job(fast().slots(1, 4)))).isEmpty();
    }

    @Test
    void slotsAreHeldFreeForAGangThatHasWaitedBeyondItsLimit() {
        JobFixture holder = job("b").slots(1).arrival(900).minRun(300).holding(allocation(900, piece("n1", 0, 1)));
        ProblemFixture overdue = problem()
                .starvationLimit(100)
                .nodes(4)
                .jobs(holder, job("a").slots(4).arrival(500).maxNodes(1));

        conditions(only(overdue), 3, IdleReason.RESERVED, "Held free for job a, which needs 4 slots");
    }
}
