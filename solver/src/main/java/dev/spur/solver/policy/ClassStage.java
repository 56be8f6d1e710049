package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundSettings;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.JobCandidates;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.candidate.Valuation;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.RestartLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Program of one stage of a solve by classes.
 *
 * <ul>
 *   <li>An open job has its candidates and its utilities.
 *   <li>A decided job that runs must have one of the candidates with the utility that it got; it counts 0, and a loss
 *       of that utility counts {@link #LOSS_FACTOR}-fold.
 *   <li>A decided job that waits has no candidates.
 *   <li>A running job of a lower class can only stay, with its utility times a small factor. A guaranteed one has all
 *       of its candidates. A waiting one has none.
 * </ul>
 */
final class ClassStage {
    private static final double LOSS_FACTOR = 1000;
    /** Relative tolerance for equal utilities. */
    private static final double ROUNDING = 1e-9;

    private final CandidateSet baseCandidates;
    private final ClassRoles roles;
    private final DecidedJobs decided;
    private final Set<Integer> bound;
    private final boolean[] stays;
    private final double lowerFactor;
    private final int[] toStage;
    private final List<Integer> toBase = new ArrayList<>();
    private final CandidateSet set;

    /**
     * @param decided what the decided jobs got
     * @param bound jobs with an existing guarantee
     * @param stays lower jobs that keep their allocations in any case; null for none
     * @param lowerFactor factor of the utilities of lower classes
     */
    ClassStage(
            CandidateSet baseCandidates,
            ClassRoles roles,
            DecidedJobs decided,
            Set<Integer> bound,
            boolean @Nullable [] stays,
            double lowerFactor) {
        this.baseCandidates = baseCandidates;
        this.roles = roles;
        this.decided = decided;
        this.bound = Set.copyOf(bound);
        this.stays = stays == null ? new boolean[baseCandidates.jobs()] : stays.clone();
        this.lowerFactor = lowerFactor;
        this.toStage = new int[baseCandidates.size()];
        Arrays.fill(toStage, -1);
        List<JobCandidates> byJob = new ArrayList<>();
        for (int j = 0; j < baseCandidates.jobs(); j++) {
            byJob.add(candidatesOf(j));
        }
        this.set = baseCandidates.with(settings(), valuation(), byJob);
    }

    CandidateSet candidates() {
        return set;
    }

    /** Returns {@code placement} with the candidates of this stage; jobs without such a candidate wait. */
    PartialPlacement own(PartialPlacement placement) {
        int[] choice = IntStream.of(placement.choice())
                .map(c -> c < 0 ? -1 : toStage[c])
                .toArray();
        Map<Integer, List<Integer>> nodes = new HashMap<>(placement.nodes());
        nodes.keySet().removeIf(j -> choice[j] < 0);
        return new PartialPlacement(choice, nodes, placement.devices());
    }

    /** Returns {@code obligation}, with candidates of this stage, with the same candidates of the round. */
    Obligation inRound(Obligation obligation) {
        return new Obligation(
                obligation.job(),
                obligation.candidates().stream().map(toBase::get).toList());
    }

    /** Returns {@code plan}, with candidates of this stage, with the same candidates of the round. */
    StandingPlan inRound(StandingPlan plan) {
        int[] choice =
                IntStream.of(plan.choice()).map(c -> c < 0 ? -1 : toBase.get(c)).toArray();
        return new StandingPlan(choice, plan.nodes(), plan.devices(), plan.placement());
    }

    /** Returns the candidates of decided running jobs as commitments; pinned ones need none. */
    List<Obligation> decisions() {
        return IntStream.range(0, set.jobs())
                .filter(j -> roles.isDecided(j) && !set.isPinned(j) && set.first(j) < set.end(j))
                .mapToObj(j -> new Obligation(
                        j, IntStream.range(set.first(j), set.end(j)).boxed().toList()))
                .toList();
    }

    private JobCandidates candidatesOf(int j) {
        int retained = baseCandidates.retainedCandidate(j);
        int[] offered = offered(j);
        List<Candidate> freshCandidates = new ArrayList<>();
        List<Candidate> otherCandidates = new ArrayList<>();
        Candidate current = null;
        for (int c : offered) {
            toStage[c] = toBase.size();
            toBase.add(c);
            Candidate ownCandidate = baseCandidates
                    .get(c)
                    .withUtility(value(j, baseCandidates.get(c).utility()));
            if (c == retained) {
                current = ownCandidate;
            } else {
                (ownCandidate.isRetained() ? otherCandidates : freshCandidates).add(ownCandidate);
            }
        }
        if (current == null && !otherCandidates.isEmpty()) {
            current = otherCandidates.remove(otherCandidates.size() - 1);
        }
        boolean onlyStays = offered.length == 1 && current != null && (roles.isDecided(j) || stays[j]);
        return new JobCandidates(
                j,
                freshCandidates,
                otherCandidates,
                current,
                baseCandidates.isPinned(j) || (current != null && onlyStays && keepsWhatItTakes(j, current)),
                NoCandidateReason.NONE);
    }

    /** A pinned job keeps its host grant, and its aggregation where it is, which another job need not. */
    private boolean keepsWhatItTakes(int j, Candidate current) {
        Allocation heldAllocation = baseCandidates.job(j).allocation();
        return heldAllocation != null
                && heldAllocation.aggregation().isEmpty()
                && Objects.equals(
                        heldAllocation.configuration().host(),
                        current.configuration().host());
    }

    /** Returns the candidates of job {@code j} in this stage, in ascending order: a kept allocation is the last. */
    private int[] offered(int j) {
        int retained = baseCandidates.retainedCandidate(j);
        if (baseCandidates.isPinned(j)) {
            return retained < 0 ? new int[0] : new int[] {retained};
        }
        IntStream all = IntStream.range(baseCandidates.first(j), baseCandidates.end(j));
        if (roles.isDecided(j)) {
            return all.filter(c -> decided.allows(j, c)).toArray();
        }
        if (stays[j]) {
            return all.filter(c -> c == retained).toArray();
        }
        boolean mayStart = roles.isOpen(j) || bound.contains(j);
        return all.filter(c -> mayStart || baseCandidates.isRetained(c)).toArray();
    }

    private RoundSettings settings() {
        RoundSettings settings = baseCandidates.problem().settings();
        RestartLimit limit = decided.restarts();
        if (!limit.applies()) {
            return settings.withMaxRestarts(null);
        }
        int used = (int) IntStream.range(0, baseCandidates.jobs())
                .filter(j -> roles.isDecided(j)
                        && limit.isKeepable(j)
                        && IntStream.range(baseCandidates.first(j), baseCandidates.end(j))
                                .noneMatch(c -> baseCandidates.isRetained(c) && toStage[c] >= 0))
                .count();
        return settings.withMaxRestarts(Math.max(0, limit.limit() - used));
    }

    private Valuation valuation() {
        Map<String, Integer> index = new HashMap<>();
        for (int j = 0; j < baseCandidates.jobs(); j++) {
            index.put(baseCandidates.job(j).id(), j);
        }
        Valuation own = baseCandidates.valuation();
        return (job, configuration, goodput, change, terms) ->
                value(indexOf(index, job), own.of(job, configuration, goodput, change, terms));
    }

    private static int indexOf(Map<String, Integer> index, Job job) {
        Integer j = index.get(job.id());
        if (j == null) {
            throw new IllegalArgumentException("job %s is not in the round".formatted(job.id()));
        }
        return j;
    }

    /** Returns the value in this stage of utility {@code own} of job {@code j}. */
    private double value(int j, double own) {
        if (roles.isDecided(j)) {
            double attained = decided.utility(j);
            double loss = attained - own;
            double most = Math.max(1, Math.abs(attained));
            return loss <= ROUNDING * most ? 0 : -LOSS_FACTOR * Math.min(loss, 2 * most);
        }
        return roles.isLower(j) ? lowerFactor * Math.max(0, own) : own;
    }
}
