package dev.spur.solver.counterfactual;

import static dev.spur.model.Problems.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.whatif.AddNodes;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.Changes;
import dev.spur.model.whatif.ReleaseHold;
import dev.spur.model.whatif.SetGroup;
import dev.spur.model.whatif.SetNodeState;
import dev.spur.model.whatif.SetPriority;
import dev.spur.model.whatif.SetQuota;
import dev.spur.model.whatif.SetWeight;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterfactualSearchTest {
    private static final SolveBudget BUDGET = new SolveBudget(10, 20, 1, 1);
    private static final double SECONDS = 120;

    @Nested
    class NamesTheSmallestChange {
        @Test
        void slotsThatAreMissing() {
            RoundProblem problem = problem(
                    List.of(node("n1", 4, NodeState.ACTIVE)), List.of(pinned("runs", "n1", 4), job("waits", 2, 2)));

            assertThat(changes(problem, "waits"))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            AddNodes.class,
                            added -> assertThat(added.nodes().get(0).slots()).isEqualTo(2));
        }

        @Test
        void aQuotaThatIsTooSmall() {
            RoundProblem problem = problem(List.of(node("n1", 8, NodeState.ACTIVE)), List.of(job("waits", 2, 2)))
                    .withTenants(List.of(new Tenant("root", null, 1, Map.of("A100", new Quota(0, 0, null)))));

            assertThat(changes(problem, "waits")).containsExactly(new SetQuota("root", "A100", new Quota(2, 0, null)));
        }

        @Test
        void aCapThatIsTooSmall() {
            RoundProblem problem = ProblemFixture.problem()
                    .nodes(8)
                    .group("g", 3, null)
                    .job(JobFixture.job("waits").slots(5, 8).group("g"))
                    .build();

            assertThat(changes(problem, "waits")).containsExactly(new SetGroup("g", 5, null));
        }

        @Test
        void aGroupThatRunsAsManyJobsAsItMay() {
            RoundProblem problem = ProblemFixture.problem()
                    .nodes(8)
                    .group("g", 3, 1)
                    .jobs(
                            JobFixture.job("runs")
                                    .slots(2)
                                    .group("g")
                                    .notPreemptible()
                                    .on("n1", 2),
                            JobFixture.job("waits").slots(2).group("g"))
                    .build();

            assertThat(changes(problem, "waits")).containsExactly(new SetGroup("g", 4, 2));
            assertThat(changes(problem.withGroups(List.of(new JobGroup("g", "root", 8, 1))), "waits"))
                    .containsExactly(new SetGroup("g", 8, 2));
        }

        @Test
        void aNodeThatTakesNothingNew() {
            Node wide = node("n1", 64, NodeState.CORDONED);
            RoundProblem problem = problem(List.of(wide), List.of(job("waits", 64, 64)));

            List<Change> changes = changes(problem, "waits");

            assertRunsAfter(problem, List.of(), "waits", changes);
        }

        @Test
        void aHoldThatIsEnough() {
            RoundProblem problem = problem(List.of(node("n1", 4, NodeState.ACTIVE)), List.of());
            Job heldJob = job("held", 2, 2);
            CounterfactualResult answer =
                    CounterfactualSearch.search(problem, List.of(heldJob), "held", Policies.spur(), BUDGET, SECONDS);

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            CounterfactualResult.Found.class,
                            found -> assertThat(found.changes()).containsExactly(new ReleaseHold("held")));
        }

        @Test
        void aHoldAndMore() {
            RoundProblem problem = problem(List.of(node("n1", 4, NodeState.ACTIVE)), List.of(pinned("runs", "n1", 4)));
            Job heldJob = job("held", 2, 2);
            CounterfactualResult answer =
                    CounterfactualSearch.search(problem, List.of(heldJob), "held", Policies.spur(), BUDGET, SECONDS);

            assertThat(answer).isInstanceOfSatisfying(CounterfactualResult.Found.class, found -> {
                assertThat(found.changes()).hasSize(2).startsWith(new ReleaseHold("held"));
                assertRunsAfter(problem, List.of(heldJob), "held", found.changes());
            });
        }

        @Test
        void nothingIfTheJobRunsAnyway() {
            RoundProblem problem = problem(List.of(node("n1", 4, NodeState.ACTIVE)), List.of(job("fits", 2, 2)));

            assertThat(changes(problem, "fits")).isEmpty();
        }
    }

    @Test
    void aJobThatAHigherClassOutranksGetsAPriorityAndNoWeight() {
        RoundProblem problem = ProblemFixture.problem()
                .nodes(4)
                .jobs(
                        JobFixture.job("high").slots(4).priority(3).weight(9).on("n1", 4),
                        JobFixture.job("low").slots(4))
                .build();

        CounterfactualResult result =
                CounterfactualSearch.search(problem, List.of(), "low", Policies.spur(), SolveBudget.DEFAULT, 60);

        assertThat(result)
                .isInstanceOfSatisfying(
                        CounterfactualResult.Found.class,
                        found -> assertThat(found.changes()).containsExactly(new SetPriority("low", 4)));
        assertThat(new CandidateChanges(problem, problem.jobs().get(1)).byKind(true))
                .allSatisfy(kind -> assertThat(kind)
                        .allSatisfy(series -> assertThat(series).noneMatch(SetWeight.class::isInstance)));
    }

    @Nested
    class TriesKindsInOrder {
        private static final RoundProblem PROBLEM = problem(
                List.of(node("n1", 4, NodeState.ACTIVE), node("n2", 2, NodeState.DRAINING)),
                List.of(job("waits", 4, 4)));

        @Test
        void slotsThenQuotasThenCapsThenWeightsThenNodes() {
            RoundProblem quotas =
                    PROBLEM.withTenants(List.of(new Tenant("root", null, 1, Map.of("A100", new Quota(1, null, null)))));
            List<List<List<Change>>> kinds =
                    new CandidateChanges(quotas, quotas.jobs().get(0)).byKind(false);

            assertThat(kinds.get(1))
                    .singleElement()
                    .satisfies(slots -> assertThat(slots).allMatch(AddNodes.class::isInstance));
            assertThat(kinds.get(2)).as("no parameter server, no aggregation").isEmpty();
            assertThat(kinds.get(3))
                    .singleElement()
                    .satisfies(more ->
                            assertThat(more).startsWith(new SetQuota("root", "A100", new Quota(2, null, null))));
            assertThat(kinds.get(4)).as("no group, no cap").isEmpty();
            assertThat(kinds.get(5))
                    .singleElement()
                    .satisfies(weights ->
                            assertThat(weights).startsWith(new SetWeight("waits", 2), new SetWeight("waits", 4)));
            assertThat(kinds.get(6)).containsExactly(List.of(new SetNodeState("n2", NodeState.ACTIVE)));
        }

        @Test
        void eachFromSmallToLarge() {
            List<Change> slots = new CandidateChanges(PROBLEM, PROBLEM.jobs().get(0))
                    .byKind(false)
                    .get(1)
                    .get(0);

            assertThat(slots)
                    .extracting(change -> ((AddNodes) change).nodes().get(0).slots())
                    .isSorted()
                    .startsWith(1);
        }
    }

    @Nested
    class SaysTruly {
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void thatTheChangeStartsTheJobAndNoSmallerOneDoes(long seed) {
            RoundProblem problem = random(new Random(seed));
            RoundPlan now = solve(problem);
            for (String id : now.waiting().stream().map(d -> d.jobId()).limit(2).toList()) {
                List<Change> changes = changes(problem, id);
                assertRunsAfter(problem, List.of(), id, changes);
                if (changes.get(0) instanceof AddNodes added
                        && added.nodes().get(0).slots() > 1) {
                    Node one = added.nodes().get(0);
                    Node smaller = new Node(
                            one.id(),
                            one.pool(),
                            null,
                            one.acceleratorType(),
                            one.devices().subList(1, one.slots()),
                            one.cpus() * (one.slots() - 1) / one.slots(),
                            one.memoryGiB() * (one.slots() - 1) / one.slots(),
                            0,
                            one.pricePerSlotHour(),
                            NodeState.ACTIVE);
                    RoundProblem less = new AddNodes(List.of(smaller)).applyTo(problem, WithheldJobs.NOTHING);
                    assertThat(solve(less).quality().objectiveValue())
                            .as("seed %s, job %s: with one slot less it can be left out", seed, id)
                            .isCloseTo(solve(without(less, id)).quality().objectiveValue(), within(1e-6));
                }
            }
        }

        private RoundProblem without(RoundProblem problem, String id) {
            return problem.withJobs(
                    problem.jobs().stream().filter(job -> !job.id().equals(id)).toList());
        }

        @Test
        void thatTimeRanOut() {
            RoundProblem problem = problem(List.of(node("n1", 1, NodeState.ACTIVE)), List.of(job("waits", 64, 64)));

            assertThat(CounterfactualSearch.search(problem, List.of(), "waits", Policies.spur(), BUDGET, 0))
                    .isInstanceOfSatisfying(
                            CounterfactualResult.NotFound.class,
                            none -> assertThat(none.complete()).isFalse());
        }

        @Test
        void thatThereIsNoSuchJob() {
            RoundProblem problem = problem(List.of(), List.of());

            assertThatThrownBy(
                            () -> CounterfactualSearch.search(problem, List.of(), "nobody", Policies.spur(), BUDGET, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("nobody");
        }
    }

    private static List<Change> changes(RoundProblem problem, String jobId) {
        CounterfactualResult answer =
                CounterfactualSearch.search(problem, List.of(), jobId, Policies.spur(), BUDGET, SECONDS);
        assertThat(answer).isInstanceOf(CounterfactualResult.Found.class);
        return ((CounterfactualResult.Found) answer).changes();
    }

    private static void assertRunsAfter(RoundProblem problem, List<Job> heldJobs, String jobId, List<Change> changes) {
        RoundPlan plan = solve(Changes.applyAll(problem, new WithheldJobs(heldJobs, List.of()), changes));
        assertThat(CounterfactualSearch.isProved(plan.quality())).isTrue();
        assertThat(plan.running()).anyMatch(planned -> planned.jobId().equals(jobId));
    }

    private static RoundPlan solve(RoundProblem problem) {
        return Policies.spur().plan(problem.withSettings(problem.settings().withEffort(0, BUDGET)));
    }

    private static RoundProblem random(Random random) {
        List<Node> nodes = IntStream.range(0, 2)
                .mapToObj(i -> node("n" + i, 2 + random.nextInt(3), NodeState.ACTIVE))
                .toList();
        List<Job> jobs = IntStream.range(0, 6)
                .mapToObj(i -> {
                    int slots = 1 + random.nextInt(4);
                    return job("j" + i, slots, slots + random.nextInt(2));
                })
                .toList();
        return problem(nodes, jobs);
    }

    private static Node node(String id, int slots, NodeState state) {
        List<String> devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toList();
        return new Node(id, "main", null, "A100", devices, 64, 512, 8, 0, state);
    }

    /** A job that may not be touched and holds all of a node. */
    private static Job pinned(String id, String node, int slots) {
        List<String> devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toList();
        var configuration = new Configuration("main", "A100", List.of(slots), SyncStrategy.ALL_REDUCE, 0, 64, 0);
        return job(id, slots, slots, false)
                .withAllocation(new Allocation(configuration, List.of(new NodeShare(node, devices)), List.of(), 100));
    }

    private static Job job(String id, int minSlots, int maxSlots) {
        return job(id, minSlots, maxSlots, true);
    }

    private static Job job(String id, int minSlots, int maxSlots, boolean preemptible) {
        List<ProfilePoint> points = IntStream.of(1, 64)
                .mapToObj(k -> ProfilePoint.allReduce("A100", k, Math.max(1, k / 8), 64, 100.0 * k))
                .toList();
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, 1e6, null),
                Elasticity.between(minSlots, maxSlots),
                BatchLimits.roundedUp(64, 64),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.LEVEL,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                30,
                0,
                preemptible,
                1,
                0,
                null,
                null);
        return new Job(id, "root", 0, spec, 1e6, null, DeadlineStatus.NONE, ServiceHistory.ofArrival(0), null);
    }
}
