package dev.spur.solver.policy;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Greedy plan at the start of a stage. The decided jobs have what they got; pinned jobs and existing guarantees keep
 * their allocations.
 */
final class StageStart {
    /** Relative tolerance for equal utilities. */
    private static final double ROUNDING = 1e-9;

    private final CandidateSet candidates;
    private final ClassRoles roles;
    private final ResidualCapacity residual;
    private final int[] choice;
    private final Map<Integer, List<Integer>> nodes = new HashMap<>();
    private final Map<Integer, Integer> devices = new HashMap<>();

    private StageStart(CandidateSet candidates, ClassRoles roles, StandingPlan plan, IntPredicate isBound) {
        this.candidates = candidates;
        this.roles = roles;
        this.residual = new ResidualCapacity(candidates);
        this.choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        jobs(candidates::isPinned).forEach(j -> put(candidates.retainedCandidate(j)));
        jobs(j -> plan.choice()[j] >= 0 && choice[j] < 0 && (roles.isDecided(j) || isBound.test(j)))
                .forEach(j -> repeat(j, plan));
    }

    /**
     * Returns a plan in which running jobs of the open class and of lower classes stay as far as they fit. Waiting jobs
     * of the open class start where slots are free.
     */
    static PartialPlacement keepingLower(
            CandidateSet candidates, ClassRoles roles, StandingPlan plan, IntPredicate isBound) {
        StageStart start = new StageStart(candidates, roles, plan, isBound);
        start.keep(roles::isOpen);
        start.keep(roles::isLower);
        start.fill();
        return start.result();
    }

    /** Returns a plan in which the open class takes slots first, and jobs of lower classes stay on the rest. */
    static PartialPlacement openFirst(
            CandidateSet candidates, ClassRoles roles, StandingPlan plan, IntPredicate isBound) {
        StageStart start = new StageStart(candidates, roles, plan, isBound);
        start.keep(roles::isOpen);
        start.fill();
        start.keep(roles::isLower);
        return start.result();
    }

    /**
     * Returns a plan in which each job of the open class has its maximum utility; null if none was found.
     *
     * @param lowerStays whether jobs of lower classes keep their allocations before the open jobs are placed
     */
    static @Nullable PartialPlacement withMaximumUtilities(
            CandidateSet candidates, ClassRoles roles, StandingPlan plan, IntPredicate isBound, boolean lowerStays) {
        StageStart start = new StageStart(candidates, roles, plan, isBound);
        if (lowerStays) {
            start.keep(roles::isLower);
        }
        if (!start.putBest()) {
            return null;
        }
        start.keep(roles::isLower);
        return start.result();
    }

    /** Returns the maximum utility of job {@code j}, 0 for waiting. */
    static double maximum(CandidateSet candidates, int j) {
        double max = candidates.isPinned(j) ? Double.NEGATIVE_INFINITY : 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            max = Math.max(max, candidates.get(c).utility());
        }
        return max;
    }

    private PartialPlacement result() {
        return new PartialPlacement(choice, nodes, devices);
    }

    private IntStream jobs(IntPredicate which) {
        return IntStream.range(0, candidates.jobs()).filter(which);
    }

    private void repeat(int j, StandingPlan plan) {
        int c = plan.choice()[j];
        List<Integer> on = plan.nodes().get(j);
        if (on == null) {
            put(c);
        } else {
            int device = plan.devices().getOrDefault(j, -1);
            residual.add(
                    ResourceDemand.of(candidates, candidates.get(c)).onDevice(device),
                    on.stream().mapToInt(Integer::intValue).toArray());
            devices.put(j, device);
            choice[j] = c;
            nodes.put(j, on);
        }
    }

    private boolean put(int c) {
        Candidate candidate = candidates.get(c);
        int[] on = residual.place(ResourceDemand.of(candidates, candidate));
        if (on == null) {
            return false;
        }
        choice[candidate.job()] = c;
        if (!candidate.isRetained()) {
            nodes.put(candidate.job(), IntStream.of(on).boxed().toList());
            devices.put(candidate.job(), residual.deviceOf(candidate, on[0]));
        }
        return true;
    }

    /** Keeps the allocations of the jobs {@code which}: higher classes first, then by utility per slot. */
    private void keep(IntPredicate which) {
        jobs(j -> which.test(j) && choice[j] < 0 && candidates.retainedCandidate(j) >= 0)
                .boxed()
                .sorted(Comparator.comparingInt(
                                (Integer j) -> -candidates.job(j).spec().priority())
                        .thenComparingDouble(j -> -perSlot(candidates.retainedCandidate(j))))
                .forEach(this::keep);
    }

    /** Keeps the allocation of job {@code j} with the first batch size that fits. */
    private void keep(int j) {
        for (int c : candidates.retainedCandidates(j).toArray()) {
            if (put(c)) {
                return;
            }
        }
    }

    /** Starts open jobs by utility per slot, each in its best candidate by utility per slot that fits. */
    private void fill() {
        List<List<Integer>> waiting = new ArrayList<>();
        jobs(j -> roles.isOpen(j) && choice[j] < 0).forEach(j -> {
            List<Integer> own = freshByUtilityPerSlot(j);
            if (!own.isEmpty()) {
                waiting.add(own);
            }
        });
        waiting.stream()
                .sorted(Comparator.comparingDouble(own -> -perSlot(own.get(0))))
                .forEach(this::putFirstThatFits);
    }

    private void putFirstThatFits(List<Integer> own) {
        for (int c : own) {
            if (put(c)) {
                return;
            }
        }
    }

    private List<Integer> freshByUtilityPerSlot(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c ->
                        !candidates.get(c).isRetained() && candidates.get(c).utility() > 0)
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -perSlot(c)))
                .toList();
    }

    /** Gives each open job a candidate of its maximum utility, kept allocations first; returns whether all fit. */
    private boolean putBest() {
        List<List<Integer>> best = new ArrayList<>();
        jobs(j -> roles.isOpen(j) && choice[j] < 0).forEach(j -> {
            List<Integer> own = bestOf(j);
            if (!own.isEmpty()) {
                best.add(own);
            }
        });
        return best.stream()
                .sorted(Comparator.comparing((List<Integer> own) ->
                                own.stream().noneMatch(c -> candidates.get(c).isRetained()))
                        .thenComparingInt(own -> -candidates.get(own.get(0)).slots()))
                .allMatch(own -> own.stream().anyMatch(c -> !candidates.get(c).mayLose() && put(c)));
    }

    /** Returns the candidates of maximum utility, the kept allocation first; none if waiting is as good. */
    private List<Integer> bestOf(int j) {
        double max = maximum(candidates, j);
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> max > 0 && candidates.get(c).utility() >= max - ROUNDING * max)
                .boxed()
                .sorted(Comparator.comparing(c -> !candidates.get(c).isRetained()))
                .toList();
    }

    private double perSlot(int c) {
        return candidates.get(c).utility() / candidates.get(c).devices();
    }
}
