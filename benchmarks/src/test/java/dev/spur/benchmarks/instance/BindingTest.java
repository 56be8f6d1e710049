package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.scaling.Cases;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.policy.Policies;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each constraint kind of generated rounds binds: without it, a plan exists whose objective value exceeds the upper
 * bound with it.
 */
class BindingTest {
    private static final Size SIZE = new Size(64, 64);
    private static final RoundSettings SETTINGS = RoundSettings.DEFAULT.withEffort(1e-5, new SolveBudget(20, 60, 1, 1));
    /** Number of seeds. A kind does not bind in every round; it depends on the allocations of the previous round. */
    private static final int SEEDS = 12;

    private static final Map<Long, Hard> ROUNDS = new ConcurrentHashMap<>();

    /** A round with a proven upper bound of the objective value. */
    private record Hard(RoundProblem round, double bound) {
        static Hard of(long seed) {
            return ROUNDS.computeIfAbsent(seed, missing -> {
                RoundProblem round =
                        Cases.generate(SIZE, ConstraintSet.FULL, seed, SETTINGS).problem();
                return new Hard(round, Policies.spur().plan(round).quality().bestBound());
            });
        }
    }

    private static final Map<String, UnaryOperator<RoundProblem>> LIFTED = new LinkedHashMap<>();

    static {
        LIFTED.put(
                "slots",
                round -> round.withNodes(Stream.concat(round.nodes().stream(), oneMoreNode(round))
                        .toList()));
        LIFTED.put("aggregation", round -> nodes(round, node -> grown(node, 1, 1, 10)));
        LIFTED.put("host CPUs", round -> nodes(round, node -> grown(node, 10, 1, 1)));
        LIFTED.put("host memory", round -> nodes(round, node -> grown(node, 1, 10, 1)));
        LIFTED.put("quotas", round -> quotas(round, quota -> new Quota(1_000_000, null, null)));
        LIFTED.put(
                "borrowing", round -> quotas(round, quota -> new Quota(quota.nominal(), null, quota.lendingLimit())));
        LIFTED.put(
                "lending", round -> quotas(round, quota -> new Quota(quota.nominal(), quota.borrowingLimit(), null)));
        LIFTED.put(
                "minimum run time",
                round -> round.withJobs(round.jobs().stream()
                        .map(job -> isOnOpenNodes(job, round) ? withoutMinRun(job) : job)
                        .toList()));
        LIFTED.put("limit of restarts", BindingTest::withoutLimitOfRestarts);
        LIFTED.put("reservations", RoundProblem::withoutReservations);
        LIFTED.put(
                "groups",
                round -> round.withGroups(round.groups().stream()
                        .map(group -> new JobGroup(group.name(), group.tenant(), null, null))
                        .toList()));
        LIFTED.put("draining", round -> nodes(round, node -> node.withState(NodeState.ACTIVE)));
    }

    static Stream<String> kinds() {
        return LIFTED.keySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void everyKindOfConstraintBindsSomewhere(String kind) {
        UnaryOperator<RoundProblem> lift = Objects.requireNonNull(LIFTED.get(kind));

        boolean binds = LongStream.rangeClosed(1, SEEDS).mapToObj(Hard::of).anyMatch(hard -> {
            double without =
                    Policies.spur().plan(lift.apply(hard.round())).quality().objectiveValue();
            return without > hard.bound();
        });

        assertThat(binds).isTrue();
    }

    @Test
    void jobsWouldTakeMoreThanTwiceTheSlots() {
        for (long seed = 1; seed <= 3; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(Hard.of(seed).round());

            int desired = IntStream.range(0, candidates.jobs())
                    .map(j -> slotsOfTheBest(candidates, j))
                    .sum();

            assertThat(desired).isGreaterThan(2 * SIZE.slots());
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"200x512", "1000x2048"})
    void jobsChooseAmongAtLeast25CandidatesOnAverage(String size) {
        Set<Feature> features = EnumSet.complementOf(EnumSet.of(Feature.UNEVEN));
        Size requested = Size.parse(size);

        RoundProblem round = InstanceGenerator.waiting(1, requested.jobs(), requested.slots(), features, SETTINGS);

        assertThat(CandidateGenerator.generate(round).size()).isGreaterThan(25 * requested.jobs());
    }

    @Test
    void thereAreAsManySlotsAsAskedFor() {
        for (int slots : new int[] {1, 3, 20, 64, 512, 2048, 10_000, 40_000}) {
            RoundProblem round = InstanceGenerator.waiting(1, 1, slots, ConstraintSet.FULL.features(), SETTINGS);
            assertThat(round.nodes().stream().mapToInt(Node::slots).sum()).isEqualTo(slots);
        }
    }

    private static int slotsOfTheBest(CandidateSet candidates, int j) {
        int best = candidates.first(j);
        for (int c = best; c < candidates.end(j); c++) {
            best = candidates.get(c).utility() > candidates.get(best).utility() ? c : best;
        }
        return candidates.get(best).slots();
    }

    private static Stream<Node> oneMoreNode(RoundProblem round) {
        return round.nodes().stream()
                .filter(node -> node.slots() > 0)
                .limit(1)
                .map(node -> new Node(
                        "more",
                        node.pool(),
                        node.rack(),
                        node.acceleratorType(),
                        node.devices(),
                        node.cpus(),
                        node.memoryGiB(),
                        0,
                        node.pricePerSlotHour(),
                        NodeState.ACTIVE));
    }

    private static RoundProblem nodes(RoundProblem round, UnaryOperator<Node> change) {
        return round.withNodes(round.nodes().stream().map(change).toList());
    }

    private static Node grown(Node node, double cpus, double memory, double aggregation) {
        return node.withHost(node.cpus() * cpus, node.memoryGiB() * memory, node.aggregationSlots() * aggregation);
    }

    private static RoundProblem quotas(RoundProblem round, UnaryOperator<Quota> change) {
        return round.withTenants(round.tenants().stream()
                .map(tenant -> {
                    Map<String, Quota> quotas = new HashMap<>(tenant.quotas());
                    quotas.replaceAll((type, quota) -> change.apply(quota));
                    return new Tenant(tenant.name(), tenant.parent(), tenant.weight(), quotas);
                })
                .toList());
    }

    /** Returns true if all nodes of the job are open; on closed nodes only its protection lets it stay. */
    private static boolean isOnOpenNodes(Job job, RoundProblem round) {
        Set<String> closed = new HashSet<>();
        round.reservations().forEach(reservation -> closed.addAll(reservation.nodes()));
        round.nodes().stream().filter(node -> !node.state().takesNewJobs()).forEach(node -> closed.add(node.id()));
        return job.allocation() != null
                && job.allocation().placement().stream().noneMatch(piece -> closed.contains(piece.node()));
    }

    /** Stalls of restarts stay: they also are the cost of stopping a job, which raises the objective value. */
    private static Job withoutMinRun(Job job) {
        return job.withSpec(job.spec().edit().minRunSeconds(0).build());
    }

    private static RoundProblem withoutLimitOfRestarts(RoundProblem round) {
        return round.withSettings(round.settings().withMaxRestarts(null));
    }
}
