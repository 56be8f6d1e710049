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
 * What is known of the speed of a family of jobs: those that train the same net with the same program. Pure data, at
 * most {@value #MOST_STEPS} shapes for each type; as JSON it is what a store keeps.
 *
 * @param family name of the family
 * @param steps one for each type and shape, the longest untouched first
 */
public record FamilySpeeds(String family, List<FamilyStep> steps) {
    /** Shapes that are kept for each type. */
    public static final int MOST_STEPS = 40;

    public FamilySpeeds {
        Checks.named("family", family);
        steps = Checks.copy(steps);
    }

    /** Nothing is known yet. */
    public static FamilySpeeds unknown(String family) {
        return new FamilySpeeds(family, List.of());
    }

    /** With what one more job measured; the shapes that were not touched for longest are forgotten beyond the limit. */
    public FamilySpeeds learn(List<TypedObservation> measured) {
        List<FamilyStep> next = new ArrayList<>(steps);
        for (TypedObservation typed : measured) {
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
        if (own.size() > MOST_STEPS) {
            steps.remove(own.get(0));
        }
    }

    /** Types with at least one step under {@code strategy}, in the order of their first one. */
    public Set<String> acceleratorTypes(SyncStrategy strategy) {
        Set<String> types = new LinkedHashSet<>();
        for (FamilyStep step : steps) {
            if (step.shape().strategy() == strategy) {
                types.add(step.acceleratorType());
            }
        }
        return types;
    }

    /** Steps on {@code type} under {@code strategy}, as observations. */
    List<StepObservation> observations(String type, SyncStrategy strategy) {
        return steps.stream()
                .filter(step ->
                        step.acceleratorType().equals(type) && step.shape().strategy() == strategy)
                .map(step -> new StepObservation(step.shape(), step.stepSeconds(), Math.min(1, step.jobs())))
                .toList();
    }
}
