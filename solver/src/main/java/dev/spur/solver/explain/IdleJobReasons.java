package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.round.IdleReason;
import dev.spur.model.round.IdleSlots.IdleCause;
import dev.spur.model.utility.NodeTerms;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.resource.RestartLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reasons why jobs do not use the idle slots of a pool and type. */
final class IdleJobReasons {
    /** Relative difference of utilities that counts as equal. */
    private static final double TOLERANCE = 1e-9;
    /** Reasons that a message names. */
    private static final int NAMED = 3;

    /** Of equally frequent reasons, the one that is checked last comes first: its jobs are closest to the slots. */
    private static final Comparator<Map.Entry<IdleReason, List<Integer>>> BY_FREQUENCY =
            Comparator.<Map.Entry<IdleReason, List<Integer>>>comparingInt(
                            entry -> entry.getValue().size())
                    .thenComparing(Map.Entry::getKey)
                    .reversed();

    /** Of a running job, it may be due to the cost of a restart alone. */
    private static final Verdict NO_GAIN = Verdict.of(IdleReason.NO_GAIN);

    private final CandidateSet candidates;
    private final Map<Integer, Allocation> runningAllocations;
    private final Map<Integer, Double> utilities;
    private final ResidualCapacity residualCapacity;
    private final QuotaStanding quotas;
    private final boolean restartLimitIsReached;

    /** @param residualCapacity resources that the plan leaves */
    IdleJobReasons(
            CandidateSet candidates,
            Map<Integer, Allocation> runningAllocations,
            Map<Integer, Double> utilities,
            ResidualCapacity residualCapacity) {
        this.candidates = candidates;
        this.runningAllocations = runningAllocations;
        this.utilities = utilities;
        this.residualCapacity = residualCapacity;
        this.quotas = new QuotaStanding(candidates, runningAllocations, residualCapacity.quotas());
        RestartLimit restarts = RestartLimit.of(candidates);
        this.restartLimitIsReached = restarts.restarts(runningAllocations::get) >= restarts.limit();
    }

    /**
     * Reasons of all jobs.
     *
     * @param reason the most frequent one; {@code NO_JOB} without jobs
     * @param jobs the jobs by reason, the most frequent first
     * @param message the reasons as messages
     */
    record Summary(IdleReason reason, List<IdleCause> jobs, String message) {}

    /** Reason of one job, with a detail that may be empty. */
    private record Verdict(IdleReason reason, String detail) {
        private static Verdict of(IdleReason reason) {
            return new Verdict(reason, "");
        }
    }

