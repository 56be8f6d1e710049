package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.utility.Utility;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.quota.QuotaSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All candidate configurations of a round, numbered job by job. */
public final class CandidateSet {
    private final RoundProblem problem;
    private final ClusterIndex hardware;
    private final List<JobCandidates> byJob;
    private final List<Candidate> all;
    private final Utility utility;
    private final Valuation valuation;
    private final QuotaSystem quotas;
    private final GroupCaps groups;
    private final int[] first;
    private final int[] retained;

    /** @param byJob one entry per job of the problem, in its order */
    public CandidateSet(RoundProblem problem, ClusterIndex hardware, Utility utility, List<JobCandidates> byJob) {
        this(
                problem,
                hardware,
                utility,
                (job, configuration, goodput, change, price) ->
                        utility.of(job).of(configuration, goodput, change, price),
                byJob,
                new QuotaSystem(problem),
                new GroupCaps(problem));
    }

    private CandidateSet(
            RoundProblem problem,
            ClusterIndex hardware,
            Utility utility,
            Valuation valuation,
            List<JobCandidates> byJob,
            QuotaSystem quotas,
            GroupCaps groups) {
        this.problem = problem;
        this.hardware = hardware;
        this.utility = utility;
        this.valuation = valuation;
        this.byJob = List.copyOf(byJob);
        this.quotas = quotas;
        this.groups = groups;
        all = new ArrayList<>(
                byJob.stream().mapToInt(own -> own.fresh().size() + 1).sum());
        first = new int[byJob.size() + 1];
        retained = new int[byJob.size()];
        for (int j = 0; j < byJob.size(); j++) {
            JobCandidates own = byJob.get(j);
            first[j] = all.size();
            all.addAll(own.fresh());
            retained[j] = own.retained() == null ? -1 : all.size();
            if (own.retained() != null) {
                all.add(own.retained());
            }
        }
        first[byJob.size()] = all.size();
    }

    /**
     * Returns a set with other candidates of the same jobs.
     *
     * @param settings settings of the solve
     * @param value objective of the solve, with which {@code others} are valued
     */
    public CandidateSet with(RoundSettings settings, Valuation value, List<JobCandidates> others) {
        return new CandidateSet(problem.withSettings(settings), hardware, utility, value, others, quotas, groups);
    }

    public RoundProblem problem() {
        return problem;
    }

    public ClusterIndex hardware() {
        return hardware;
    }

    /** The utilities of the jobs. */
    public Utility utility() {
        return utility;
    }

    /** The objective of the solve. */
    public Valuation valuation() {
        return valuation;
    }

    /** The quotas of the problem. */
    public QuotaSystem quotas() {
        return quotas;
    }

    /** The caps of groups of jobs. */
    public GroupCaps groups() {
        return groups;
    }

    /** Returns the limits on the waits of jobs. */
    public WaitLimits limits() {
        return new WaitLimits(problem, utility);
    }

    /** Number of jobs. */
    public int jobs() {
        return byJob.size();
    }

    /** Number of candidates. */
    public int size() {
        return all.size();
    }

    public Job job(int j) {
        return problem.jobs().get(j);
    }

    public JobCandidates of(int j) {
        return byJob.get(j);
    }

    public Candidate get(int c) {
        return all.get(c);
    }

    /** Returns the host demand of each slot of {@code candidate}. */
    public HostDemand host(Candidate candidate) {
        return job(candidate.job()).spec().hostIn(candidate.configuration());
    }

    /** Returns the number of the first candidate of job {@code j}. */
    public int first(int j) {
        return first[j];
    }

    /** Returns the number after the last candidate of job {@code j}. */
    public int end(int j) {
        return first[j + 1];
    }

    /** Returns the number of the candidate that keeps the allocation of job {@code j}; -1 if it cannot. */
    public int retainedCandidate(int j) {
        return retained[j];
    }

    /** Returns whether job {@code j} is pinned to its allocation. */
    public boolean isPinned(int j) {
        return byJob.get(j).pinned();
    }

    /**
     * Returns the thousandths of aggregation slots of {@code pool} for jobs that may move: on each node with
     * aggregation, its capacity less the shares of pinned jobs.
     */
    public long aggregationThousandths(String pool) {
        if (hardware.aggregationThousandths(pool) == 0) {
            return 0;
        }
        Map<String, Long> taken = new HashMap<>();
        for (int j = 0; j < jobs(); j++) {
            Allocation held = job(j).allocation();
            if (held != null && isPinned(j)) {
                held.aggregation().forEach(share -> taken.merge(share.node(), share.thousandths(), Long::sum));
            }
        }
        return hardware.nodes().stream()
                .filter(node -> node.pool().equals(pool) && hardware.offersAggregation(node))
                .mapToLong(node ->
                        Math.max(0, Math.round(node.aggregationSlots() * 1000) - taken.getOrDefault(node.id(), 0L)))
                .sum();
    }
}
