package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.JobSpecEdit;
import dev.spur.model.job.PreemptionPolicy;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.TopologyProblems;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Explanations of random rounds against a second solve of the round without the stated cause. Then a pending job
 * starts, or has another reason; where the reason is the only one that may be left, it starts. A running job gains
 * utility.
 */
class ExplanationTruthTest {
    private static final int ROUNDS = 450;
    private static final long TOPOLOGY_FROM = 600_000;
    private static final int TOPOLOGY_ROUNDS = 400;

    /** By reason: the round without that cause for the job of this id. */
    private static final Map<PendingReason, BiFunction<RoundProblem, String, RoundProblem>> REMOVALS =
            new EnumMap<>(Map.ofEntries(
                    Map.entry(PendingReason.NODES_EXCLUDED, ExplanationTruthTest::onAllNodes),
                    Map.entry(PendingReason.TOPOLOGY, ExplanationTruthTest::acrossDomains),
                    Map.entry(PendingReason.NODES_UNAVAILABLE, (round, id) -> withOpenNodes(round)),
                    Map.entry(PendingReason.RESERVED, (round, id) -> round.withReservations(List.of())),
                    Map.entry(PendingReason.QUOTA_EXCEEDED, (round, id) -> withoutQuotas(round)),
                    Map.entry(PendingReason.GROUP_LIMIT, (round, id) -> withJobs(round, edit -> edit.group(null))),
                    Map.entry(
                            PendingReason.INSUFFICIENT_AGGREGATION_SLOTS,
                            (round, id) ->
                                    withNodes(round, node -> node.withHost(node.cpus() + 1e3, node.memoryGiB(), 1e3))),
                    Map.entry(
                            PendingReason.INSUFFICIENT_HOST_RESOURCES,
                            (round, id) -> withNodes(round, node -> node.withHost(1e3, 1e4, node.aggregationSlots()))),
                    Map.entry(
                            PendingReason.HOLDERS_PROTECTED,
                            (round, id) -> withJobs(
                                    round,
                                    edit -> edit.preemptible(true)
                                            .minRunSeconds(0)
                                            .restartPenaltySeconds(0))),
                    Map.entry(PendingReason.COMMITMENTS, (round, id) -> RandomProblems.withoutObligations(round)),
                    Map.entry(
                            PendingReason.RESTART_LIMIT,
                            (round, id) -> round.withSettings(round.settings().withMaxRestarts(null))),
                    Map.entry(
                            PendingReason.LOWER_PRIORITY,
                            (round, id) -> withJob(round, id, edit -> edit.importance(1, 10))),
                    Map.entry(
                            PendingReason.PREEMPTION_POLICY,
                            (round, id) -> withJob(
                                    round, id, edit -> edit.preemptionPolicy(PreemptionPolicy.PREEMPT_LOWER_PRIORITY))),
                    Map.entry(
                            PendingReason.RESTART_COST,
                            (round, id) -> withJobs(round, edit -> edit.restartPenaltySeconds(0))),
                    Map.entry(
                            PendingReason.OUTRANKED,
                            (round, id) -> withJob(round, id, edit -> edit.importance(1e3, priority(round, id)))),
                    Map.entry(PendingReason.CAPACITY, (round, id) -> withoutOthers(round, id))));

    /** Reasons after which only the objective of the class of the job decides. */
    private static final Set<PendingReason> LAST = EnumSet.of(PendingReason.OUTRANKED, PendingReason.CAPACITY);

    /** Reasons that hold on the idle cluster. */
    private static final Set<PendingReason> IDLE = EnumSet.of(
            PendingReason.NO_MATCHING_NODES,
            PendingReason.BATCH_EXCEEDS_GPU_MEMORY,
            PendingReason.BATCH_NOT_DIVISIBLE,
            PendingReason.NO_THROUGHPUT,
            PendingReason.UNPROFITABLE,
            PendingReason.UNSATISFIABLE);

    @Test
    void aJobStartsOrHasAnotherReasonWithoutTheStatedCause() {
        Map<PendingReason, Integer> counts = new EnumMap<>(PendingReason.class);
        for (long seed : seeds()) {
            RoundProblem round = round(seed);
            for (PendingJob pending : Policies.spur().plan(round).waiting()) {
                counts.merge(pending.reason(), 1, Integer::sum);
                Optional<PendingReason> after = reasonWithout(pending, round);
                String as = "%s of %s in round %d: %s"
                        .formatted(pending.reason(), pending.jobId(), seed, pending.message());
                if (LAST.contains(pending.reason())) {
                    assertThat(after).as(as).isEmpty();
                } else if (IDLE.contains(pending.reason())) {
                    assertThat(after).as(as).contains(pending.reason());
                } else {
                    assertThat(after).as(as).isNotEqualTo(Optional.of(pending.reason()));
                }
            }
        }
        assertThat(counts).as("reasons of the rounds").hasSizeGreaterThanOrEqualTo(14);
    }

    /** By part of an explanation: the round without what it names. */
    private static final Map<String, BiFunction<RoundProblem, String, RoundProblem>> OBSTACLES = Map.of(
            "other jobs gain more", ExplanationTruthTest::ahead,
            "the nodes have too few CPUs",
                    (round, id) -> onlyOf(
                            withNodes(
                                    round,
                                    node -> node.withHost(
                                            node.cpus() + 1e3, node.memoryGiB(), node.aggregationSlots())),
                            id),
            "the limit of",
                    (round, id) -> onlyOf(round.withSettings(round.settings().withMaxRestarts(null)), id),
            "the quotas do not allow", (round, id) -> onlyOf(withoutQuotas(round), id),
            "the cap of group", (round, id) -> onlyOf(withJobs(round, edit -> edit.group(null)), id));

