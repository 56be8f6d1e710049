package dev.spur.solver;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobKind;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Promise;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.Horizon;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.Placer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Seeded problems with everything in them: mixed node sizes, spreads, parameter servers, host limits, quotas, reservations,
 * draining nodes, deadlines, and jobs that already hold something, some of which may not be touched.
 */
public final class RandomProblems {
    private static final double NOW = 100_000;
    private static final List<String> TYPES = List.of("A", "B");

    private final Random random;

    private RandomProblems(long seed) {
        random = new Random(seed);
    }

    /** A problem with up to {@code maxNodes} nodes and {@code maxJobs} jobs, the same for the same arguments. */
    public static RoundProblem problem(long seed, int maxNodes, int maxJobs) {
        return new RandomProblems(seed).build(maxNodes, maxJobs);
    }

    /** The same problem after some hosts have lost CPU, memory or aggregation under the jobs that they carry. */
    public static RoundProblem shrunk(long seed, int maxNodes, int maxJobs) {
        Random random = new Random(~seed);
        RoundProblem whole = problem(seed, maxNodes, maxJobs);
        return whole.withNodes(whole.nodes().stream()
                .map(node -> new Node(
                        node.id(),
                        node.pool(),
                        node.rack(),
                        node.acceleratorType(),
                        node.devices(),
                        node.cpus() * (random.nextBoolean() ? 1 : random.nextDouble()),
                        node.memoryGiB() * (random.nextBoolean() ? 1 : random.nextDouble()),
                        node.aggregationSlots() * (random.nextBoolean() ? 1 : random.nextDouble()),
                        node.pricePerSlotHour(),
                        node.state()))
                .toList());
    }

    /** The same problem without deadlines and with endless patience: worth alone decides. */
    public static RoundProblem withoutObligations(RoundProblem problem) {
        return withObligations(problem, 1e9, job -> withDeadline(job, null, Promise.NONE));
    }

    /** The same problem with this patience, and each job changed. */
    public static RoundProblem withObligations(RoundProblem problem, double patience, UnaryOperator<Job> change) {
        RoundSettings settings = problem.settings();
        return problem.withSettings(new RoundSettings(
                        settings.objective(),
                        settings.horizon(),
                        settings.gapTarget(),
                        settings.budget(),
                        settings.maxRestarts(),
                        patience,
                        settings.ageingSeconds()))
                .withJobs(problem.jobs().stream().map(change).toList());
    }