    Summary summary(NodeClassName className) {
        Map<IdleReason, List<Integer>> jobs = new TreeMap<>();
        Map<IdleReason, String> details = new TreeMap<>();
        List<@Nullable Verdict> verdicts = new ArrayList<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            verdicts.add(verdict(j, className));
        }
        gainWithoutRestart(className, verdicts).forEach(j -> verdicts.set(j, Verdict.of(IdleReason.RESTART_COST)));
        for (int j = 0; j < candidates.jobs(); j++) {
            Verdict verdict = verdicts.get(j);
            if (verdict != null) {
                jobs.computeIfAbsent(verdict.reason(), reason -> new ArrayList<>())
                        .add(j);
                details.putIfAbsent(verdict.reason(), verdict.detail());
            }
        }
        if (jobs.isEmpty()) {
            return new Summary(IdleReason.NO_JOB, List.of(), IdleReason.NO_JOB.cause());
        }
        List<IdleCause> causes = jobs.entrySet().stream()
                .sorted(BY_FREQUENCY)
                .map(entry -> new IdleCause(
                        entry.getKey(),
                        entry.getValue().size(),
                        candidates.job(entry.getValue().get(0)).id()))
                .toList();
        List<String> messages = new ArrayList<>();
        for (IdleCause cause : causes.subList(0, Math.min(NAMED, causes.size()))) {
            messages.add("%d %s: %s%s"
                    .formatted(
                            cause.count(),
                            cause.count() == 1 ? "job" : "jobs",
                            IdleReasonMessages.of(cause.reason()),
                            details.get(cause.reason())));
        }
        return new Summary(causes.get(0).reason(), causes, String.join(" ", messages));
    }

    /**
     * Returns the running jobs without a candidate of more utility on more slots of {@code className} that would have
     * one if a restart took no time.
     */
    private Set<Integer> gainWithoutRestart(NodeClassName className, List<@Nullable Verdict> verdicts) {
        List<Integer> unsure = IntStream.range(0, candidates.jobs())
                .filter(j -> runningAllocations.containsKey(j) && NO_GAIN.equals(verdicts.get(j)))
                .boxed()
                .toList();
        if (unsure.isEmpty()) {
            return Set.of();
        }
        CandidateSet alone = CandidateGenerator.generate(candidates
                .problem()
                .withJobs(unsure.stream()
                        .map(candidates::job)
                        .map(job -> job.withAllocation(null).withSpec(job.spec().withStalls(change -> 0)))
                        .toList()));
        Set<Integer> gaining = new HashSet<>();
        for (int i = 0; i < unsure.size(); i++) {
            int j = unsure.get(i);
            Allocation allocation = Objects.requireNonNull(runningAllocations.get(j));
            if (more(alone.of(i).freshCandidates(), allocation, className).stream()
                    .anyMatch(
                            candidate -> utility(candidates.job(j), candidate, ChangeMechanism.UNCHANGED) > least(j))) {
                gaining.add(j);
            }
        }
        return gaining;
    }

    private double least(int j) {
        double now = utilities.getOrDefault(j, 0.0);
        return now + TOLERANCE * Math.max(1e-12, Math.abs(now));
    }

    /** Returns those of {@code some} that use slots of {@code className} beyond those of {@code allocation}. */
    private static List<Candidate> more(
            List<Candidate> some, @Nullable Allocation allocation, NodeClassName className) {
        int held = allocation != null && className.hasPlaceOf(allocation.configuration())
                ? allocation.configuration().slots()
                : 0;
        return only(some, candidate -> candidate.slots() > held && className.hasPlaceOf(candidate.configuration()));
    }

    /** Returns why job {@code j} does not use the slots; null if its request excludes them. */
    private @Nullable Verdict verdict(int j, NodeClassName className) {
        JobSpec spec = candidates.job(j).spec();
        if (!spec.elasticity().allowsPool(className.pool())
                || !spec.elasticity().allowsType(className.acceleratorType())) {
            return null;
        }
        if (excludesIdleNodes(spec, className)) {
            return Verdict.of(IdleReason.NODES_EXCLUDED);
        }
        Allocation allocation = runningAllocations.get(j);
        boolean isHere = allocation != null && className.hasPlaceOf(allocation.configuration());
        if (allocation != null
                && isHere
                && allocation.configuration().slots() >= spec.elasticity().maxSlots()) {
            return Verdict.of(IdleReason.MAX_SLOTS);
        }
        if (allocation != null && candidates.isPinned(j)) {
            return Verdict.of(IdleReason.PROTECTED);
        }
        List<Candidate> ownCandidates = more(candidates.of(j).freshCandidates(), allocation, className);
        return ownCandidates.isEmpty()
                ? withoutCandidates(spec, isHere ? allocation : null, allocation == null, className)
                : verdict(j, allocation, ownCandidates);
    }

    /** Returns whether the requirements of a job exclude every node of the class with an idle slot. */
    private boolean excludesIdleNodes(JobSpec spec, NodeClassName className) {
        if (spec.elasticity().requirements().isEmpty()) {
            return false;
        }
        for (NodeClass nodeClass : candidates.clusterIndex().classes()) {
            for (int v : nodeClass.nodes()) {
                Node node = candidates.problem().nodes().get(v);
                if (className.equals(NodeClassName.of(node))
                        && residualCapacity.cluster().slots(v) > 0
                        && spec.elasticity().allowsNode(node)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Verdict withoutCandidates(
            JobSpec spec, @Nullable Allocation allocation, boolean waits, NodeClassName className) {
        int known = spec.profile().points().stream()
                .filter(point -> point.acceleratorType().equals(className.acceleratorType()))
                .mapToInt(ProfilePoint::slots)
                .max()
                .orElse(0);
        int held = allocation == null ? 0 : allocation.configuration().slots();
        if (!BatchSizeMessages.dividesAbove(spec, held)) {
            return Verdict.of(IdleReason.NO_CONFIGURATION);
        }
        if (known <= held) {
            return Verdict.of(IdleReason.UNKNOWN_SPEED);
        }
        return waits ? Verdict.of(IdleReason.NO_CONFIGURATION) : NO_GAIN;
    }

    private Verdict verdict(int j, @Nullable Allocation allocation, List<Candidate> ownCandidates) {
        double least = least(j);
        List<Candidate> betterCandidates = only(ownCandidates, candidate -> withoutChange(candidate) > least);
        if (betterCandidates.isEmpty()) {
            return NO_GAIN;
        }
        ResourceDemand held = allocation == null ? null : ResourceDemand.of(candidates, j, allocation);
        if (held != null) {
            residualCapacity.remove(held, held.nodes());
        }
        Verdict verdict = obstacle(betterCandidates, least);
        if (held != null) {
            residualCapacity.add(held, held.nodes());
        }
        return verdict.reason() == IdleReason.QUOTA
                ? new Verdict(IdleReason.QUOTA, quotas.limit(smallest(betterCandidates)))
                : verdict;
    }

    /** Returns the obstacle of the candidate that is closest to the idle slots. */
    private Verdict obstacle(List<Candidate> betterCandidates, double least) {
        IdleReason closest = IdleReason.GANG_SIZE;
        for (int i = 0; i < betterCandidates.size() && closest != IdleReason.OPTIMALITY_GAP; i++) {
            IdleReason own = obstacle(betterCandidates.get(i), least);
            closest = own.compareTo(closest) > 0 ? own : closest;
        }
        // A limit is named only if the idle slots could hold a gang that it excludes.
        if (closest == IdleReason.GANG_SIZE) {
            return betterCandidates.stream().anyMatch(this::fitsAcrossDomains)
                    ? Verdict.of(IdleReason.TOPOLOGY)
                    : new Verdict(
                            IdleReason.GANG_SIZE,
                            gang(smallest(betterCandidates).configuration()));
        }
        return Verdict.of(
                closest == IdleReason.OPTIMALITY_GAP && restartLimitIsReached ? IdleReason.RESTART_LIMIT : closest);
    }

    /** Returns the first check that {@code candidate} fails, in the order of {@link IdleReason}. */
    private IdleReason obstacle(Candidate candidate, double least) {
        if (!residualCapacity.cluster().mayHold(candidate)) {
            return IdleReason.GANG_SIZE;
        }
        ResourceDemand demand = demand(candidate);
        if (!fits(demand.withoutHost())) {
            return IdleReason.GANG_SIZE;
        }
        if (!fits(demand)) {
            return IdleReason.HOST_RESOURCES;
        }
        if (!residualCapacity.quotaAllows(demand)) {
            return IdleReason.QUOTA;
        }
        if (!residualCapacity.groupAllows(demand)) {
            return IdleReason.GROUP_LIMIT;
        }
        if (!residualCapacity.aggregationAllows(demand)) {
            return IdleReason.AGGREGATION;
        }
        return candidate.utility() > least ? IdleReason.OPTIMALITY_GAP : IdleReason.RESTART_COST;
    }

    /** Returns whether only the domain that its job requires keeps {@code candidate} off the idle slots. */
    private boolean fitsAcrossDomains(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        TopologyRequest topology = job.spec().elasticity().topology();
        return topology != null
                && topology.requiresDomain()
                && candidate.configuration().nodes() > 1
                && fits(demand(candidates.clusterIndex().acrossDomains(candidate, job))
                        .withoutHost());
    }

    private static String gang(Configuration nextConfiguration) {
        return " The smallest is %d slots on %d %s."
                .formatted(
                        nextConfiguration.slots(),
                        nextConfiguration.nodes(),
                        nextConfiguration.nodes() == 1 ? "node" : "nodes");
    }

    /** Returns the utility of {@code candidate} without the cost of the change to it. */
    private double withoutChange(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        double free = utility(job, candidate, ChangeMechanism.UNCHANGED);
        double charged = utility(job, candidate, candidate.change());
        return Double.isFinite(charged) ? candidate.utility() + free - charged : free;
    }

    private double utility(Job job, Candidate candidate, ChangeMechanism change) {
        double factor = candidate.isRetained()
                ? 1
                : candidates
                        .clusterIndex()
                        .terms(job, candidate.nodeClass(), candidate.access())
                        .factor();
        return candidates
                .valuation()
                .of(job, candidate.configuration(), candidate.goodput(), change, new NodeTerms(0, factor));
    }

    private boolean fits(ResourceDemand demand) {
        return residualCapacity.nodesHold(demand);
    }

    private ResourceDemand demand(Candidate candidate) {
        return ResourceDemand.of(candidates, candidate);
    }

    private static List<Candidate> only(List<Candidate> some, Predicate<Candidate> which) {
        return some.stream().filter(which).toList();
    }

    private static Candidate smallest(List<Candidate> some) {
        return some.stream().min(Comparator.comparingInt(Candidate::slots)).orElseThrow();
    }
}
