package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.utility.Utility;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.quota.QuotaSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** All candidate configurations of a round, numbered job by job. */
public final class CandidateSet {
    private final RoundProblem problem;
    private final ClusterIndex clusterIndex;
    private final List<JobCandidates> byJob;
    private final List<Candidate> allCandidates;
    private final Utility utility;
    private final Valuation valuation;
    private final QuotaSystem quotas;
    private final GroupCaps groups;
    private final int[] first;
    private final int[] retained;

    /** @param byJob one entry per job of the problem, in its order */
    public CandidateSet(RoundProblem problem, ClusterIndex clusterIndex, Utility utility, List<JobCandidates> byJob) {
        this(problem, clusterIndex, utility, byJob, new QuotaSystem(problem), new GroupCaps(problem));
    }

    /** Creates the set with the limits of {@code problem}. */
    CandidateSet(
            RoundProblem problem,
            ClusterIndex clusterIndex,
            Utility utility,
            List<JobCandidates> byJob,
            QuotaSystem quotas,
            GroupCaps groups) {
        this(
                problem,
                clusterIndex,
                utility,
                (job, configuration, goodput, change, terms) ->
                        utility.of(job).of(configuration, goodput, change, terms),
                byJob,
                quotas,
                groups);
    }

    private CandidateSet(
            RoundProblem problem,
            ClusterIndex clusterIndex,
            Utility utility,
            Valuation valuation,
            List<JobCandidates> byJob,
            QuotaSystem quotas,
            GroupCaps groups) {
        this.problem = problem;
        this.clusterIndex = clusterIndex;
        this.utility = utility;
        this.valuation = valuation;
        this.byJob = List.copyOf(byJob);
        this.quotas = quotas;
        this.groups = groups;
        allCandidates = new ArrayList<>(byJob.stream()
                .mapToInt(own ->
                        own.freshCandidates().size() + own.otherCandidates().size() + 1)
                .sum());
        first = new int[byJob.size() + 1];
        retained = new int[byJob.size()];
        for (int j = 0; j < byJob.size(); j++) {
            JobCandidates own = byJob.get(j);
            first[j] = allCandidates.size();
            allCandidates.addAll(own.freshCandidates());
            allCandidates.addAll(own.otherCandidates());
            retained[j] = own.retainedCandidate() == null ? -1 : allCandidates.size();
            if (own.retainedCandidate() != null) {
                allCandidates.add(own.retainedCandidate());
            }
        }
        first[byJob.size()] = allCandidates.size();
    }

    /**
     * Returns a set with other candidates of the same jobs.
     *
     * @param settings settings of the solve
     * @param valuation objective of the solve, with which {@code otherCandidates} are valued
     */
    public CandidateSet with(RoundSettings settings, Valuation valuation, List<JobCandidates> otherCandidates) {
        return new CandidateSet(
                problem.withSettings(settings), clusterIndex, utility, valuation, otherCandidates, quotas, groups);
    }

    public RoundProblem problem() {
        return problem;
    }

    public ClusterIndex clusterIndex() {
        return clusterIndex;
    }

    /** The utilities of the jobs. */
    public Utility utility() {
        return utility;
    }

    /** The objective of the solve. */
    public Valuation valuation() {
        return valuation;
    }

    /** Returns the use of quotas and caps by {@code candidate}, in the units of {@link #quotas()}. */
    public int units(Candidate candidate) {
        return quotas.units().perSlot() == 1
                ? candidate.slots()
                : (int) quotas.units().ofParts((long) candidate.slots() * candidate.parts());
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
        return allCandidates.size();
    }

    public Job job(int j) {
        return problem.jobs().get(j);
    }

    public JobCandidates of(int j) {
        return byJob.get(j);
    }

    public Candidate get(int c) {
        return allCandidates.get(c);
    }

    /** Returns the host demand of each slot of {@code candidate}. */
    public HostDemand host(Candidate candidate) {
        return job(candidate.job()).spec().hostIn(candidate.configuration());
    }

    /** Returns the demand of {@code candidate} for aggregators. */
    public AggregatorDemand aggregators(Candidate candidate) {
        return AggregatorDemand.of(
                job(candidate.job()).spec(),
                candidate.configuration(),
                problem.settings().aggregation());
    }

    /**
     * Returns the demand of {@code allocation}, an allocation of job {@code j}, for aggregators that stay on its nodes.
     * Where one of these takes no new jobs, the job does not share.
     */
    public AggregatorDemand aggregators(int j, Allocation allocation) {
        boolean mayShare = allocation.aggregation().stream()
                .allMatch(share -> clusterIndex
                        .nodes()
                        .get(clusterIndex.indexOf(share.node()))
                        .state()
                        .takesNewJobs());
        return mayShare
                ? AggregatorDemand.of(
                        job(j).spec(),
                        allocation.configuration(),
                        problem.settings().aggregation())
                : AggregatorDemand.withoutSharing(allocation.configuration().aggregationThousandths());
    }

    /** Returns the number of the first candidate of job {@code j}. */
    public int first(int j) {
        return first[j];
    }

    /** Returns the number after the last candidate of job {@code j}. */
    public int end(int j) {
        return first[j + 1];
    }

    /**
     * Returns the number of the candidate that keeps the allocation of job {@code j}; -1 if it cannot. Others may keep
     * its devices with another host grant or batch size.
     */
    public int retainedCandidate(int j) {
        return retained[j];
    }

    /** Returns all candidates with which job {@code j} stays on its devices, {@link #retainedCandidate} first. */
    public IntStream retainedCandidates(int j) {
        int count = retained[j] < 0 ? 0 : byJob.get(j).otherCandidates().size() + 1;
        return IntStream.range(0, count).map(i -> retained[j] - i);
    }

    /** Returns whether {@code c} is a candidate with which its job stays on its devices; false for -1, waiting. */
    public boolean isRetained(int c) {
        return c >= 0 && allCandidates.get(c).isRetained();
    }

    /** Returns whether job {@code j} is pinned to its allocation. */
    public boolean isPinned(int j) {
        return byJob.get(j).pinned();
    }
}
