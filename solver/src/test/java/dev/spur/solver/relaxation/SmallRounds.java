package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.RoleProblems;
import dev.spur.solver.SensitiveProblems;
import dev.spur.solver.TopologyProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Random rounds of several kinds, small enough to enumerate all plans. */
public enum SmallRounds {
    PLAIN,
    SHRUNK_HOSTS,
    SCARCE_CPUS,
    SHARED_AGGREGATORS,
    HOST_LEVELS,
    ROLES,
    GROUPS,
    QUOTAS,
    RESTARTS,
    /** Hosts have shrunk under running jobs, so that some cannot keep their allocation, and restarts are limited. */
    SHRUNK_RESTARTS,
    /** Pairs of equal nodes, jobs of several nodes, and a job that holds different pieces of two nodes. */
    GANGS,
    /** Nodes of one pool and type that differ in slots, prices, reservations and coming windows. */
    PLACES,
    /** Nodes in racks and blocks, and jobs that ask for one of these. */
    TOPOLOGY,
    UNEVEN;

    /**
     * Candidates and obligations of a round.
     *
     * @param kind kind of the round
     * @param seed seed of the round
     * @param obligations obligations, which are jointly possible without a restart limit
     */
    public record Round(SmallRounds kind, long seed, CandidateSet candidates, List<Obligation> obligations) {
        public CouplingConstraints constraints(RelaxationLevel level) {
            return CouplingConstraintsBuilder.of(candidates, obligations, level);
        }

        /** Returns the maximum objective value of a plan; negative infinity if no plan is feasible. */
        public double optimum() {
            return optimum(c -> true);
        }

        /** Returns the same for plans of {@code offered} candidates only. */
        double optimum(IntPredicate offered) {
            return Enumeration.bestWorth(candidates, predicates(), offered);
        }

        /** Returns the same for plans that contain candidate {@code c}. */
        double optimumWith(int c) {
            return Enumeration.bestWorth(candidates, with(c));
        }

        /** Returns whether a feasible plan contains candidate {@code c}. */
        boolean isPossible(int c) {
            return optimumWith(c) > Double.NEGATIVE_INFINITY;
        }

        /** Returns whether the job adopts candidate {@code c} without a restart on the devices that it could keep. */
        boolean isAdoptedInPlace(int c) {
            Job job = candidates.job(candidates.get(c).job());
            Allocation heldAllocation = job.allocation();
            return heldAllocation != null
                    && candidates.retainedCandidate(candidates.get(c).job()) >= 0
                    && job.changeTo(heldAllocation.withConfiguration(
                                    candidates.get(c).configuration()))
                            .keepsProcesses();
        }

        /** Returns random prices by row of the order of utilities per unit; about a third is 0. */
        public double[] prices(CouplingConstraints constraints, Random random) {
            double[] prices = constraints.worthPerUnit();
            Arrays.setAll(prices, r -> random.nextInt(3) == 0 ? 0 : prices[r] * random.nextDouble());
            return prices;
        }

        /** Returns whether some job has no choice, or the restart limit binds: prices are then not unique. */
        boolean isForced() {
            return !obligations.isEmpty()
                    || candidates.problem().settings().maxRestarts() != null
                    || IntStream.range(0, candidates.jobs()).anyMatch(candidates::isPinned);
        }

        private List<IntPredicate> with(int c) {
            List<IntPredicate> all = new ArrayList<>(predicates());
            all.add(other -> other == c);
            return all;
        }

        private List<IntPredicate> predicates() {
            List<IntPredicate> all = new ArrayList<>();
            for (Obligation obligation : obligations) {
                Set<Integer> own = new HashSet<>(obligation.candidates());
                all.add(own::contains);
            }
            return all;
        }

        @Override
        public String toString() {
            return "%s %d".formatted(kind, seed);
        }
    }

