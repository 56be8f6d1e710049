package dev.spur.solver.explain;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each reason in a scenario made for it, with what it says; and that the job runs once the reason is gone. */
class PendingReasonFinderTest {
    private static PendingJob pending(ProblemFixture fixture) {
        RoundPlan plan = Policies.spur().plan(fixture.build());
        return plan.waiting().stream()
                .filter(pendingJob -> pendingJob.jobId().equals("a"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job a runs"));
    }

    private static boolean runs(ProblemFixture fixture) {
        return Policies.spur().plan(fixture.build()).running().stream()
                .anyMatch(runningJob -> runningJob.jobId().equals("a"));
    }

    /** That {@code pendingJob} names this reason, resource, need and free amount, and a sentence with {@code words}. */
    private static void conditions(
            PendingJob pendingJob, PendingReason reason, String resource, Double needed, Double free, String... words) {
        assertThat(pendingJob.reason()).as(pendingJob.message()).isEqualTo(reason);
        assertThat(pendingJob.resource()).isEqualTo(resource);
        assertThat(pendingJob.needed()).isEqualTo(needed);
        assertThat(pendingJob.free()).isEqualTo(free);
        assertThat(pendingJob.message()).contains(words).endsWith(".");
    }

    private static JobFixture rich(String id, int slots) {
        return job(id).slots(slots).weight(50);
    }

    @Nested
    class WhereNothingCanBeOffered {
        @Test
        void poolMismatch() {
            conditions(
                    pending(problem().nodes(4).job(job("a").types("V100"))),
                    PendingReason.NO_MATCHING_NODES,
                    null,
                    null,
                    null,
                    "No node has an allowed pool and an allowed accelerator type");
            assertThat(runs(problem()
                            .nodes(4)
                            .node(node("v", 1).type("V100"))
                            .job(job("a").types("V100").speedsOn("V100", 50))))
                    .isTrue();
        }

        @Test
        void nodesWhoseSlotsAreAllHeldByJobsThatAreNotPlanned() {
            JobFixture job = job("a").types("V100").speedsOn("V100", 50);

            RoundProblem free =
                    problem().node(node("v", 1).type("V100")).job(job).build();
            RoundProblem held = free.withNodes(free.nodes().stream()
                    .map(node -> node.withDevices(List.of()))
                    .toList());

            conditions(
                    Policies.spur().plan(held).waiting().get(0),
                    PendingReason.NO_MATCHING_NODES,
                    null,
                    null,
                    null,
                    "Every slot of the allowed nodes is disabled, or used by jobs that Spur does not schedule.");
        }

        @Test
        void gpuMemory() {
            JobFixture large = job("a").batch(new BatchLimits(64, 48, 96, 16, Map.of(), false));

            conditions(
                    pending(problem().nodes(4).job(large)),
                    PendingReason.BATCH_EXCEEDS_GPU_MEMORY,
                    null,
                    null,
                    null,
                    "from 48 to 96");
            assertThat(runs(problem().nodes(4).job(large.slots(3)))).isTrue();
        }

        @Test
        void aBatchThatNoAllowedSlotCountDivides() {
            JobFixture odd = job("a").slots(3).batch(new BatchLimits(64, 64, 64, 64, Map.of(), false, 8));

            conditions(
                    pending(problem().nodes(4).job(odd)),
                    PendingReason.BATCH_NOT_DIVISIBLE,
                    null,
                    null,
                    null,
                    "A batch of 64 samples does not divide into equal shares of a multiple of 8 for 3 slots. The nearest for 3 slots are 48 and 72.");
            assertThat(runs(problem().nodes(4).job(odd.slots(4)))).isTrue();
        }

        @Test
        void neverFits() {
            conditions(
                    pending(problem().nodes(4, 4).job(job("a").slots(9, 12))),
                    PendingReason.UNSATISFIABLE,
                    null,
                    null,
                    null,
                    "Needs 9 slots; no configuration fits the idle cluster.",
                    "The largest possible gang is 8 slots of main/A100 (2 × 4).",
                    "Registered accelerator types: A100.");
            assertThat(runs(problem().nodes(4, 4, 4).job(job("a").slots(9, 12))))
                    .isTrue();
        }

        @Test
        void neverFitsForWantOfAggregation() {
            conditions(
                    pending(problem().node(node("n1", 4).aggregation(1)).job(job("a").served(2))),
                    PendingReason.UNSATISFIABLE,
                    null,
                    null,
                    null,
                    "Needs 1 slot; no configuration fits the idle cluster.",
                    "aggregation slots");
            assertThat(runs(problem().node(node("n1", 4).aggregation(2)).job(job("a").served(2))))
                    .isTrue();
        }

        @Test
        void nodeDraining() {
            for (NodeState state : List.of(NodeState.DRAINING, NodeState.CORDONED)) {
                conditions(
                        pending(problem().node(node("n1", 4).state(state)).job(job("a"))),
                        PendingReason.NODES_UNAVAILABLE,
                        null,
                        null,
                        null,
                        "cordoned or draining");
            }
            assertThat(runs(problem().nodes(4).job(job("a")))).isTrue();
        }

        @Test
        void reserved() {
            ProblemFixture reserved = problem()
                    .nodes(4)
                    .tenant("x", null, null)
                    .reservation(new Reservation("r", List.of("n1"), "x", 0, 1060))
                    .job(job("a"));

            conditions(pending(reserved), PendingReason.RESERVED, null, null, null, "reserved for others");
            assertThat(runs(reserved.now(1060))).isTrue();
        }

        @Test
        void restartCostExceedsGain() {
            ProblemFixture worn = problem()
                    .node(node("n1", 4).state(NodeState.DRAINING))
                    .nodes(4)
                    .objective(ObjectiveKind.FAIR_GOODPUT)
                    .job(job("a").restarts(40).on("n1", 1));

            conditions(
                    pending(worn),
                    PendingReason.RESTART_COST,
                    null,
                    null,
                    null,
                    "gain nothing within the planning horizon");
        }
    }

    @Nested
    class WhereSomethingBinds {
        @Test
        void quota() {
            conditions(
                    pending(limited(5)),
                    PendingReason.QUOTA_EXCEEDED,
                    "quota:x/A100",
                    3.0,
                    null,
                    "tenant x",
                    "3 more slots");
            assertThat(runs(limited(6))).isTrue();
        }

        /** Both jobs are within the quota of the tenant, which is larger than the cluster. */
        @Test
        void slotsWhereTheQuotaExceedsTheCluster() {
            ProblemFixture small = problem()
                    .nodes(4)
                    .tenant("x", "root", new Quota(8, 0, null))
                    .jobs(
                            rich("b", 4).slots(2, 4).tenant("x"),
                            job("a").slots(4).tenant("x"));

            conditions(pending(small), PendingReason.OUTRANKED, "slots:main/A100", 4.0, 0.0, "of which 0 are free");
        }

        private static ProblemFixture limited(int nominal) {
            return problem()
                    .nodes(8)
                    .tenant("x", "root", new Quota(nominal, 0, null))
                    .jobs(rich("b", 3).tenant("x"), job("a").slots(3, 4).tenant("x"));
        }

        @Test
        void groupLimitOfSlots() {
            conditions(
                    pending(capped(5, null)),
                    PendingReason.GROUP_LIMIT,
                    "group-slots:g",
                    3.0,
                    2.0,
                    "group g leaves 2 slots",
                    "at least 3");
            assertThat(runs(capped(6, null))).isTrue();
        }

        @Test
        void groupLimitOfJobs() {
            conditions(
                    pending(capped(null, 1)),
                    PendingReason.GROUP_LIMIT,
                    "group-jobs:g",
                    1.0,
                    0.0,
                    "Group g already runs its maximum number of jobs");
            assertThat(runs(capped(null, 2))).isTrue();
        }

        private static ProblemFixture capped(Integer maxSlots, Integer maxJobs) {
            return problem()
                    .nodes(8)
                    .group("g", maxSlots, maxJobs)
                    .jobs(rich("b", 3).group("g"), job("a").slots(3, 4).group("g"));
        }

        @Test
        void aggregatorSlots() {
            conditions(
                    pending(aggregating(2.5)),
                    PendingReason.INSUFFICIENT_AGGREGATION_SLOTS,
                    "aggregation:main",
                    1.5,
                    1.0,
                    "1.5 aggregation slots of main",
                    "1 ");
            assertThat(runs(aggregating(3))).isTrue();
        }

        private static ProblemFixture aggregating(double offered) {
            return problem()
                    .node(node("n1", 8).aggregation(offered))
                    .jobs(job("b").served(1.5).weight(50), job("a").served(1.5));
        }

        @Test
        void hostResources() {
            conditions(
                    pending(onHost(9)),
                    PendingReason.INSUFFICIENT_HOST_RESOURCES,
                    "slots:main/A100",
                    2.0,
                    6.0,
                    "2 slots of main/A100",
                    "6 are free",
                    "free CPU and memory");
            assertThat(runs(onHost(10))).isTrue();
        }

        private static ProblemFixture onHost(double cpus) {
            return problem()
                    .node(node("n1", 8).cpus(cpus))
                    .jobs(rich("b", 2).host(3, 0), job("a").slots(2).host(2, 0));
        }

        @Test
        void gangTooLargeNow() {
            conditions(
                    pending(pinned(1)),
                    PendingReason.FRAGMENTATION,
                    "slots:main/A100",
                    4.0,
                    6.0,
                    "4 slots of main/A100",
                    "6 are free",
                    "whole gang");
            assertThat(runs(pinned(0))).isTrue();
        }

        private static ProblemFixture pinned(int firstOnSecond) {
            String node = firstOnSecond == 1 ? "n2" : "n1";
            return problem()
                    .nodes(4, 4)
                    .jobs(
                            job("k").notPreemptible().on("n1", 0, 1),
                            job("l").notPreemptible().on(node, 1, 1),
                            job("a").slots(4).maxNodes(1));
        }

        @Test
        void freeSlotsOfItsKindAreReserved() {
            conditions(
                    pending(reservedUntil(1200)),
                    PendingReason.RESERVED,
                    "slots:main/A100",
                    2.0,
                    0.0,
                    "0 are free; the others are reserved: node n2 from second 0 to second 1200.");
            assertThat(runs(reservedUntil(1200).now(1200))).isTrue();
        }

        private static ProblemFixture reservedUntil(double end) {
            return problem()
                    .nodes(4, 4)
                    .tenant("x", null, null)
                    .reservation(new Reservation("r", List.of("n2"), "x", 0, end))
                    .jobs(
                            job("b").slots(4).minRun(10_000).holding(allocation(900, piece("n1", 0, 4))),
                            job("a").slots(2).weight(50));
        }

        @Test
        void minRuntimeProtection() {
            conditions(
                    pending(protectedUntil(1200)),
                    PendingReason.HOLDERS_PROTECTED,
                    "slots:main/A100",
                    2.0,
                    0.0,
                    "2 slots of main/A100",
                    "0 are free",
                    "cannot be preempted yet");
            assertThat(runs(protectedUntil(1200).now(1200))).isTrue();
        }

        private static ProblemFixture protectedUntil(double time) {
            return problem()
                    .nodes(4)
                    .jobs(
                            job("b").slots(4).minRun(time - 900).holding(allocation(900, piece("n1", 0, 4))),
                            job("a").slots(2).weight(50));
        }

        @Test
        void restartLimit() {
            ProblemFixture held = problem()
                    .nodes(2)
                    .jobs(job("b").slots(2).on("n1", 2), job("a").slots(2).weight(50));
            assertThat(runs(held)).isTrue();

            conditions(
                    pending(held.maxRestarts(0)),
                    PendingReason.RESTART_LIMIT,
                    "slots:main/A100",
                    2.0,
                    0.0,
                    "the restart limit of this round is used up");
        }

        @Test
        void nodeDrainingWhereARestIsElsewhere() {
            ProblemFixture half = problem()
                    .nodes(2)
                    .node(node("n2", 4).state(NodeState.CORDONED))
                    .jobs(rich("b", 1), job("a").slots(2));

            conditions(
                    pending(half),
                    PendingReason.NODES_UNAVAILABLE,
                    "slots:main/A100",
                    2.0,
                    1.0,
                    "2 slots of main/A100",
                    "1 is free",
                    "cordoned or draining");
            assertThat(runs(problem().nodes(2, 4).jobs(rich("b", 1), job("a").slots(2))))
                    .isTrue();
        }

        @Test
        void lowerPriority() {
            conditions(
                    pending(against(job("b").slots(4).priority(3))),
                    PendingReason.LOWER_PRIORITY,
                    "slots:main/A100",
                    2.0,
                    0.0,
                    "jobs of priority 3 hold them");
        }

        @Test
        void outranked() {
            for (ObjectiveKind kind : List.of(ObjectiveKind.FAIR_GOODPUT, ObjectiveKind.REMAINING_TIME)) {
                ProblemFixture fixture =
                        against(job("b").slots(4).weight(1.64).work(1e5)).objective(kind);
                conditions(
                        pending(fixture),
                        PendingReason.OUTRANKED,
                        "slots:main/A100",
                        2.0,
                        0.0,
                        "2 slots of main/A100",
                        "0 are free",
                        "the jobs that hold them gain more objective value.");
            }
            assertThat(runs(against(job("b").slots(4).work(1e5)).node("n2", 2)))
                    .as("with the two slots that are missing")
                    .isTrue();
        }

        @Test
        void capacity() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("a").slots(2).work(1e3), job("b").slots(4).work(1e7))
                    .build();
            CandidateSet candidates = CandidateGenerator.generate(problem);
            Allocation all = allocation(1000, piece("n1", 0, 4));

            PendingJob pendingJob = PendingReasonFinder.pendingJobs(candidates, Map.of(1, all), j -> false, null)
                    .get(0);

            conditions(
                    pendingJob,
                    PendingReason.CAPACITY,
                    "slots:main/A100",
                    2.0,
                    0.0,
                    "2 slots of main/A100, of which 0 are free.");
        }

        /** The price of a slot counts once for each slot. */
        @ParameterizedTest
        @ValueSource(doubles = {0.001, 0.01, 0.03})
        void outrankedWhereNodesHaveAPrice(double pricePenalty) {
            ProblemFixture fixture = problem()
                    .node(node("n1", 4).price(1))
                    .jobs(
                            job("b").slots(4).weight(1.64).work(1e5),
                            job("a").slots(2).restartPenalty(0))
                    .objective(new Objective(ObjectiveKind.FAIR_GOODPUT, 0.5, 1.1, 0.01, List.of(), 1, pricePenalty));

            assertThat(pending(fixture).reason()).isEqualTo(PendingReason.OUTRANKED);
        }

        @ParameterizedTest
        @CsvSource({"9, UNPROFITABLE", "11, "})
        void unprofitableWhereTheSlotsCostMoreThanTheRevenue(double revenue, PendingReason reason) {
            ProblemFixture fixture = problem()
                    .node(node("n1", 4).price(3.6))
                    .job(job("a").slots(1).work(1e6).restartPenalty(0).revenue(revenue))
                    .objective(ObjectiveKind.PROFIT);

            assertThat(Policies.spur().plan(fixture.build()).waiting())
                    .extracting(PendingJob::reason)
                    .isEqualTo(reason == null ? List.of() : List.of(reason));
        }

        private static ProblemFixture against(JobFixture other) {
            return problem().nodes(4).jobs(other, job("a").slots(2).restartPenalty(0));
        }

        @Test
        void restartCostExceedsGainWhereAHolderCouldShrink() {
            JobFixture elastic = job("b").slots(1, 4)
                    .speeds(100, 190, 240, 250)
                    .restartPenalty(500)
                    .weight(2)
                    .on("n1", 4);
            ProblemFixture shrinkable = problem().nodes(4).jobs(elastic, job("a").slots(1));

            conditions(
                    pending(shrinkable),
                    PendingReason.RESTART_COST,
                    "slots:main/A100",
                    1.0,
                    0.0,
                    "would cost more than it gains");
            assertThat(runs(problem().nodes(4).jobs(elastic.restartPenalty(0), job("a").slots(1))))
                    .isTrue();
        }

        @Test
        void restartCostExceedsGainWhereAStartIsWorthNothing() {
            ProblemFixture brief = problem().nodes(4).horizon(20, 1).job(job("a").restartPenalty(40));

            conditions(
                    pending(brief), PendingReason.RESTART_COST, null, null, null, "its start costs more than it gains");
        }
    }

