package dev.spur.prediction.family;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The measured speeds of a family of jobs, which train the same network with the same program. Plain data with at most
 * {@value #MAX_STEPS} shapes for each type, stored as JSON.
 *
 * @param family name of the family
 * @param steps one for each type and shape, the least recently updated first
 */
public record FamilySpeeds(String family, List<FamilyStep> steps) {
    /** Maximum number of shapes for each type. */
    public static final int MAX_STEPS = 40;

    public FamilySpeeds {
        Checks.nonBlank("family", family);
        steps = Checks.copy(steps);
    }

    /** Returns the speeds of a family without measurements. */
    public static FamilySpeeds unknown(String family) {
        return new FamilySpeeds(family, List.of());
    }

    /**
     * Returns these speeds with the measurements of one more job; the least recently updated shapes beyond the limit
     * are dropped.
     */
    public FamilySpeeds learn(List<TypedObservation> measuredObservations) {
        List<FamilyStep> next = new ArrayList<>(steps);
        for (TypedObservation typed : measuredObservations) {
            StepObservation observation = typed.observation();
            String type = typed.acceleratorType();
            FamilyStep known = next.stream()
                    .filter(step -> step.isOf(type, observation.shape()))
                    .findFirst()
                    .orElse(null);
            next.remove(known);
            next.add(
                    known == null
                            ? new FamilyStep(type, observation.shape(), observation.stepSeconds(), observation.weight())
                            : known.and(observation.stepSeconds(), observation.weight()));
            forget(next, type);
        }
        return new FamilySpeeds(family, next);
    }

    private static void forget(List<FamilyStep> steps, String type) {
        List<FamilyStep> own = steps.stream()
                .filter(step -> step.acceleratorType().equals(type))
                .toList();
        if (own.size() > MAX_STEPS) {
            steps.remove(own.get(0));
        }
    }

    /** Returns the types with at least one step under {@code strategy}, in the order of their first one. */
    public Set<String> acceleratorTypes(SyncStrategy strategy) {
        Set<String> types = new LinkedHashSet<>();
        for (FamilyStep step : steps) {
            if (step.shape().strategy() == strategy) {
                types.add(step.acceleratorType());
            }
        }
        return types;
    }

    /** Returns the steps on {@code type} under {@code strategy} as observations. */
    List<StepObservation> observations(String type, SyncStrategy strategy) {
        return steps.stream()
                .filter(step ->
                        step.acceleratorType().equals(type) && step.shape().strategy() == strategy)
                .map(step -> new StepObservation(step.shape(), step.stepSeconds(), Math.min(1, step.jobs())))
                .toList();
    }
}
