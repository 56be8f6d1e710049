package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Solution quality of a plan: objective value, dual bound and optimality gap.
 *
 * @param status termination status of the solver
 * @param objectiveValue objective value of the plan, as the plan validator computes it
 * @param bestBound dual bound: upper bound on the objective value of every plan in which each class gets what it gets
 *     in this one; the sum of the bounds of the classes; at least {@code objectiveValue} up to rounding
 * @param gap optimality gap, (bestBound - objectiveValue) / |bestBound|, at least 0; 0 if both are 0, 1 if only the
 *     bound is
 * @param fallbackObjectiveValue objective value of the last plan after its repair for the current state: the result
 *     without a solve
 * @param improvement (objectiveValue - fallbackObjectiveValue) / (bestBound - fallbackObjectiveValue), the share of the
 *     possible improvement, at least 0; 1 if no improvement is possible
 * @param classes the same by priority class, from the highest; empty for data preparations
 * @param search steps that decided the plan; null for data preparations and for policies without a search
 */
public record SolutionQuality(
        SolveStatus status,
        double objectiveValue,
        double bestBound,
        double gap,
        double fallbackObjectiveValue,
        double improvement,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ClassQuality> classes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SearchSummary search) {
    /** Tolerance for equal objective values: relative to the bound, absolute below 1. */
    private static final double ROUNDING = 1e-9;

    @JsonCreator
    public SolutionQuality {
        classes = Checks.copy(classes);
    }

    /** A quality without classes and search. */
    public SolutionQuality(
            SolveStatus status,
            double objectiveValue,
            double bestBound,
            double gap,
            double fallbackObjectiveValue,
            double improvement) {
        this(status, objectiveValue, bestBound, gap, fallbackObjectiveValue, improvement, List.of(), null);
    }

    /** Returns this quality with the qualities of the priority classes, from the highest. */
    public SolutionQuality withClasses(List<ClassQuality> other) {
        return new SolutionQuality(
                status, objectiveValue, bestBound, gap, fallbackObjectiveValue, improvement, other, search);
    }

    /** Returns this quality with the steps that decided the plan; null if they are unknown. */
    public SolutionQuality withSearch(@Nullable SearchSummary other) {
        return new SolutionQuality(
                status, objectiveValue, bestBound, gap, fallbackObjectiveValue, improvement, classes, other);
    }

    /**
     * Returns the quality of a plan with this objective value and dual bound. Values within the rounding tolerance
     * count as equal.
     */
    public static SolutionQuality of(
            SolveStatus status, double objectiveValue, double bound, double fallbackObjectiveValue) {
        double limit = Math.max(bound, objectiveValue);
        boolean equal = limit - objectiveValue <= ROUNDING * Math.max(1, Math.abs(limit));
        double gap = equal ? 0 : limit == 0 ? 1 : (limit - objectiveValue) / Math.abs(limit);
        double possible = limit - fallbackObjectiveValue;
        return new SolutionQuality(
                status,
                objectiveValue,
                limit,
                gap,
                fallbackObjectiveValue,
                equal || possible <= 1e-12 ? 1 : Math.max(0, (objectiveValue - fallbackObjectiveValue) / possible));
    }
}
