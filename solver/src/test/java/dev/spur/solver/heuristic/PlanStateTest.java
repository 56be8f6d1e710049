package dev.spur.solver.heuristic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.solver.PlannedAllocations;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaUsage;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.SmallRounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlanStateTest {
    /**
     * Five slots of n1 and four of n2 are free. The fill starts with the jobs of highest utility on six slots of one
     * node; they get two each, and fill n2. Placed by what they got, the job of three slots comes first and takes n2,
     * so that one of two slots is left over.
     */
    @Test
    void noJobOfAFilledPlanIsLost() {
        CandidateSet candidates = CandidateGenerator.generate(problem()
                .node(node("n1", 8))
                .node(node("n2", 8))
                .jobs(
                        job("stays").slots(3).notPreemptible().on("n1", 3),
                        job("stays too").slots(4).notPreemptible().on("n2", 4),
                        twoOrSix("a"),
                        twoOrSix("b"),
                        job("three").slots(3).consolidate().weight(1.2),
                        job("two").slots(2).consolidate().weight(0.5))
                .build());
        PartialPlacement filledPlacement = GreedyFill.fill(candidates);
        CouplingConstraints constraints =
                CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);

        PlanState plan = PlanState.of(constraints, filledPlacement);

        assertThat(filledPlacement.choice()).doesNotContain(-1);
        assertThat(plan.choice()).isEqualTo(filledPlacement.choice());
        filledPlacement
                .nodes()
                .forEach((j, nodes) -> assertThat(plan.nodesOf(j)).containsExactly(nodes.toArray(Integer[]::new)));
        PartialPlacement placeless = PartialPlacement.withoutPlaces(filledPlacement.choice());
        assertThat(PlanState.of(constraints, placeless).choice()).contains(-1);
    }

    /** On six slots ten times as fast per slot as on two. */
    private static JobFixture twoOrSix(String id) {
        return job(id).slots(2, 6)
                .allowedCounts(2, 6)
                .consolidate()
                .speed("A100", 2, 1, 200)
                .speed("A100", 6, 1, 6000);
    }

    /** A random change of a random round is followed by a comparison of everything with a computation from the plan. */
    @Nested
    class AfterRandomChanges {
        private static final int SEEDS = 40;
        private static final int CHANGES = 40;

        @ParameterizedTest
        @EnumSource
        void residualCapacityAndCountsAreThoseOfThePlan(SmallRounds kind) {
            int running = afterEach(kind, changed -> {
                changed.change();
                changed.assertConsistent();
                return changed.running();
            });
            assertThat(running).isGreaterThan(SEEDS * CHANGES / 2);
        }

        @ParameterizedTest
        @EnumSource
        void theValidatorAcceptsThePlan(SmallRounds kind) {
            int validated = afterEach(kind, changed -> {
                changed.change();
                return changed.validate();
            });
            assertThat(validated).isGreaterThan(SEEDS * CHANGES / 4);
        }

        @ParameterizedTest
        @EnumSource
        void nothingIsRefusedThatFits(SmallRounds kind) {
            int refused = afterEach(kind, changed -> changed.change() ? 0 : changed.assertRefusalIsNecessary());
            assertThat(refused).isGreaterThan(SEEDS);
        }

        /** Applies {@code change} many times to each round; returns the sum of its results. */
        private static int afterEach(SmallRounds kind, ToIntFunction<Changed> change) {
            int sum = 0;
            for (long seed = 0; seed < SEEDS; seed++) {
                Changed changed = new Changed(kind, seed);
                for (int i = 0; i < CHANGES; i++) {
                    sum += change.applyAsInt(changed);
                }
            }
            return sum;
        }
    }

    /** An exchange that some limit forbids changes nothing, whichever of its jobs is the one too many. */
    @ParameterizedTest
    @EnumSource
    void anExchangeFitsAsAWholeOrNotAtAll(SmallRounds kind) {
        int done = 0;
        int refused = 0;
        for (long seed = 0; seed < 100; seed++) {
            Changed changed = new Changed(kind, seed);
            Map<Integer, List<Integer>> chosen = new HashMap<>();
            for (int change = 0; change < 10; change++) {
                changed.change();
            }
            for (int j = 0; j < changed.candidates.jobs(); j++) {
                if (changed.plan.choiceOf(j) >= 0 && !changed.candidates.isPinned(j)) {
                    chosen.put(
                            changed.plan.choiceOf(j),
                            Arrays.stream(changed.plan.nodesOf(j)).boxed().toList());
                    changed.plan.remove(j);
                }
            }
            for (int change = 0; change < 2; change++) {
                changed.change();
            }
            chosen.keySet()
                    .removeIf(
                            c -> changed.plan.choiceOf(changed.candidates.get(c).job()) >= 0);
            int[] before = changed.plan.choice();

            boolean fits = changed.plan.putAll(chosen);

            changed.assertConsistent();
            assertThat(fits || Arrays.equals(before, changed.plan.choice())).isTrue();
            for (int c : chosen.keySet()) {
                assertThat(changed.plan.choiceOf(changed.candidates.get(c).job()) == c)
                        .isEqualTo(fits);
            }
            done += fits && !chosen.isEmpty() ? 1 : 0;
            refused += fits ? 0 : 1;
        }
        assertThat(done).isGreaterThan(5);
        assertThat(refused).isPositive();
    }

    @Test
    void aNodeHoldsAPieceOnceOthersHaveLeftIt() {
        int freed = 0;
        for (long seed = 0; seed < 200; seed++) {
            Changed changed = new Changed(SmallRounds.SHRUNK_HOSTS, seed);
            for (int change = 0; change < 20; change++) {
                changed.change();
            }
            PlanState plan = changed.plan;
            int v = changed.random.nextInt(
                    changed.candidates.clusterIndex().nodes().size());
            if (changed.candidates.size() == 0) {
                continue;
            }
            int c = changed.random.nextInt(changed.candidates.size());
            int piece = plan.demand(c).pieces()[0];
            long evicted =
                    changed.random.nextInt(1 << Math.min(16, plan.jobsByNode().size(v)));
            boolean before = plan.residual().cluster().holds(v, piece, plan.demand(c));
            Set<Integer> leaving = new TreeSet<>();
            for (int i = 0; i < plan.jobsByNode().size(v); i++) {
                if ((evicted >> i & 1) != 0) {
                    leaving.add(plan.jobsByNode().get(v, i));
                }
            }

            boolean expected = plan.holdsWithout(v, piece, plan.demand(c), evicted);

            leaving.forEach(plan::remove);
            assertThat(plan.residual().cluster().holds(v, piece, plan.demand(c)))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            freed += expected && !before ? 1 : 0;
        }
        assertThat(freed).isGreaterThan(5);
    }

    /** A plan under random changes. Its figures are computed again from the candidates and nodes of its jobs. */
    private static final class Changed {
        private static final double CLOSE = 1e-6;

        private final CandidateSet candidates;
        private final CouplingConstraints constraints;
        private final PlanState plan;
        private final Random random;
        private final String name;
        private int tried;

        Changed(SmallRounds kind, long seed) {
            SmallRounds.Round round = kind.round(seed, 4, 9);
            name = round.toString();
            candidates = round.candidates();
            constraints = round.constraints(RelaxationLevel.PATTERNS);
            random = new Random(seed);
            plan = new PlanState(constraints);
            for (int j = 0; j < candidates.jobs(); j++) {
                assertThat(!candidates.isPinned(j) || plan.put(candidates.retainedCandidate(j)))
                        .as(name)
                        .isTrue();
            }
        }

        /**
         * Tries a candidate, for a running job after its removal; sometimes only removes. Returns false if it is
         * refused.
         */
        boolean change() {
            if (candidates.size() == 0) {
                return true;
            }
            tried = random.nextInt(candidates.size());
            int j = candidates.get(tried).job();
            if (candidates.isPinned(j)) {
                return true;
            }
            plan.remove(j);
            return random.nextInt(8) == 0 || plan.put(tried);
        }

        int running() {
            return (int) IntStream.of(plan.choice()).filter(c -> c >= 0).count();
        }

        private List<Candidate> chosen() {
            return IntStream.of(plan.choice())
                    .filter(c -> c >= 0)
                    .mapToObj(candidates::get)
                    .toList();
        }

        private int[] pieces(Candidate candidate) {
            Allocation heldAllocation = candidates.job(candidate.job()).allocation();
            return (candidate.isRetained() && heldAllocation != null)
                    ? heldAllocation.placement().stream()
                            .mapToInt(NodeShare::slots)
                            .toArray()
                    : candidate.configuration().shape().stream()
                            .mapToInt(Integer::intValue)
                            .toArray();
        }

        void assertConsistent() {
            nodesAreFree();
            quotasAreUsed();
            groupsAreUsed();
            aggregationIsUsed();
            jobsAreListed();
            double objective = chosen().stream().mapToDouble(Candidate::utility).sum();
            assertThat(plan.objective()).as(name).isCloseTo(objective, within(CLOSE));
            assertThat(plan.restarts()).as(name).isEqualTo(restarts());
        }

        private int restarts() {
            return (int) IntStream.range(0, candidates.jobs())
                    .filter(j -> candidates.retainedCandidate(j) >= 0 && !candidates.isPinned(j))
                    .filter(j -> candidates
                            .clusterIndex()
                            .mayStay(candidates.job(j), candidates.job(j).allocation()))
                    .filter(j -> !candidates.isRetained(plan.choiceOf(j)))
                    .count();
        }

        private void nodesAreFree() {
            ResidualCluster cluster = plan.residual().cluster();
            List<Node> nodes = candidates.clusterIndex().nodes();
            for (int v = 0; v < nodes.size(); v++) {
                int slots = nodes.get(v).slots();
                double cpus = nodes.get(v).cpus() - pinnedAggregation(nodes.get(v));
                double memory = nodes.get(v).memoryGiB();
                for (Candidate candidate : chosen()) {
                    int taken = slotsOn(candidate, v);
                    slots -= taken;
                    cpus -= taken * candidates.host(candidate).cpusPerSlot();
                    memory -= taken * candidates.host(candidate).memoryGiBPerSlot();
                }
                assertThat(cluster.slots(v)).as(name).isEqualTo(slots).isNotNegative();
                assertThat(cluster.cpus(v)).as(name).isCloseTo(Math.max(0, cpus), within(CLOSE));
                assertThat(cluster.memory(v)).as(name).isCloseTo(Math.max(0, memory), within(CLOSE));
            }
            candidates
                    .clusterIndex()
                    .classes()
                    .forEach(nodeClass -> assertThat(cluster.slots(nodeClass))
                            .as(name)
                            .isEqualTo(nodeClass.nodes().stream()
                                    .mapToInt(cluster::slots)
                                    .sum()));
        }

        private int slotsOn(Candidate candidate, int v) {
            int[] on = plan.nodesOf(candidate.job());
            int[] pieces = pieces(candidate);
            assertThat(on).as(name).hasSameSizeAs(pieces).doesNotHaveDuplicates();
            return IntStream.range(0, on.length)
                    .filter(i -> on[i] == v)
                    .map(i -> pieces[i])
                    .sum();
        }

        private void quotasAreUsed() {
            QuotaUsage usage = plan.residual().quotas();
            for (int a = 0; a < candidates.quotas().size(); a++) {
                QuotaSystem.Account account = candidates.quotas().account(a);
                assertThat(usage.use(a)).as(name).isEqualTo(use(account)).isLessThanOrEqualTo(account.limit());
                assertThat(usage.claim(a)).as(name).isEqualTo(Math.max(account.retained(), use(account)));
            }
        }

        private long use(QuotaSystem.Account account) {
            long own = chosen().stream()
                    .filter(candidate ->
                            candidate.configuration().acceleratorType().equals(account.type()))
                    .filter(candidate -> account.tenants()
                            .contains(candidates.job(candidate.job()).tenant()))
                    .filter(candidate -> account.counts(candidates.job(candidate.job())))
                    .mapToLong(Candidate::slots)
                    .sum();
            return own
                    + account.accounts().stream()
                            .mapToLong(accountBelow -> Math.max(accountBelow.retained(), use(accountBelow)))
                            .sum();
        }

        private void groupsAreUsed() {
            for (GroupCaps.Cap cap : candidates.groups().all()) {
                List<Candidate> ownCandidates = chosen().stream()
                        .filter(candidate -> cap.name()
                                .equals(candidates.job(candidate.job()).spec().group()))
                        .toList();
                long slots = ownCandidates.stream().mapToLong(Candidate::slots).sum();
                if (cap.slots() < GroupCaps.NO_LIMIT) {
                    assertThat(plan.residual().groups().slotsLeft(cap))
                            .as(name)
                            .isEqualTo(cap.slots() - slots)
                            .isNotNegative();
                }
                if (cap.jobs() < GroupCaps.NO_LIMIT) {
                    assertThat(plan.residual().groups().jobsLeft(cap))
                            .as(name)
                            .isEqualTo(cap.jobs() - ownCandidates.size())
                            .isNotNegative();
                }
                assertThat(listed(plan.jobsByGroup(), cap.index()))
                        .as(name)
                        .containsExactlyInAnyOrderElementsOf(
                                ownCandidates.stream().map(Candidate::job).toList());
            }
        }

        private double pinnedAggregation(Node node) {
            return IntStream.range(0, candidates.jobs())
                    .filter(candidates::isPinned)
                    .filter(j -> !candidates
                            .aggregators(j, candidates.job(j).allocation())
                            .shares())
                    .mapToObj(j -> candidates.job(j).allocation())
                    .flatMap(heldAllocation -> heldAllocation.aggregation().stream())
                    .filter(share -> share.node().equals(node.id()))
                    .mapToDouble(AggregationShare::slots)
                    .sum();
        }

        /** Returns the thousandths that the limit of the node and its CPUs leave to the aggregators of other jobs. */
        private long aggregationOn(Node node, double cpusOfMore) {
            double pinned = pinnedAggregation(node);
            double cpus = node.cpus() - pinned - cpusOfMore;
            double limit = candidates.clusterIndex().offersAggregation(node)
                    ? Math.round(1000 * node.aggregationSlots()) / 1000.0 - pinned
                    : 0;
            for (int j = 0; j < candidates.jobs(); j++) {
                if (plan.choiceOf(j) >= 0) {
                    Candidate candidate = candidates.get(plan.choiceOf(j));
                    for (int i = 0; i < plan.nodesOf(j).length; i++) {
                        if (plan.nodesOf(j)[i] == candidates.clusterIndex().indexOf(node.id())) {
                            cpus -= plan.demand(plan.choiceOf(j)).pieces()[i]
                                    * candidates.host(candidate).cpusPerSlot();
                        }
                    }
                }
            }
            return Math.max(0, (long) Math.floor(1000 * Math.min(limit, cpus) + 1e-6));
        }

        /** Returns the thousandths that aggregators of the pool need, with those of {@code more}. */
        private long needOf(String pool, @Nullable Candidate more) {
            long dedicated = 0;
            long shared = 0;
            long widest = 0;
            for (AggregatorDemand demand : demands(pool, more)) {
                dedicated += demand.shares() ? 0 : demand.slots();
                shared += demand.shares() ? demand.cpus() : 0;
                widest = Math.max(widest, demand.shares() ? demand.slots() : 0);
            }
            return dedicated + Math.max(pinnedShared(pool), Math.max(shared, widest));
        }

        /** Returns the shared aggregators that stay on their nodes: those of pinned jobs. */
        private long pinnedShared(String pool) {
            return candidates.clusterIndex().nodes().stream()
                    .filter(node -> node.pool().equals(pool))
                    .mapToLong(node -> {
                        long sum = 0;
                        long widest = 0;
                        for (int j = 0; j < candidates.jobs(); j++) {
                            Allocation heldAllocation = candidates.job(j).allocation();
                            if (heldAllocation == null || !candidates.isPinned(j)) {
                                continue;
                            }
                            AggregatorDemand demand = candidates.aggregators(j, heldAllocation);
                            for (AggregationShare share : heldAllocation.aggregation()) {
                                if (demand.shares() && share.node().equals(node.id())) {
                                    sum += (share.thousandths() * demand.cpus() + demand.slots() - 1) / demand.slots();
                                    widest = Math.max(widest, share.thousandths());
                                }
                            }
                        }
                        return Math.max(sum, widest);
                    })
                    .sum();
        }

        private List<AggregatorDemand> demands(String pool, @Nullable Candidate more) {
            List<AggregatorDemand> demands = new ArrayList<>();
            for (int j = 0; j < candidates.jobs(); j++) {
                Allocation heldAllocation = candidates.job(j).allocation();
                int c = plan.choiceOf(j);
                if (heldAllocation != null && candidates.isPinned(j)) {
                    AggregatorDemand demand = candidates.aggregators(j, heldAllocation);
                    boolean isHere = heldAllocation.configuration().pool().equals(pool);
                    demands.addAll(isHere && demand.shares() ? List.of(demand) : List.of());
                } else if (c >= 0 && candidates.get(c).configuration().pool().equals(pool)) {
                    demands.add(candidates.aggregators(candidates.get(c)));
                }
            }
            if (more != null) {
                demands.add(candidates.aggregators(more));
            }
            return demands;
        }

        private long cpusOf(String pool) {
            return candidates.clusterIndex().nodes().stream()
                    .filter(node -> node.pool().equals(pool))
                    .mapToLong(node -> aggregationOn(node, 0))
                    .sum();
        }

        private void aggregationIsUsed() {
            candidates.problem().pools().forEach(pool -> {
                long left = cpusOf(pool.name()) - needOf(pool.name(), null);
                assertThat(plan.residual().aggregation(pool.name()))
                        .as(name)
                        .isEqualTo(left)
                        .isNotNegative();
            });
        }

        private void jobsAreListed() {
            for (int v = 0; v < candidates.clusterIndex().nodes().size(); v++) {
                int node = v;
                assertThat(listed(plan.jobsByNode(), v))
                        .as(name)
                        .containsExactlyInAnyOrderElementsOf(chosen().stream()
                                .filter(candidate -> slotsOn(candidate, node) > 0)
                                .map(Candidate::job)
                                .toList());
            }
            for (int a = 0; a < candidates.quotas().size(); a++) {
                int account = a;
                assertThat(listed(plan.jobsByAccount(), a))
                        .as(name)
                        .containsExactlyInAnyOrderElementsOf(chosen().stream()
                                .filter(candidate -> countsIn(account, candidate))
                                .map(Candidate::job)
                                .toList());
            }
        }

        private boolean countsIn(int account, Candidate candidate) {
            QuotaSystem.Account one = candidates.quotas().account(account);
            return one.type().equals(candidate.configuration().acceleratorType())
                    && one.counts(candidates.job(candidate.job()))
                    && tenants(one).contains(candidates.job(candidate.job()).tenant());
        }

        private Set<String> tenants(QuotaSystem.Account account) {
            Set<String> all = new TreeSet<>(account.tenants());
            account.accounts().forEach(accountBelow -> all.addAll(tenants(accountBelow)));
            return all;
        }

        private static List<Integer> listed(JobLists lists, int key) {
            return IntStream.range(0, lists.size(key))
                    .mapToObj(i -> lists.get(key, i))
                    .toList();
        }

        /** Returns 1 if the validator has checked the plan; it is skipped if too many jobs restart. */
        int validate() {
            if (plan.restarts() > constraints.restarts().limit()) {
                return 0;
            }
            PlacementResult placement = plan.placement();
            assertThat(placement.unplaced()).as(name).isEmpty();
            assertThat(PlannedAllocations.violations(candidates.problem(), placement.allocations()))
                    .as(name)
                    // A fresh candidate on the nodes that its job holds is no restart, and its utility is larger.
                    .filteredOn(violation -> !violation.rule().equals("utilityIsAsStated"))
                    .isEmpty();
            return 1;
        }

        /** Returns 1 if the candidate that was refused last uses one node, so that every node can be tried. */
        int assertRefusalIsNecessary() {
            Candidate candidate = candidates.get(tried);
            int[] pieces = pieces(candidate);
            if (pieces.length > 1) {
                return 0;
            }
            boolean isLimited = exceedsQuota(candidate) || exceedsGroup(candidate) || exceedsAggregation(candidate);
            Allocation heldAllocation = candidates.job(candidate.job()).allocation();
            for (int v = 0; v < candidates.clusterIndex().nodes().size(); v++) {
                boolean isOpen = (candidate.isRetained() && heldAllocation != null)
                        ? candidates
                                        .clusterIndex()
                                        .indexOf(heldAllocation
                                                .placement()
                                                .get(0)
                                                .node())
                                == v
                        : candidates.clusterIndex().classOf(v) == candidate.nodeClass()
                                && candidate.access().contains(v);
                ResidualCluster cluster = plan.residual().cluster();
                boolean holds = leavesAggregation(candidate, v, pieces[0])
                        && cluster.slots(v) >= pieces[0]
                        && cluster.cpus(v)
                                >= pieces[0] * candidates.host(candidate).cpusPerSlot()
                        && cluster.memory(v)
                                >= pieces[0] * candidates.host(candidate).memoryGiBPerSlot();
                assertThat(isOpen && holds && !isLimited)
                        .as("%s: candidate %d fits on node %d", name, tried, v)
                        .isFalse();
            }
            return 1;
        }

        private boolean leavesAggregation(Candidate candidate, int v, int piece) {
            String pool = candidate.configuration().pool();
            Node node = candidates.clusterIndex().nodes().get(v);
            double perSlot = candidates.host(candidate).cpusPerSlot();
            long lost = aggregationOn(node, 0) - aggregationOn(node, piece * perSlot);
            return lost == 0 || lost + needOf(pool, candidate) <= cpusOf(pool);
        }

        private boolean exceedsQuota(Candidate candidate) {
            for (int a = 0; a < candidates.quotas().size(); a++) {
                QuotaSystem.Account account = candidates.quotas().account(a);
                if (countsIn(a, candidate) && useWith(account, candidate) > account.limit()) {
                    return true;
                }
            }
            return false;
        }

        private long useWith(QuotaSystem.Account account, Candidate more) {
            boolean isOwn =
                    account.tenants().contains(candidates.job(more.job()).tenant())
                            && account.counts(candidates.job(more.job()));
            long own = use(account)
                    - account.accounts().stream()
                            .mapToLong(b -> Math.max(b.retained(), use(b)))
                            .sum();
            return own
                    + (isOwn ? more.slots() : 0)
                    + account.accounts().stream()
                            .mapToLong(accountBelow -> Math.max(accountBelow.retained(), useWith(accountBelow, more)))
                            .sum();
        }

        private boolean exceedsGroup(Candidate candidate) {
            GroupCaps.Cap cap = candidates.groups().of(candidates.job(candidate.job()));
            List<Candidate> ownCandidates = chosen().stream()
                    .filter(other ->
                            cap != null && cap.equals(candidates.groups().of(candidates.job(other.job()))))
                    .toList();
            return cap != null
                    && (ownCandidates.size() + 1 > cap.jobs()
                            || ownCandidates.stream()
                                                    .mapToLong(Candidate::slots)
                                                    .sum()
                                            + candidate.slots()
                                    > cap.slots());
        }

        private boolean exceedsAggregation(Candidate candidate) {
            String pool = candidate.configuration().pool();
            return candidate.configuration().aggregationThousandths() > 0 && needOf(pool, candidate) > cpusOf(pool);
        }
    }
}
