package dev.spur.service.round;

import dev.spur.model.round.RoundPlan;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;

/**
 * Observations of a round for tracing. They are excluded from metrics, because the times of rounds are metrics already.
 */
public final class RoundObservations {
    /** Prefix of the observation names. */
    public static final String PREFIX = "spur.observed.";

    private RoundObservations() {}

    /** Observation of a round, from its first step to its record. */
    static Observation round(ObservationRegistry registry, String trigger) {
        return Observation.createNotStarted(PREFIX + "round", registry)
                .contextualName("round")
                .highCardinalityKeyValue("spur.round.trigger", trigger);
    }

    /** Adds the steps of the policy and their times to the current step. */
    static RoundPlan steps(ObservationRegistry registry, RoundPlan plan) {
        Observation running = registry.getCurrentObservation();
        if (running != null && !running.isNoop()) {
            plan.stats()
                    .steps()
                    .forEach(step -> running.highCardinalityKeyValue(
                            "spur.plan." + step.step(), String.format(Locale.ROOT, "%.1f ms", step.milliseconds())));
        }
        return plan;
    }

    /** Observation of a step of a round. */
    static Observation step(ObservationRegistry registry, String name) {
        return Observation.createNotStarted(PREFIX + "step", registry).contextualName("round " + name);
    }
}
