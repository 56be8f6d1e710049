package dev.spur.solver.policy;

import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PlannedJob;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.PlacedObjective;
import dev.spur.solver.solve.SolveResult;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Values and bounds of the priority classes of a plan. */
final class ClassQualities {
    private final CandidateSet candidates;
    private final PlacedObjective objective;
    private final SolveResult result;
    /** Sum of the utilities of the running jobs by class, from the highest. */
    private final Map<Integer, Double> values = new TreeMap<>(Comparator.reverseOrder());

    private ClassQualities(CandidateSet candidates, SolveResult result) {
        this.candidates = candidates;
        this.objective = new PlacedObjective(candidates);
        this.result = result;
        for (int j = 0; j < candidates.jobs(); j++) {
            values.merge(candidates.job(j).spec().priority(), 0.0, Double::sum);
        }
    }

    /** Returns the qualities of the classes of the placed plan, from the highest. */
    static List<ClassQuality> of(CandidateSet candidates, SolveResult result) {
        ClassQualities own = new ClassQualities(candidates, result);
        result.placement()
                .allocations()
                .forEach((j, allocation) -> own.add(
                        candidates.job(j).spec().priority(), own.objective.utility(candidates.job(j), allocation)));
        return own.qualities();
    }

    /** Returns the qualities of the classes of {@code runningJobs}, the jobs of the plan, from the highest. */
    static List<ClassQuality> of(CandidateSet candidates, SolveResult result, List<PlannedJob> runningJobs) {
        ClassQualities own = new ClassQualities(candidates, result);
        Map<String, Integer> priorities = new HashMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            priorities.put(candidates.job(j).id(), candidates.job(j).spec().priority());
        }
        runningJobs.forEach(planned -> own.add(priorities.getOrDefault(planned.jobId(), 0), planned.utility()));
        return own.qualities();
    }

    private void add(int priority, double utility) {
        values.merge(priority, utility, Double::sum);
    }

    private List<ClassQuality> qualities() {
        return values.entrySet().stream()
                .map(entry ->
                        ClassQuality.of(entry.getKey(), entry.getValue(), bound(entry.getKey(), entry.getValue())))
                .toList();
    }

    /** Returns the bound of a class. One that exceeds its value only by the rounding of the program counts as equal. */
    private double bound(int priority, double value) {
        double bound = result.classBounds().isEmpty()
                ? boundOfJointSolve(priority, value)
                : result.classBounds().getOrDefault(priority, value);
        double known = Double.isInfinite(bound) ? optimistic(priority) : bound;
        return known - value <= 2 * RoundProgram.roundingError(candidates) ? value : known;
    }

    /** In a solve of all jobs together, at most one class has a choice; the others have constant values. */
    private double boundOfJointSolve(int priority, double value) {
        List<Integer> withChoice = ClassRoles.withChoice(candidates);
        if (withChoice.size() > 1) {
            return Double.POSITIVE_INFINITY;
        }
        if (!withChoice.contains(priority)) {
            return value;
        }
        double others = values.entrySet().stream()
                .filter(entry -> entry.getKey() != priority)
                .mapToDouble(Map.Entry::getValue)
                .sum();
        return result.bestBound() - others;
    }

    /** Returns the bound in which every job of the class has its best candidate and most of its hosts. */
    private double optimistic(int priority) {
        double sum = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.job(j).spec().priority() == priority) {
                double best = 0;
                for (int c = candidates.first(j); c < candidates.end(j); c++) {
                    best = Math.max(best, objective.max(candidates.job(j), candidates.get(c)));
                }
                sum += best;
            }
        }
        return sum;
    }
}