    @Nested
    class Positions {
        @Test
        void areByWhatTheNextSlotWouldGainAndThenByArrival() {
            RoundPlan plan = Policies.spur()
                    .plan(problem()
                            .nodes(4)
                            .jobs(
                                    rich("r", 4).weight(1e4),
                                    job("poor").arrival(0),
                                    job("late").weight(5).arrival(990).waitingSince(500),
                                    job("early").weight(5).arrival(500),
                                    job("best").slots(2).weight(9))
                            .build());

            assertThat(plan.waiting()).extracting(PendingJob::jobId).containsExactly("best", "early", "late", "poor");
            assertThat(plan.waiting()).extracting(PendingJob::queuePosition).containsExactly(1, 2, 3, 4);
        }
    }

    @Nested
    class ThePrecedence {
        @Test
        void namesTheQuotaBeforeTheSlots() {
            ProblemFixture both = problem()
                    .nodes(4)
                    .tenant("x", "root", new Quota(4, 0, null))
                    .jobs(rich("b", 4).tenant("x"), job("a").tenant("x"));

            assertThat(pending(both).reason()).isEqualTo(PendingReason.QUOTA_EXCEEDED);
        }

        @Test
        void namesAggregationWhereSlotsAreFree() {
            ProblemFixture both = problem()
                    .node(node("n1", 2).aggregation(1))
                    .jobs(
                            job("b").served(1).notPreemptible().holding(served(0, piece("n1", 0, 1), "n1", 1)),
                            job("a").served(1));

            assertThat(pending(both).reason()).isEqualTo(PendingReason.INSUFFICIENT_AGGREGATION_SLOTS);
        }
    }
}