    /** Returns the round of {@code seed} with up to {@code nodes} nodes and {@code jobs} jobs. */
    public Round round(long seed, int nodes, int jobs) {
        CandidateSet candidates = CandidateGenerator.generate(generated(seed, nodes, jobs));
        return new Round(this, seed, candidates, seed % 3 == 0 ? obligations(candidates, seed) : List.of());
    }

    private RoundProblem generated(long seed, int nodes, int jobs) {
        return switch (this) {
            case PLAIN -> RandomProblems.problem(seed, nodes, jobs);
            case SHARED_AGGREGATORS -> RandomProblems.sharing(seed, nodes, jobs);
            case SCARCE_CPUS -> RandomProblems.scarce(seed, nodes, jobs);
            case SHRUNK_HOSTS -> RandomProblems.shrunk(seed, nodes, jobs);
            case HOST_LEVELS -> SensitiveProblems.problem(seed, nodes, jobs);
            case ROLES -> RoleProblems.problem(seed, nodes, jobs);
            case GROUPS -> GroupedProblems.problem(seed, nodes, jobs);
            case QUOTAS -> withQuotas(RandomProblems.problem(seed, nodes, jobs), new Random(seed));
            case RESTARTS -> withRestartLimit(RandomProblems.problem(seed, nodes, jobs), seed);
            case SHRUNK_RESTARTS -> withRestartLimit(RandomProblems.shrunk(seed, nodes, jobs), seed);
            case GANGS -> gangs(new Random(seed), jobs);
            case PLACES -> RandomProblems.placed(seed, nodes, jobs);
            case TOPOLOGY -> TopologyProblems.problem(seed, nodes, jobs);
            case UNEVEN -> RandomProblems.uneven(seed, nodes, jobs);
        };
    }

    private static RoundProblem gangs(Random random, int jobs) {
        ProblemFixture problem = problem();
        for (int v = 1; v <= 4; v++) {
            int slots = v <= 2 ? 3 : 2;
            problem.node(node("n" + v, slots).cpus(2.0 * slots));
        }
        boolean holds = random.nextBoolean();
        for (int j = 0; j < jobs; j++) {
            int max = 1 + random.nextInt(6);
            JobFixture job = job("j" + j)
                    .slots(1 + random.nextInt(max), max)
                    .host(random.nextInt(4), 1)
                    .weight(1 + random.nextInt(5));
            if (j == 0 && holds) {
                job.slots(1, 3)
                        .holding(JobFixture.allocation(0, JobFixture.piece("n1", 0, 2), JobFixture.piece("n3", 0, 1)));
            }
            problem.job(job);
        }
        return problem.build();
    }

    private static RoundProblem withRestartLimit(RoundProblem problem, long seed) {
        return problem.withSettings(problem.settings().withMaxRestarts((int) (seed % 2)));
    }

    /** Returns the problem with a small quota of every tenant other than the root, with reserved and borrowed slots. */
    private static RoundProblem withQuotas(RoundProblem problem, Random random) {
        return problem.withTenants(problem.tenants().stream()
                .map(tenant -> tenant.parent() == null
                        ? tenant
                        : new Tenant(
                                tenant.name(),
                                tenant.parent(),
                                tenant.weight(),
                                Map.of("A", quota(random), "B", quota(random))))
                .toList());
    }

    private static Quota quota(Random random) {
        return new Quota(random.nextInt(5), random.nextInt(4), random.nextInt(3));
    }

    /** Returns obligations to some jobs that the greedy plan satisfies. */
    static List<Obligation> obligations(CandidateSet candidates, long seed) {
        Random random = new Random(seed);
        int[] greedy = GreedyFill.fill(candidates).choice();
        List<Obligation> obligations = new ArrayList<>();
        for (int j = 0; j < greedy.length; j++) {
            if (greedy[j] >= 0 && random.nextInt(3) == 0) {
                int satisfied = greedy[j];
                obligations.add(new Obligation(
                        j,
                        IntStream.range(candidates.first(j), candidates.end(j))
                                .filter(c -> c == satisfied || random.nextInt(3) == 0)
                                .boxed()
                                .toList()));
            }
        }
        return obligations;
    }
}