    /** The same job with this deadline, of which this was said. */
    public static Job withDeadline(Job job, Double deadline, Promise promise) {
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                job.remainingSamples(),
                deadline,
                promise,
                job.history(),
                job.allocation());
    }

    private RoundProblem build(int maxNodes, int maxJobs) {
        List<Node> nodes = IntStream.rangeClosed(1, 1 + random.nextInt(maxNodes))
                .mapToObj(this::node)
                .toList();
        List<Tenant> tenants = tenants();
        List<Job> jobs = IntStream.rangeClosed(1, 1 + random.nextInt(maxJobs))
                .mapToObj(j -> job(j, tenants))
                .toList();
        RoundProblem fresh = new RoundProblem(
                RoundProblem.FORMAT,
                NOW,
                settings(),
                TYPES.stream().map(type -> new AcceleratorType(type, 40)).toList(),
                List.of(new Pool("p", random.nextInt(6) == 0), new Pool("q", false)),
                nodes,
                reservations(nodes),
                tenants,
                jobs,
                RoundMemory.EMPTY);
        return random.nextInt(4) == 0 ? fresh : withHolders(fresh);
    }

    private Node node(int i) {
        int slots = List.of(1, 2, 4, 4, 8, 3, 0).get(random.nextInt(7));
        NodeState state = List.of(
                        NodeState.ACTIVE,
                        NodeState.ACTIVE,
                        NodeState.ACTIVE,
                        NodeState.ACTIVE,
                        NodeState.ACTIVE,
                        NodeState.CORDONED,
                        NodeState.DRAINING,
                        NodeState.LOST)
                .get(random.nextInt(8));
        return new Node(
                "n" + i,
                random.nextInt(5) == 0 ? "q" : "p",
                "r" + random.nextInt(2),
                slots == 0 ? null : TYPES.get(random.nextInt(2)),
                IntStream.range(0, slots).mapToObj(d -> "d" + d).toList(),
                List.of(8.0, 16.0, 32.0).get(random.nextInt(3)),
                64,
                random.nextInt(4),
                random.nextInt(3),
                state);
    }

    private List<Tenant> tenants() {
        List<Tenant> tenants = new ArrayList<>(List.of(new Tenant("root", null, 1, Map.of())));
        tenants.add(new Tenant("x", "root", 1 + random.nextInt(2), quotas()));
        tenants.add(new Tenant("y", "root", 1, quotas()));
        tenants.add(new Tenant("y1", "y", 1, random.nextBoolean() ? quotas() : Map.of()));
        return tenants;
    }

    private Map<String, Quota> quotas() {
        Map<String, Quota> quotas = new HashMap<>();
        for (String type : TYPES) {
            if (random.nextInt(3) == 0) {
                Integer borrow = random.nextBoolean() ? null : random.nextInt(4);
                Integer lend = random.nextBoolean() ? null : random.nextInt(4);
                quotas.put(type, new Quota(random.nextInt(8), borrow, lend));
            }
        }
        return quotas;
    }

    private List<Reservation> reservations(List<Node> nodes) {
        if (random.nextInt(4) != 0) {
            return List.of();
        }
        String tenant = random.nextBoolean() ? "y" : null;
        return List.of(new Reservation("r", List.of(nodes.get(0).id()), tenant, NOW - 10, NOW + 10));
    }

    private RoundSettings settings() {
        ObjectiveKind[] kinds = ObjectiveKind.values();
        Objective plain = Objective.of(kinds[random.nextInt(kinds.length)]);
        Objective objective = new Objective(
                plain.kind(),
                plain.power(),
                plain.runBonus(),
                plain.changePenalty(),
                plain.queueLimits(),
                plain.queueFactor(),
                random.nextInt(3) == 0 ? 1e-3 : 0);
        return new RoundSettings(
                objective,
                Horizon.DEFAULT,
                0,
                new SolveBudget(20, 120, 1, 1),
                random.nextInt(4) == 0 ? random.nextInt(3) : null,
                random.nextInt(4) == 0 ? 40_000 : 1e6,
                7200);
    }

    private Job job(int i, List<Tenant> tenants) {
        double total = 1e5 * (1 + random.nextInt(100));
        double arrival = NOW - random.nextInt(50_000);
        Double deadline = random.nextInt(5) == 0 ? NOW + 500 + random.nextInt(20_000) : null;
        return new Job(
                "j" + i,
                tenants.get(random.nextInt(tenants.size())).name(),
                arrival,
                spec(total),
                total * (0.05 + 0.95 * random.nextDouble()),
                deadline,
                deadline == null ? Promise.NONE : Promise.ASKED,
                new ServiceHistory(random.nextInt(10_000), 0, random.nextInt(3), null, arrival),
                null);
    }

    private JobSpec spec(double total) {
        int min = List.of(1, 1, 1, 2, 3, 4).get(random.nextInt(6));
        int max = min + List.of(0, 1, 3, 7, 12).get(random.nextInt(5));
        boolean powers = Integer.bitCount(min) == 1 && random.nextBoolean();
        boolean servers = random.nextInt(3) == 0;
        return new JobSpec(
                JobKind.TRAINING,
                new Work(WorkUnit.SAMPLES, total, null),
                new Elasticity(
                        random.nextInt(3) == 0 ? List.of("A") : List.of(),
                        random.nextInt(4) == 0 ? List.of("p") : List.of(),
                        min,
                        max,
                        powers,
                        List.of(),
                        random.nextInt(5) == 0 ? 2 : null,
                        random.nextInt(4) == 0),
                new BatchLimits(64, 32, 512, 64 + random.nextInt(64), Map.of(), random.nextBoolean()),
                new Synchronization(!servers || random.nextBoolean(), servers, servers ? 0.5 : 0, servers ? 3 : 0),
                random.nextBoolean() ? StatisticalEfficiency.ofNoiseScale(200) : StatisticalEfficiency.UNKNOWN,
                profile(servers),
                random.nextInt(3) == 0 ? new HostDemand(1 + random.nextInt(4), random.nextInt(12)) : HostDemand.NONE,
                random.nextInt(120),
                random.nextInt(600),
                random.nextInt(6) != 0,
                1 + random.nextInt(3),
                random.nextInt(3) - 1);
    }

    /** Points that need not be monotone; some are 0. */
    private ThroughputProfile profile(boolean servers) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : TYPES) {
            double speed = 50 + random.nextInt(200);
            for (int[] shape : new int[][] {{1, 1}, {2, 1}, {2, 2}, {4, 1}, {4, 2}, {8, 2}, {16, 4}}) {
                for (int batch : new int[] {64, 256}) {
                    double noise = random.nextInt(12) == 0 ? 0 : 0.6 + 0.8 * random.nextDouble();
                    double rate = speed * Math.pow(shape[0], 0.8) * (batch == 64 ? 1 : 1.4) * noise;
                    points.add(ProfilePoint.allReduce(type, shape[0], shape[1], batch, rate));
                    if (servers) {
                        points.add(new ProfilePoint(
                                type, shape[0], shape[1], batch, SyncStrategy.PARAMETER_SERVER, 1, rate * 0.8));
                        points.add(new ProfilePoint(
                                type, shape[0], shape[1], batch, SyncStrategy.PARAMETER_SERVER, 2, rate * 1.1));
                    }
                }
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    /** The same problem in which some jobs hold what a greedy plan gave them, on nodes that still live. */
    private RoundProblem withHolders(RoundProblem fresh) {
        CandidateSet candidates = CandidateGenerator.generate(fresh);
        Map<Integer, Allocation> given =
                Placer.place(candidates, GreedyFill.filled(candidates)).allocations();
        List<Job> jobs = new ArrayList<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation allocation = given.get(j);
            Job job = candidates.job(j);
            boolean holds = allocation != null && random.nextInt(4) != 0;
            jobs.add(holds ? holding(job, allocation) : job);
        }
        return fresh.withJobs(jobs)
                .withNodes(fresh.nodes().stream()
                        .map(node -> node.state() == NodeState.ACTIVE && random.nextInt(8) == 0
                                ? node.withState(random.nextBoolean() ? NodeState.DRAINING : NodeState.CORDONED)
                                : node)
                        .toList());
    }

    private Job holding(Job job, Allocation allocation) {
        double since = NOW - random.nextInt(2000);
        Allocation held =
                new Allocation(allocation.configuration(), allocation.placement(), allocation.aggregation(), since);
        Promise promise = job.deadline() == null ? Promise.NONE : Promise.AT_RISK;
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                job.remainingSamples(),
                job.deadline(),
                promise,
                new ServiceHistory(5000, 500, 1, job.arrival(), job.arrival()),
                held);
    }
}