    @Test
    void aJobGetsMoreUtilityWithoutWhatItsExplanationNames() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed : seeds()) {
            long current = seed;
            RoundProblem round = round(seed);
            for (PlannedJob runningJob : Policies.spur().plan(round).running()) {
                OBSTACLES.forEach((text, removal) -> {
                    if (runningJob.message().contains(", but " + text)) {
                        counts.merge(text, 1, Integer::sum);
                        double alone = Policies.spur().plan(removal.apply(round, runningJob.jobId())).running().stream()
                                .filter(other -> other.jobId().equals(runningJob.jobId()))
                                .mapToDouble(PlannedJob::utility)
                                .sum();
                        assertThat(alone)
                                .as(
                                        "%s in round %d, without %s: %s",
                                        runningJob.jobId(), current, text, runningJob.message())
                                .isGreaterThan(runningJob.utility() + 1e-9);
                    }
                });
            }
        }
        assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(OBSTACLES.keySet());
    }

    /** Returns the round in which all other jobs wait and yield to the job. Their demand for quotas remains. */
    private static RoundProblem ahead(RoundProblem round, String id) {
        return round.withJobs(round.jobs().stream()
                .map(job -> job.id().equals(id)
                        ? job.withSpec(job.spec()
                                .edit()
                                .importance(job.spec().weight(), 10)
                                .build())
                        : job.withAllocation(null)
                                .withSpec(job.spec()
                                        .edit()
                                        .importance(1e-6, -10)
                                        .preemptible(true)
                                        .build()))
                .toList());
    }

    private static RoundProblem onlyOf(RoundProblem round, String id) {
        return round.withJobs(
                round.jobs().stream().filter(job -> job.id().equals(id)).toList());
    }

    /** Returns the reason of the job in the round without its present reason; empty if it starts. */
    private static Optional<PendingReason> reasonWithout(PendingJob pending, RoundProblem round) {
        RoundProblem changedProblem = REMOVALS.getOrDefault(pending.reason(), ExplanationTruthTest::withoutOthers)
                .apply(round, pending.jobId());
        RoundPlan plan = Policies.spur().plan(changedProblem);
        return plan.waiting().stream()
                .filter(other -> other.jobId().equals(pending.jobId()))
                .map(PendingJob::reason)
                .findAny();
    }

    private static long[] seeds() {
        return LongStream.concat(
                        LongStream.range(500_000, 500_000 + ROUNDS),
                        LongStream.range(TOPOLOGY_FROM, TOPOLOGY_FROM + TOPOLOGY_ROUNDS))
                .toArray();
    }

    private static RoundProblem round(long seed) {
        RoundProblem round = seed >= TOPOLOGY_FROM
                ? TopologyProblems.problem(seed, 6, 3)
                : switch ((int) (seed % 4)) {
                    case 0 -> RandomProblems.problem(seed, 4, 9);
                    case 1 -> RandomProblems.uneven(seed, 4, 9);
                    case 2 -> RandomProblems.placed(seed, 4, 9);
                    default -> GroupedProblems.problem(seed, 4, 9);
                };
        return round.withSettings(round.settings().withStarvationLimit(1e9).withWaitLimitFactor(null));
    }

    private static int priority(RoundProblem round, String id) {
        return round.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findAny()
                .orElseThrow()
                .spec()
                .priority();
    }

    private static RoundProblem onAllNodes(RoundProblem round, String id) {
        return round.withJobs(round.jobs().stream()
                .map(job -> !job.id().equals(id)
                        ? job
                        : job.withSpec(job.spec()
                                .edit()
                                .elasticity(job.spec().elasticity().withNodes(List.of()))
                                .build()))
                .toList());
    }

    private static RoundProblem acrossDomains(RoundProblem round, String id) {
        return round.withJobs(round.jobs().stream()
                .map(job -> !job.id().equals(id)
                        ? job
                        : job.withSpec(job.spec()
                                .edit()
                                .elasticity(job.spec().elasticity().withTopology(null))
                                .build()))
                .toList());
    }

    private static RoundProblem withOpenNodes(RoundProblem round) {
        return withNodes(
                        round,
                        node -> node.state() == NodeState.CORDONED || node.state() == NodeState.DRAINING
                                ? node.withState(NodeState.ACTIVE)
                                : node)
                .withMaintenance(List.of());
    }

    private static RoundProblem withoutQuotas(RoundProblem round) {
        return round.withTenants(round.tenants().stream()
                .map(tenant -> new Tenant(tenant.name(), tenant.parent(), tenant.weight(), Map.of()))
                .toList());
    }

    private static RoundProblem withoutOthers(RoundProblem round, String id) {
        return round.withJobs(round.jobs().stream()
                .filter(job -> job.id().equals(id))
                .map(job -> job.withAllocation(null))
                .toList());
    }

    private static RoundProblem withNodes(RoundProblem round, UnaryOperator<Node> change) {
        return round.withNodes(round.nodes().stream().map(change).toList());
    }

    private static RoundProblem withJobs(RoundProblem round, UnaryOperator<JobSpecEdit> change) {
        return round.withJobs(round.jobs().stream()
                .map(job -> job.withSpec(change.apply(job.spec().edit()).build()))
                .toList());
    }

    private static RoundProblem withJob(RoundProblem round, String id, UnaryOperator<JobSpecEdit> change) {
        return round.withJobs(round.jobs().stream()
                .map(job -> job.id().equals(id)
                        ? job.withSpec(change.apply(job.spec().edit()).build())
                        : job)
                .toList());
    }
}
